package io.trawl.analyzer.parse;

import io.trawl.analyzer.charset.DecodedText;
import io.trawl.model.Response;
import io.trawl.value.ContentType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the media type of a body as the WHATWG MIME Sniffing Standard does (section 7): from {@code Content-Type},
 * and from the first bytes if that is missing, malformed, unknown or one of those that are often wrong.
 *
 * <p>
 * It differs where a crawler risks nothing, since it runs no scripts: {@code nosniff} does not keep a body of unknown
 * type from being HTML, a byte order mark may come before HTML, XML with an {@code html} element is XHTML, and HTML may
 * begin with {@code meta} or {@code link}.
 */
final class MediaTypes {
    private static final String HTML = "text/html";
    private static final String TEXT = "text/plain";
    private static final String BINARY = "application/octet-stream";
    /** What Apache once declared for everything that it did not know. */
    private static final Set<String> OFTEN_WRONG = Set.of(TEXT, "text/plain; charset=iso-8859-1",
            "text/plain; charset=utf-8");
    /** The bytes that are looked at: the resource header of the standard. */
    private static final int LOOK_AT = 1445;
    private static final int LONGEST_HEADER = 1024;
    private static final List<String> HTML_TAGS = List.of("<!doctype html", "<html", "<head", "<script", "<iframe",
            "<h1", "<div", "<font", "<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p", "<meta", "<link");
    private static final List<Magic> DOCUMENTS = List.of(new Magic("%PDF-", "application/pdf"),
            new Magic("%!PS-Adobe-", "application/postscript"));
    private static final List<Magic> IMAGES = List.of(new Magic("\0\0\1\0", "image/x-icon"),
            new Magic("\0\0\2\0", "image/x-icon"), new Magic("BM", "image/bmp"), new Magic("GIF87a", "image/gif"),
            new Magic("GIF89a", "image/gif"), new Magic("RIFF", 8, "WEBPVP", "image/webp"),
            new Magic("\u0089PNG\r\n\u001a\n", "image/png"), new Magic("\u00ff\u00d8\u00ff", "image/jpeg"));
    private static final List<Magic> MEDIA = List.of(new Magic("FORM", 8, "AIFF", "audio/aiff"),
            new Magic("ID3", "audio/mpeg"), new Magic("OggS\0", "application/ogg"),
            new Magic("MThd\0\0\0\6", "audio/midi"), new Magic("RIFF", 8, "AVI ", "video/avi"),
            new Magic("RIFF", 8, "WAVE", "audio/wave"), new Magic("", 4, "ftypmp4", "video/mp4"),
            new Magic("\u001a\u0045\u00df\u00a3", "video/webm"));
    private static final List<Magic> ARCHIVES = List.of(new Magic("\u001f\u008b\b", "application/x-gzip"),
            new Magic("PK\3\4", "application/zip"), new Magic("Rar \u001a\7\0", "application/x-rar-compressed"));

    /** Bytes at the begin of a body, and further ones at a place. */
    private record Magic(String begin, int at, String further, String type) {
        Magic(String begin, String type) {
            this(begin, 0, "", type);
        }

        boolean matches(String head) {
            return head.startsWith(begin) && head.startsWith(further, at);
        }
    }

    private MediaTypes() {}

    /** The media type in lower case without parameters, for example {@code text/html}. */
    static String of(Response response) {
        Optional<ContentType> declared = declared(response);
        if (declared.isEmpty()) {
            return unknown(response.body().bytes());
        }
        String type = declared.get().essence();
        return response.header("x-content-type-options").split(",", 2)[0].strip().equalsIgnoreCase("nosniff")
                ? type
                : checked(type, declared.get().value(), response);
    }

