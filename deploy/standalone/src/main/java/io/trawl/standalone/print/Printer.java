package io.trawl.standalone.print;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Prints an answer: for scripts as it came, for people as lines. Used by one thread. */
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

    /** What the lines are for. */
    public Screen screen() {
        return screen;
    }

    /** Prints an answer, UTF-8; the lines are made only when people read it. */
    public void answer(byte[] body, Function<Screen, List<String>> text) {
        if (!json) {
            lines(text.apply(screen));
        } else if (body.length > 0) {
            lines(List.of(new String(body, StandardCharsets.UTF_8)));
        }
    }

    /** Prints lines. */
    public void lines(List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    /** Whether nobody reads any more. */
    public boolean gone() {
        return out.checkError();
    }
}
