package io.trawl.tika;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Link;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.TimeZone;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionURI;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationLink;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.junit.jupiter.api.Test;

class TikaParserTest {
    private static final String DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    private final TikaParser parser = new TikaParser();

    /** A document as an analyzer gives it to a parser. */
    private record Document(String contentType, byte[] bytes, boolean textWanted) implements Page {
        @Override
        public String url() {
            return "https://example.org/a";
        }

        @Override
        public String crawl() {
            return "docs";
        }

        @Override
        public int depth() {
            return 0;
        }

        @Override
        public Optional<String> parent() {
            return Optional.empty();
        }

        @Override
        public Map<String, String> metadata() {
            return Map.of();
        }

        @Override
        public int status() {
            return 200;
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public Instant fetchedAt() {
            return Instant.EPOCH;
        }

        @Override
        public boolean truncated() {
            return false;
        }

        @Override
        public InputStream body() {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public String text() {
            return "";
        }

        @Override
        public Charset charset() {
            return StandardCharsets.UTF_8;
        }

        @Override
        public Optional<String> resolve(String base, String reference) {
            return Optional.of(reference);
        }

        @Override
        public String productToken() {
            return "trawl";
        }
    }

    private Parsed parse(String type, byte[] bytes) throws Exception {
        return parser.parse(new Document(type, bytes, true));
    }

    private static byte[] pdf(String... lines) throws IOException {
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            PDPage page = new PDPage(PDRectangle.A4);
            document.addPage(page);
            document.getDocumentInformation().setTitle("On trawling");
            document.getDocumentInformation().setAuthor("Ada");
            Calendar made = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
            made.setTimeInMillis(Instant.parse("2026-01-02T03:04:05Z").toEpochMilli());
            document.getDocumentInformation().setCreationDate(made);
            PDAnnotationLink link = new PDAnnotationLink();
            PDActionURI action = new PDActionURI();
            action.setURI("https://example.org/next");
            link.setAction(action);
            link.setRectangle(new PDRectangle(50, 690, 100, 20));
            page.getAnnotations().add(link);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(FontName.HELVETICA), 12);
                content.setLeading(15);
                content.newLineAtOffset(50, 700);
                for (String line : lines) {
                    content.showText(line);
                    content.newLine();
                }
                content.endText();
            }
            document.save(out);
            return out.toByteArray();
        }
    }

    /** Pages that each have a line, or nothing if it is empty. */
    private static byte[] pages(String... lines) throws IOException {
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            for (String line : lines) {
                PDPage page = new PDPage(PDRectangle.A4);
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(new PDType1Font(FontName.HELVETICA), 12);
                    content.newLineAtOffset(50, 700);
                    content.showText(line);
                    content.endText();
                }
            }
            document.save(out);
            return out.toByteArray();
        }
    }

    private static byte[] docx() throws IOException {
        try (XWPFDocument document = new XWPFDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            document.getProperties().getCoreProperties().setTitle("A letter");
            document.getProperties().getCoreProperties().setCreator("Grace");
            document.getProperties().getCoreProperties()
                    .setCreated(Optional.of(Date.from(Instant.parse("2026-02-03T04:05:06Z"))));
            document.createParagraph().createRun().setText("Dear reader,");
            var paragraph = document.createParagraph();
            paragraph.createRun().setText("see ");
            paragraph.createHyperlinkRun("https://example.org/more").setText("more");
            var table = document.createTable(1, 2);
            table.getRow(0).getCell(0).setText("one");
            table.getRow(0).getCell(1).setText("two");
            document.write(out);
            return out.toByteArray();
        }
    }

    @Test
    void aPdfHasTitleAuthorDateTextAndLinks() throws Exception {
        Parsed parsed = parse("application/pdf", pdf("The first line.", "The second line."));
        assertThat(parsed.fields()).isEqualTo(Map.of("title", "On trawling", "author", "Ada", "date",
                "2026-01-02T03:04:05Z", "text", "The first line. The second line."));
        assertThat(parsed.links().orElseThrow()).containsExactly(Link.to("https://example.org/next"));
        assertThat(parsed.truncated()).isFalse();
    }

    @Test
    void formFeedsPartThePagesOfAPdf() throws Exception {
        assertThat(parse("application/pdf", pages("The first page.", "", "The third page.")).fields())
                .containsEntry("text", "The first page.\n\f\n\fThe third page.");
    }

    @Test
    void aWordDocumentHasThemToo() throws Exception {
        Parsed parsed = parse(DOCX, docx());
        assertThat(parsed.fields()).isEqualTo(Map.of("title", "A letter", "author", "Grace", "date",
                "2026-02-03T04:05:06Z", "text", "Dear reader,\nsee more\none two"));
        assertThat(parsed.links().orElseThrow()).containsExactly(Link.to("https://example.org/more"));
        assertThat(parser.parse(new Document(DOCX, docx(), false)).fields()).doesNotContainKey("text");
    }

    @Test
    void longTextIsCut() throws Exception {
        String[] lines = new String[12_000];
        Arrays.fill(lines, "x".repeat(100));
        Parsed parsed = parse("application/pdf", pdf(lines));
        assertThat(parsed.truncated()).isTrue();
        assertThat((String) parsed.fields().get("text")).hasSizeBetween(900_000, 1_000_000);
    }

    @Test
    void anInterruptedThreadStops() throws IOException {
        byte[] document = pdf("a");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> parse("application/pdf", document)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isIn(true, false);
    }

    @Test
    void whatIsBrokenIsAnErrorAndEndsSoon() throws Exception {
        Random random = new Random(7);
        for (byte[] valid : new byte[][]{pdf("a line"), docx()}) {
            String type = valid[0] == '%' ? "application/pdf" : DOCX;
            for (int i = 0; i < 30; i++) {
                byte[] broken = Arrays.copyOf(valid, 1 + random.nextInt(valid.length));
                for (int change = 0; change < 10; change++) {
                    broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
                }
                try {
                    assertThat(parse(type, broken).fields()).isNotNull();
                } catch (Exception e) {
                    assertThat(e).isNotInstanceOf(InterruptedException.class);
                }
            }
        }
    }

    /** 300 MB of blanks in 300 KB. */
    @Test
    void aBombIsReadAsAStream() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(docx()));
                ZipOutputStream out = new ZipOutputStream(bomb)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                out.putNextEntry(new ZipEntry(entry.getName()));
                byte[] content = in.readAllBytes();
                if (entry.getName().equals("word/document.xml")) {
                    String xml = new String(content, StandardCharsets.UTF_8);
                    int end = xml.indexOf("<w:body>") + 8;
                    out.write(xml.substring(0, end).getBytes(StandardCharsets.UTF_8));
                    byte[] blanks = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
                    for (int i = 0; i < 300; i++) {
                        out.write(blanks);
                    }
                    content = xml.substring(end).getBytes(StandardCharsets.UTF_8);
                }
                out.write(content);
            }
        }
        assertThat(parse(DOCX, bomb.toByteArray()).fields()).containsEntry("text", "Dear reader,\nsee more\none two");
    }

    @Test
    void itIsFoundAndHandlesDocumentsOnly() {
        assertThat(ServiceLoader.load(ResponseParser.class)).hasExactlyElementsOfTypes(TikaParser.class);
        assertThat(parser.handles(new Document("text/html", new byte[0], true))).isFalse();
        assertThat(parser.handles(new Document("application/pdf", new byte[0], true))).isTrue();
    }
}