    private static String checked(String type, String value, Response response) {
        if (type.equals(HTML)) {
            return FeedSniffer.feed(head(response.body().bytes(), 0)).orElse(HTML);
        }
        if (OFTEN_WRONG.contains(value.strip().toLowerCase(Locale.ROOT))) {
            return textOrBinary(response.body().bytes());
        }
        if (type.endsWith("+xml")) {
            return type;
        }
        List<Magic> family = type.startsWith("image/")
                ? IMAGES
                : type.startsWith("audio/") || type.startsWith("video/") || type.equals("application/ogg")
                        ? MEDIA
                        : List.of();
        return family.isEmpty() ? type : first(family, head(response.body().bytes(), 0)).orElse(type);
    }

    /** The value of {@code Content-Type} that counts; empty if there is none. */
    static String header(Response response) {
        return declared(response).map(ContentType::value).orElse("");
    }

    /** By its beginning, which has everything that a server may declare there. */
    private static Optional<ContentType> declared(Response response) {
        String header = response.header("content-type");
        return ContentType.of(header.length() > LONGEST_HEADER ? header.substring(0, LONGEST_HEADER) : header);
    }

    private static String head(byte[] body, int from) {
        return new String(body, from, Math.min(body.length - from, LOOK_AT), StandardCharsets.ISO_8859_1);
    }

    private static String unknown(byte[] body) {
        int mark = DecodedText.mark(body);
        String head = head(body, mark);
        String text = head.stripLeading();
        if (text.startsWith("<?xml")) {
            return text.toLowerCase(Locale.ROOT).contains("<html") ? "application/xhtml+xml" : "text/xml";
        }
        if (text.startsWith("<!--") || HTML_TAGS.stream().anyMatch(tag -> tagged(text, tag))) {
            return HTML;
        }
        return first(DOCUMENTS, head).or(() -> Optional.of(TEXT).filter(_ -> mark > 0)).or(() -> first(IMAGES, head))
                .or(() -> first(MEDIA, head)).or(() -> first(ARCHIVES, head)).orElseGet(() -> textOrBinary(body));
    }

    private static boolean tagged(String text, String tag) {
        return text.length() > tag.length() && (text.charAt(tag.length()) == ' ' || text.charAt(tag.length()) == '>')
                && text.regionMatches(true, 0, tag, 0, tag.length());
    }

    private static Optional<String> first(List<Magic> family, String head) {
        return family.stream().filter(magic -> magic.matches(head)).findFirst().map(Magic::type);
    }

    private static String textOrBinary(byte[] body) {
        return DecodedText.mark(body) > 0 || head(body, 0).chars().noneMatch(MediaTypes::binary) ? TEXT : BINARY;
    }

    private static boolean binary(int c) {
        return c < 0x09 || c == 0x0B || c >= 0x0E && c <= 0x1A || c >= 0x1C && c <= 0x1F;
    }

    /** Feeds that are declared as HTML (section 7.3). */
    private static final class FeedSniffer {
        private static final String RSS = "http://purl.org/rss/1.0/";
        private static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

        private FeedSniffer() {}

        static Optional<String> feed(String head) {
            int at = head.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
            while (at < head.length()) {
                if (Character.isWhitespace(head.charAt(at))) {
                    at++;
                } else if (head.startsWith("<!--", at)) {
                    at = behind(head, "-->", at);
                } else if (head.startsWith("<!", at)) {
                    at = behind(head, ">", at);
                } else if (head.startsWith("<?", at)) {
                    at = behind(head, "?>", at);
                } else {
                    return root(head, at);
                }
            }
            return Optional.empty();
        }

        private static int behind(String head, String end, int at) {
            int found = head.indexOf(end, at);
            return found < 0 ? head.length() : found + end.length();
        }

        private static Optional<String> root(String head, int at) {
            if (head.startsWith("<rss", at)) {
                return Optional.of("application/rss+xml");
            }
            if (head.startsWith("<feed", at)) {
                return Optional.of("application/atom+xml");
            }
            return head.startsWith("<rdf:RDF", at) && head.indexOf(RSS, at) >= 0 && head.indexOf(RDF, at) >= 0
                    ? Optional.of("application/rss+xml")
                    : Optional.empty();
        }
    }
}
