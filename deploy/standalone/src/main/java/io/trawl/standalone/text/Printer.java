package io.trawl.standalone.text;

import io.trawl.coordinator.text.Screen;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Prints an answer: with {@code --json} as it came, else as lines of text. Used by one thread. */
public final class Printer {
    private final PrintWriter out;
    private final Screen screen;
    private final boolean json;

    /** @param json whether answers are printed as they came */
    public Printer(PrintWriter out, Screen screen, boolean json) {
        this.out = out;
        this.screen = screen;
        this.json = json;
    }

    /** Whether answers are printed as they came. */
    public boolean json() {
        return json;
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

    /** Whether the reader has closed the output. */
    public boolean gone() {
        return out.checkError();
    }
}
