package io.trawl.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Ends a process when this JVM has ended in any way, also by {@code kill -9}: a shell waits on a pipe from this JVM,
 * which the system closes then. (The signal that Linux can send when a parent dies comes when the thread ends that has
 * started the child, so it fits no JVM.)
 */
final class ChildWatch {
    private static final Path SHELL = Path.of("/bin/sh");
    /** Signals of the terminal are for the JVM, which ends the process itself. */
    private static final String WAIT = "trap '' HUP INT QUIT TERM TSTP; read -r _; kill \"$1\"";

    private ChildWatch() {}

    /**
     * Begins to watch, until the process ends. Does nothing on a system without a shell: there the next start ends the
     * process.
     */
    static void begin(ProcessHandle process) throws IOException {
        if (!Files.isExecutable(SHELL)) {
            return;
        }
        Process shell = new ProcessBuilder(
                List.of(SHELL.toString(), "-c", WAIT, "trawl-watch", Long.toString(process.pid())))
                .redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
        // Another process may get the number of one that has ended. This also keeps the pipe open, which would be
        // closed once it is not referenced.
        process.onExit().thenRun(shell::destroyForcibly);
    }
}
