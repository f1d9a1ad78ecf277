package io.trawl.downloader.fetch.browser;

import io.trawl.api.FetchFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A headless Chromium with a profile of its own and without network: no name resolves, and its proxy does not exist. It
 * ends with the pipes, so also if this process is killed.
 */
final class BrowserProcess implements AutoCloseable {
    private static final Duration TO_START = Duration.ofSeconds(30);
    private static final Duration TO_END = Duration.ofSeconds(5);
    /** The protocol runs on the descriptors 3 and 4, which Java cannot pass on. */
    private static final String SHELL = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
    private static final List<String> ARGUMENTS = List.of("--headless=new", "--remote-debugging-pipe", "--no-first-run",
            "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
            "--mute-audio", "--disable-features=HttpsUpgrades", "--host-resolver-rules=MAP * ~NOTFOUND",
            "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>",
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp");
    private final Process process;
    private final Path profile;
    private final DevToolsPipe pipe;

    private BrowserProcess(Process process, Path profile, int largest) {
        this.process = process;
        this.profile = profile;
        this.pipe = new DevToolsPipe(process.getInputStream(), process.getOutputStream(), largest);
    }

    /**
     * Starts one, and returns when it answers.
     *
     * @param largest the size of the largest message, in bytes
     * @throws FetchFailedException if it does not start
     */
    static BrowserProcess start(Path program, List<String> further, int largest)
            throws FetchFailedException, InterruptedException {
        try {
            Path profile = Files.createTempDirectory("trawl-browser-");
            List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SHELL, program.toString()));
            command.addAll(ARGUMENTS);
            command.add("--user-data-dir=" + profile);
            command.addAll(further);
            ProcessBuilder builder = new ProcessBuilder(command);
            // Tokens and passwords of this process are none of the browser's business.
            builder.environment().keySet().removeIf(name -> name.startsWith("TRAWL_"));
            BrowserProcess browser = new BrowserProcess(builder.redirectError(ProcessBuilder.Redirect.DISCARD).start(),
                    profile, largest);
            return browser.answering(program);
        } catch (IOException e) {
            throw new FetchFailedException("the browser " + program + " does not start: " + e.getMessage());
        }
    }

    private BrowserProcess answering(Path program) throws IOException, InterruptedException {
        try {
            pipe.call("", "Browser.getVersion", Map.of(), TO_START);
            return this;
        } catch (BrowserGoneException | TimeoutException e) {
            close();
            throw new IOException(
                    "it ended, or did not answer; as root it needs --no-sandbox in TRAWL_DOWNLOADER_BROWSER_ARGUMENTS ("
                            + program + ")");
        }
    }

    DevToolsPipe pipe() {
        return pipe;
    }

    boolean isAlive() { return process.isAlive() && !pipe.ended(); }

    /** Ends it and all of its processes, and deletes its profile. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        pipe.close();
        Stream.concat(children.stream(), Stream.of(process.toHandle())).forEach(
                each -> each.onExit().completeOnTimeout(each, TO_END.toMillis(), TimeUnit.MILLISECONDS).join());
        delete();
    }

    /** Best effort: the last of its processes may still be writing. */
    private void delete() {
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            profile.toFile().deleteOnExit();
        }
    }
}
