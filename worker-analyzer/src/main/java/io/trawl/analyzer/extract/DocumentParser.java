package io.trawl.analyzer.extract;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;

/**
 * Parses a page into a DOM with a limited number of elements, attributes and tags. A limit of bytes does not bound a DOM: the HTML standard reopens
 * formatting elements that a page left open, with copies of their attributes, so that four characters ({@code <p>x}) can make a dozen elements.
 * Parsing ends at the limit, and the tree has everything before it. Parsing ends with an exception soon after its thread is interrupted. Reusable,
 * not thread-safe.
 *
 * <p>
 * Parsing ends before a tag whose name has more than {@value #LONGEST_NAME} characters, too: jsoup takes quadratic time for
 * a name. No element has such a name; a script may have that many characters behind a {@code <}, but hardly without a space,
 * a slash or a {@code >}.
 *
 * <p>
 * Counting takes a tenth of the time of a page, so a page is first parsed without it, as long as its thread allocates less than the smallest nodes
 * of that number would take. Only a page that needs more is parsed again, and counted.
 */
final class DocumentParser {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Smaller than any node or attribute of jsoup. */
    private static final int SMALLEST_NODE = 8;
    private static final int LONGEST_NAME = 1 << 16;
    private static final char NUL = 0;
    private final Supplier<Parser> syntax;
    private final int most;
    private Parser parser;

    /**
     * @param syntax HTML or XML; supplies a new parser
     * @param most the largest number of elements, attributes and tags; the elements that are open at the end come on top
     */
    DocumentParser(Supplier<Parser> syntax, int most) {
        this.syntax = syntax;
        this.most = most;
        this.parser = syntax.get();
    }

    /** Parses a page; its NULs are ignored, as browsers do in text. */
    BoundedDocument parse(String page) {
        String text = withoutNuls(page);
        int end = text.length() > LONGEST_NAME ? beforeLongName(text) : text.length();
        BoundedDocument bounded = bounded(text.substring(0, end));
        return end < text.length() ? new BoundedDocument(bounded.document(), true) : bounded;
    }

    /** To take NULs out of a text, jsoup needs six bytes for each, and as many again while it makes room: 130 MB for a bomb of 8 MiB. */
    private static String withoutNuls(String text) {
        int nul = text.indexOf(NUL);
        if (nul < 0) {
            return text;
        }
        StringBuilder rest = new StringBuilder(text.length());
        int from = 0;
        while (nul >= 0) {
            rest.append(text, from, nul);
            from = nul + 1;
            nul = text.indexOf(NUL, from);
        }
        return rest.append(text, from, text.length()).toString();
    }

    /** Where the first tag with a name that is too long begins, or the length of the text; one pass. */
    private static int beforeLongName(String text) {
        int tag = text.indexOf('<');
        while (tag >= 0) {
            int begin = text.startsWith("/", tag + 1) ? tag + 2 : tag + 1;
            int end = begin;
            if (begin < text.length() && Character.isLetter(text.charAt(begin))) {
                while (end < text.length() && inName(text.charAt(end))) {
                    end++;
                }
            }
            if (end - begin > LONGEST_NAME) {
                return tag;
            }
            tag = text.indexOf('<', end);
        }
        return text.length();
    }

    private static boolean inName(char c) {
        return c > ' ' && c != '>' && c != '/';
    }

    private BoundedDocument bounded(String text) {
        boolean complete = false;
        try {
            Document document = parser.parseInput(new SmallInput(text, (long) most * SMALLEST_NODE), "");
            complete = true;
            return new BoundedDocument(document, false);
        } catch (TooLargeException e) {
            return counted(text);
        } finally {
            if (!complete) {
                // Its state is undefined, and it would keep the document.
                parser = syntax.get();
            }
        }
    }

    private BoundedDocument counted(String text) {
        Input input = new Input(text, most);
        try (StreamParser counting = new StreamParser(syntax.get()).parse(input, "")) {
            Iterator<Element> completed = counting.iterator();
            while (!input.exceeded() && completed.hasNext()) {
                input.add(completed.next());
            }
            return new BoundedDocument(counting.document(), input.exceeded());
        }
    }

    /** The page may have too many nodes. */
    private static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLargeException() {
            super(null, null, false, false);
        }
    }

    /** A text that ends with an exception when its reader has allocated too much, or is interrupted. */
    private static final class SmallInput extends StringReader {
        private final long mostAllocated;

        SmallInput(String text, long mostAllocated) {
            super(text);
            this.mostAllocated = THREADS.getCurrentThreadAllocatedBytes() + mostAllocated;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while parsing");
            }
            if (THREADS.getCurrentThreadAllocatedBytes() > mostAllocated) {
                throw new TooLargeException();
            }
            return super.read(buffer, offset, length);
        }
    }

    /**
     * The text up to the place where the document has enough nodes. Elements and attributes are counted when jsoup completes an element. jsoup does
     * not say when it makes texts and comments, but there are at most two for each {@code <}.
     */
    private static final class Input extends StringReader {
        private final int most;
        private long nodes;

        Input(String text, int most) {
            super(text);
            this.most = most;
        }

        void add(Element element) {
            nodes += 1 + element.attributesSize();
        }

        boolean exceeded() {
            return nodes > most;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while parsing");
            }
            int count = exceeded() ? -1 : super.read(buffer, offset, length);
            for (int i = offset; i < offset + count; i++) {
                nodes += buffer[i] == '<' ? 1 : 0;
            }
            return count;
        }
    }
}
