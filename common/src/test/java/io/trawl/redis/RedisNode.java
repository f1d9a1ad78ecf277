package io.trawl.redis;

import static org.awaitility.Awaitility.await;

import io.trawl.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A redis-server without users and without data on the disk: a master, a replica, a node of a cluster, a Sentinel. */
final class RedisNode implements AutoCloseable {
    private final int port;
    private final Process process;

    private RedisNode(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /** @param folder of its files; may be that of other nodes */
    static RedisNode start(Path folder, String... options) {
        int port = FreePort.find();
        try {
            Path file = Files.writeString(folder.resolve(port + ".conf"),
                    Stream.concat(Stream.of("bind 127.0.0.1", "port " + port, "dir " + folder), Stream.of(options))
                            .reduce("", (all, line) -> all + line + "\n"));
            Stream<String> sentinel = Stream.of(options).filter(option -> option.startsWith("sentinel ")).limit(1)
                    .map(_ -> "--sentinel");
            List<String> command = Stream
                    .concat(Stream.of(TestRedis.shared().program().toString(), file.toString()), sentinel).toList();
            RedisNode node = new RedisNode(port, new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(folder.resolve(port + ".log").toFile()).start());
            await().ignoreExceptions().until(() -> node.command("PING"), answer -> answer.matches("PONG|NOAUTH .*"));
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** The answer to a command in words without spaces. */
    String command(String line) {
        return TestRedis.answers(port, line).getLast();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
