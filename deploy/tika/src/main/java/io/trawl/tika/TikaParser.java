package io.trawl.tika;

import io.trawl.api.Link;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.api.RobotsDirectives;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.tika.exception.TikaException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.HttpHeaders;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.OfficeParserConfig;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.pdf.PDFParserConfig;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/**
 * Reads PDF, Word, Excel, PowerPoint and RTF: the fields {@code title}, {@code author}, {@code date} and {@code text},
 * and the links. What is embedded in a document is left out, no script runs, and no text is recognised in images. A
 * document that takes too much text is cut; two are read at a time, since one may need many times its size in memory.
 * Thread-safe.
 */
public final class TikaParser implements ResponseParser {
    /** Two documents of 8 MB fit into the heap of an analyzer. */
    private static final int AT_A_TIME = 2;
    /** Beyond, PDFBox uses temporary files. */
    private static final long PDF_MEMORY = 64L << 20;
    private static final String WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    private static final String SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    private static final String SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
    private final Map<String, Parser> byType = parsers();
    private final Semaphore room = new Semaphore(AT_A_TIME);

    private static Map<String, Parser> parsers() {
        Parser ooxml = new OOXMLParser();
        Parser office = new OfficeParser();
        Parser rtf = new RTFParser();
        return Map.of("application/pdf", new PDFParser(), WORD, ooxml, SHEET, ooxml, SLIDES, ooxml,
                "application/msword", office, "application/vnd.ms-excel", office, "application/vnd.ms-powerpoint",
                office, "application/rtf", rtf, "text/rtf", rtf);
    }

    @Override
    public String name() {
        return "tika";
    }

    @Override
    public boolean handles(Page page) {
        return byType.containsKey(page.contentType());
    }

    @Override
    public Parsed parse(Page page) throws Exception {
        Parser parser = byType.get(page.contentType());
        if (parser == null) {
            return Parsed.fields(Map.of());
        }
        Metadata metadata = new Metadata();
        metadata.set(HttpHeaders.CONTENT_TYPE, page.contentType());
        DocumentText text = new DocumentText();
        room.acquire();
        try (TikaInputStream in = TikaInputStream.get(page.body())) {
            parser.parse(in, text, metadata, context());
        } catch (DocumentText.FullException e) {
            // What was read until then is the result.
        } catch (TikaException | SAXException | IOException | RuntimeException e) {
            if (!text.full()) {
                throw Thread.currentThread().isInterrupted()
                        ? new InterruptedException("the document takes too long")
                        : e;
            }
        } finally {
            room.release();
        }
        return new Parsed(fields(page, metadata, text), Optional.empty(),
                Optional.of(text.links().stream().map(Link::to).toList()), RobotsDirectives.NONE, text.full());
    }

    private static ParseContext context() {
        PDFParserConfig pdf = new PDFParserConfig();
        pdf.setOcrStrategy(PDFParserConfig.OCR_STRATEGY.NO_OCR);
        pdf.setExtractInlineImages(false);
        pdf.setMaxMainMemoryBytes(PDF_MEMORY);
        OfficeParserConfig office = new OfficeParserConfig();
        office.setExtractMacros(false);
        // As a stream: a tree of what a few kilobytes unpack to would fill the heap.
        office.setUseSAXDocxExtractor(true);
        office.setUseSAXPptxExtractor(true);
        ParseContext context = new ParseContext();
        context.set(PDFParserConfig.class, pdf);
        context.set(OfficeParserConfig.class, office);
        context.set(EmbeddedDocumentExtractor.class, new NothingEmbedded());
        return context;
    }

    private static Map<String, Object> fields(Page page, Metadata metadata, DocumentText text) {
        Map<String, Object> fields = new LinkedHashMap<>();
        put(fields, "title", metadata.get(TikaCoreProperties.TITLE));
        put(fields, "author", String.join(", ", List.of(metadata.getValues(TikaCoreProperties.CREATOR))));
        put(fields, "date", metadata.get(TikaCoreProperties.CREATED));
        if (page.textWanted()) {
            fields.put("text", text.text());
        }
        return fields;
    }

    private static void put(Map<String, Object> fields, String name, @org.jspecify.annotations.Nullable String value) {
        if (value != null && !value.isBlank()) {
            fields.put(name, value.strip());
        }
    }

    /** A document in a document would be read with a budget of its own, and in it another one. */
    private static final class NothingEmbedded implements EmbeddedDocumentExtractor {
        @Override
        public boolean shouldParseEmbedded(Metadata metadata) {
            return false;
        }

        @Override
        public void parseEmbedded(InputStream stream, ContentHandler handler, Metadata metadata, boolean outputHtml) {
            // Never asked for.
        }
    }
}
