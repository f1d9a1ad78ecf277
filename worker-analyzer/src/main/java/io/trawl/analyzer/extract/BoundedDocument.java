package io.trawl.analyzer.extract;

import io.trawl.api.Page;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * The document of a page.
 *
 * @param cut whether the page had more nodes than allowed
 */
public record BoundedDocument(Document document, boolean cut) {
    /** A page that keeps its document, so that all who read it parse it once. */
    public interface Shared extends Page {
        /** The document. @param parse makes it on the first call */
        BoundedDocument document(Supplier<BoundedDocument> parse);

        /** The memory that is reserved for the document. */
        DocumentMemory memory();

        /** Its document leads to another page by itself. @param refresh with a URL in normal form */
        void refreshes(PageRefresh refresh);
    }

    /** A parser that reads documents. */
    public interface DocumentReader {
        /** The document of a page that it handles. */
        BoundedDocument document(Page page);

        /** The elements of the main text of a page that it handles. */
        default Element content(Page page) {
            return document(page).document();
        }

        /** The number of characters of that text. */
        default int textLength(Page page) {
            return content(page).text().length();
        }
    }

    /** The document of a page: the one that it keeps, if it keeps one. */
    static BoundedDocument of(Page page, Function<DocumentMemory, BoundedDocument> parse) {
        Supplier<BoundedDocument> parsed = () -> parse.apply(memory(page));
        return page instanceof Shared shared ? shared.document(parsed) : parsed.get();
    }

    /** The memory that is reserved for the document of a page. */
    static DocumentMemory memory(Page page) {
        return page instanceof Shared shared ? shared.memory() : DocumentMemory.MOST;
    }
}
