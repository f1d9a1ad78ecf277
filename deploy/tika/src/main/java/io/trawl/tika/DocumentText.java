package io.trawl.tika;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Collects the text of a document, a line for each paragraph, with a form feed between pages of a PDF, and its links.
 * Stops at its limits, and when its thread is interrupted. Not thread-safe.
 */
final class DocumentText extends DefaultHandler {
    private static final int LONGEST = 1_000_000;
    private static final int MOST_LINKS = 10_000;
    private static final String PAGE_END = "\f";
    private static final Set<String> BLOCKS = Set.of("p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "tr",
            "table", "ul", "ol", "br", "title");
    private final StringBuilder text = new StringBuilder();
    private final Set<String> links = new LinkedHashSet<>();
    private boolean inBody;
    private boolean inPages;
    /** Within the annotations of a page, whose text is the address of a link. */
    private int annotations;
    private boolean full;

    /** The limits are reached: a document that goes on is not read any further. */
    static final class FullException extends SAXException {
        private static final long serialVersionUID = 1;

        FullException() {
            super("the document has more text or links than are kept");
        }
    }

    @Override
    public void startElement(String uri, String localName, String qName, Attributes attributes) throws SAXException {
        alive();
        inBody |= localName.equals("body");
        if (localName.equals("div") && "page".equals(attributes.getValue("class"))) {
            page();
        }
        annotations += annotations > 0 || "annotation".equals(attributes.getValue("class")) ? 1 : 0;
        String href = attributes.getValue("href");
        if (localName.equals("a") && href != null && !href.isBlank() && !href.startsWith("#")) {
            full(links.size() >= MOST_LINKS && !links.contains(href));
            links.add(href.strip());
        }
        if (localName.equals("td") || localName.equals("th")) {
            space();
        }
    }

    @Override
    public void endElement(String uri, String localName, String qName) throws SAXException {
        annotations -= annotations > 0 ? 1 : 0;
        if (BLOCKS.contains(localName) && !text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
        }
    }

    @Override
    public void characters(char[] chars, int start, int length) throws SAXException {
        alive();
        if (inBody && annotations == 0) {
            int room = LONGEST - text.length();
            text.append(chars, start, Math.min(length, room));
            full(length > room);
        }
    }

    @Override
    public void ignorableWhitespace(char[] chars, int start, int length) throws SAXException {
        alive();
        space();
    }

    /** PDFBox begins one for each page, also without text. */
    private void page() throws FullException {
        if (inPages) {
            full(text.length() >= LONGEST);
            text.append(PAGE_END);
        }
        inPages = true;
    }

    private void space() {
        if (inBody && !text.isEmpty() && !Character.isWhitespace(text.charAt(text.length() - 1))
                && text.length() < LONGEST) {
            text.append(' ');
        }
    }

    private static void alive() throws SAXException {
        if (Thread.currentThread().isInterrupted()) {
            throw new SAXException("interrupted");
        }
    }

    private void full(boolean exceeded) throws FullException {
        if (exceeded) {
            full = true;
            throw new FullException();
        }
    }

    /** Whether something was left out. */
    boolean full() {
        return full;
    }

    Set<String> links() {
        return links;
    }

    /** Without blank lines and blanks at the ends of lines; each page but the first begins behind a form feed. */
    String text() {
        return Arrays.stream(text.toString().split(PAGE_END, -1)).map(DocumentText::lines)
                .collect(Collectors.joining("\n" + PAGE_END)).stripTrailing();
    }

    private static String lines(String page) {
        return page.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
