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
import org.jsoup.parser.Tag;
import org.jsoup.parser.TagSet;
import org.jspecify.annotations.Nullable;

/**
 * Parses a page into a DOM with a limited number of elements, attributes and tags. A limit of bytes does not bound a
 * DOM: the HTML standard reopens formatting elements that a page left open, with copies of their attributes, so that
 * four characters ({@code
 *
<p>
 * x}) can make a dozen elements. Parsing ends at the limit, and the tree has everything before it. Parsing ends with an
 * exception soon after its thread is interrupted. Reusable, not thread-safe.
 *
 * <p>
 * Parsing ends before a tag whose name has more than {@value #LONGEST_NAME} characters, too: jsoup takes quadratic time
 * for a name. No element has such a name; a script may have that many characters behind a {@code <}, but hardly without
 * a space, a slash or a {@code >}.
 *
 * <p>
 * Counting takes a tenth of the time of a page, so a page is first parsed without it, as long as its thread allocates
 * less than {@link DocumentMemory#usual}. If it allocates more than the smallest nodes of that number would take, the
 * nodes of the finished document are counted. Only a page that needs more is parsed again, and counted meanwhile.
 */
final class DocumentParser {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LONGEST_NAME = 1 << 16;
    private static final char NUL = 0;
    /** In bytes that parsing has allocated: what the parser of an idle thread may keep. */
    private static final int LARGEST_KEPT = 1 << 20;
    private final Supplier<Parser> syntax;
    private final int most;
    private Parser parser;

    /**
     * @param syntax HTML or XML; supplies a new parser
     * @param most the largest number of elements, attributes and tags; the elements that are open at the end come on
     * top
     */
    DocumentParser(Supplier<Parser> syntax, int most) {
        this.syntax = syntax;
        this.most = most;
        this.parser = syntax.get();
    }

    /**
     * The syntax of HTML. A script of a drawing is no raw text (HTML standard, section 13.2.6.5), but jsoup takes all
     * that follows one that closes itself for its text.
     */
    static Parser html() {
        TagSet tags = TagSet.Html();
        tags.add(tags.valueOf("script", Parser.NamespaceSvg).clear(Tag.Data));
        return Parser.htmlParser().tagSet(tags);
    }

    /**
     * Parses a page; its NULs are ignored, as browsers do in text.
     *
     * @throws DocumentMemory.NotEnoughException if the document needs more memory than is reserved
     */
    BoundedDocument parse(String page, DocumentMemory memory) {
        String text = withoutNuls(page);
        int end = text.length() > LONGEST_NAME ? beforeLongName(text) : text.length();
        BoundedDocument document = bounded(text.substring(0, end), memory);
        return end < text.length() ? new BoundedDocument(document.document(), true) : document;
    }

    /**
     * To take NULs out of a text, jsoup needs six bytes for each, and as many again while it makes room: 130 MB for a
     * bomb of 8 MiB.
     */
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

    private BoundedDocument bounded(String text, DocumentMemory memory) {
        try {
            return usual(text);
        } catch (DocumentMemory.NotEnoughException e) {
            if (memory == DocumentMemory.USUAL) {
                throw e;
            }
            return counted(text);
        }
    }

    private BoundedDocument usual(String text) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        boolean small = false;
        try {
            Document document = parser
                    .parseInput(new UsualInput(text, before + DocumentMemory.usual(text.length(), most)), "");
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            small = allocated < LARGEST_KEPT;
            if (allocated > (long) most * DocumentMemory.SMALLEST_NODE && nodes(document, text) > most) {
                throw new DocumentMemory.NotEnoughException();
            }
            return new BoundedDocument(document, false);
        } finally {
            if (!small) {
                // It keeps its last document until the next page, and after an exception its state is undefined.
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

    /** As {@link Input} counts them. */
    private static long nodes(Document document, String text) {
        long nodes = 0;
        for (int tag = text.indexOf('<'); tag >= 0; tag = text.indexOf('<', tag + 1)) {
            nodes++;
        }
        for (Element element = document; element != null; element = following(element)) {
            nodes += 1L + element.attributesSize();
        }
        return nodes;
    }

    /** The next element in the order of the document. */
    private static @Nullable Element following(Element element) {
        Element next = element.firstElementChild();
        for (Element up = element; next == null && up != null; up = up.parent()) {
            next = up.nextElementSibling();
        }
        return next;
    }

    /** A text that ends with an exception when its reader has allocated too much, or is interrupted. */
    private static final class UsualInput extends StringReader {
        private final long mostAllocated;

        /** @param mostAllocated the bytes that the thread may have allocated since its start */
        UsualInput(String text, long mostAllocated) {
            super(text);
            this.mostAllocated = mostAllocated;
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while parsing");
            }
            if (THREADS.getCurrentThreadAllocatedBytes() > mostAllocated) {
                throw new DocumentMemory.NotEnoughException();
            }
            return super.read(buffer, offset, length);
        }
    }

    /**
     * The text up to the place where the document has enough nodes. Elements and attributes are counted when jsoup
     * completes an element. jsoup does not say when it makes texts and comments, but there are at most two for each
     * {@code <}.
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
