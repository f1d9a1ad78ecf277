package io.trawl.standalone.text;

import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.TerminalText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Prints an answer: with {@code --json} as it came, else as lines of text. Used by one thread.
 *
 * @param json whether answers are printed as they came
 */
public record Printer(PrintWriter out, Screen screen, boolean json) {
    /**
     * Answers that are drawn over each other, on the alternate screen of the terminal as pagers do. Used by one thread.
     */
    public final class Frames implements AutoCloseable {
        private static final String BEGIN = "\u001b[?1049h\u001b[?25l";
        private static final String END = "\u001b[?25h\u001b[?1049l";
        private static final String HOME = "\u001b[H";
        private static final String CLEAR_LINE = "\u001b[K\n";
        private static final String CLEAR_REST = "\u001b[J";
        private final boolean drawn = !json && !screen.equals(Screen.FILE);
        private StringWriter frame = new StringWriter();
        private Terminal terminal = Terminal.ofLauncher();

        private Frames() {
            if (drawn) {
                out.print(BEGIN);
            }
        }

        /** Prints the next frame, for the present width of the window. */
        public Printer next() {
            if (!drawn) {
                return Printer.this;
            }
            frame = new StringWriter();
            terminal = terminal.resized();
            return new Printer(new PrintWriter(frame), new Screen(terminal.columns(), screen.colours()), false);
        }

        /** Shows the frame, as much as the window has room for. */
        public void end() {
            if (drawn) {
                long rows = Terminal.rows().orElse(Integer.MAX_VALUE);
                out.print(HOME + frame.toString().lines().limit(rows).map(line -> line + CLEAR_LINE)
                        .collect(Collectors.joining()) + CLEAR_REST);
                out.flush();
            }
        }

        @Override
        public void close() {
            if (drawn) {
                out.print(END);
                out.flush();
            }
        }
    }

    /** Prints an answer, UTF-8; the lines are made only if they are printed. */
    public void answer(byte[] body, Function<Screen, List<String>> text) {
        if (!json) {
            lines(text.apply(screen));
        } else if (body.length > 0) {
            lines(List.of(new String(body, StandardCharsets.UTF_8)));
        }
    }

    private void lines(List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    /** Prints lines that come from the web: as they are into a file, and without what a terminal would obey. */
    public void copy(List<String> lines) {
        lines(screen.equals(Screen.FILE) ? lines : lines.stream().map(TerminalText::safe).toList());
    }

    /** Prints a line, also with {@code --json}. */
    public void note(String line) {
        lines(List.of(TerminalText.safe(line)));
    }

    /**
     * Frames of text that replace each other; into a file or with {@code --json}, they follow each other. The caller
     * closes them.
     */
    public Frames frames() {
        return new Frames();
    }

    /** Whether the reader has closed the output. */
    public boolean gone() {
        return out.checkError();
    }
}
