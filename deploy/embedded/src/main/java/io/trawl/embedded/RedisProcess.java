package io.trawl.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Queries and stops redis-server processes, which may be children, orphans or unrelated. */
final class RedisProcess {
    private static final int ANSWER_TIMEOUT_MILLIS = 2000;
    private static final int LONGEST_ANSWER = 16 << 10;
    private static final int MOST_READS = 8;
    static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private RedisProcess() {}

    /**
     * The process id of the redis-server that listens on the port, if there is one and it was started with the settings
     * of that folder.
     */
    static Optional<Long> at(int port, RedisUser operator, Path folder) {
        return answer(port, operator, "INFO server")
                .filter(info -> field(info, "config_file")
                        .equals(Optional.of(folder.resolve(EmbeddedRedis.SETTINGS).toString())))
                .flatMap(info -> field(info, "process_id")).map(Long::valueOf);
    }

    /** Whether a redis-server answers on the port and has loaded its data. */
    static boolean ready(int port, RedisUser operator) {
        return answer(port, operator, "PING").filter(answer -> answer.startsWith("+PONG")).isPresent();
    }

    private static Optional<String> field(String info, String name) {
        return info.lines().filter(line -> line.startsWith(name + ":")).findFirst()
                .map(line -> line.substring(name.length() + 1).strip());
    }

    /**
     * The reply to one command, in the form of the Redis protocol; empty if there is none in time, or the user is
     * refused.
     */
    private static Optional<String> answer(int port, RedisUser user, String command) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(BrokerSettings.LOOPBACK, port), ANSWER_TIMEOUT_MILLIS);
            socket.setSoTimeout(ANSWER_TIMEOUT_MILLIS);
            String lines = "AUTH " + user.name() + " " + user.password() + "\r\n" + command + "\r\nQUIT\r\n";
            socket.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
            String all = untilTheEnd(socket.getInputStream());
            return all.startsWith("+OK\r\n") ? Optional.of(all.substring("+OK\r\n".length())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Another program may have taken the port, so neither the length nor the time is left to it. */
    private static String untilTheEnd(InputStream in) throws IOException {
        byte[] answer = new byte[LONGEST_ANSWER];
        int length = 0;
        for (int reads = 0, more = 0; reads < MOST_READS && more >= 0 && length < answer.length; reads++) {
            more = in.read(answer, length, answer.length - length);
            length += Math.max(0, more);
        }
        return new String(Arrays.copyOf(answer, length), StandardCharsets.UTF_8);
    }

    /**
     * Ends the process by signals, the first of which lets it shut down. Loses nothing, because acknowledged writes are
     * on disk.
     */
    static void stop(ProcessHandle process) {
        process.destroy();
        if (!ends(process, STOP_TIMEOUT)) {
            process.destroyForcibly();
            ends(process, STOP_TIMEOUT);
        }
    }

    /** Whether the process ends within the time. */
    static boolean ends(ProcessHandle process, Duration within) {
        try {
            process.onExit().get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return !process.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }
}
