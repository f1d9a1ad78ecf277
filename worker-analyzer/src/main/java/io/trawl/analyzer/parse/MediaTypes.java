package io.trawl.analyzer.parse;

import io.trawl.model.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What kind of document a body is: what its {@code Content-Type} says, or, if that says nothing usable, what its first bytes look like. The patterns
 * are the common ones of the WHATWG MIME Sniffing Standard, section 7.
 */
public final class MediaTypes {
    /** HTML. */
    public static final String HTML = "text/html";
    /** HTML in XML syntax. */
    public static final String XHTML = "application/xhtml+xml";
    private static final Pattern FORM = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+");
    private static final int LOOK_AT = 512;
    private static final List<String> HTML_BEGINS = List.of("<!doctype html", "<html", "<head", "<body", "<title", "<meta",
            "<script", "<style", "<link",
            "<div", "<p>", "<p ", "<a ", "<h1", "<table", "<br", "<font", "<iframe", "<!--");
    private static final Map<String, String> MAGIC = Map.of("%PDF-", "application/pdf", "\u0089PNG\r\n", "image/png", "GIF8",
            "image/gif", "\u00FF\u00D8\u00FF",
            "image/jpeg", "PK\u0003\u0004", "application/zip", "\u001F\u008B\b", "application/gzip", "<?xml", "text/xml",
            "%!PS-Adobe-", "application/postscript");

    private MediaTypes() {}

    /** The media type in lower case without parameters, for example {@code text/html}. */
    public static String of(Response response) {
        String said = response.header("content-type");
        String type = said.split("[;,]", 2)[0].strip().toLowerCase(Locale.ROOT);
        return FORM.matcher(type).matches() ? type : sniff(response.body().bytes());
    }

    /** Whether a page of this media type is read as HTML. */
    public static boolean isHtml(String mediaType) {
        return mediaType.equals(HTML) || mediaType.equals(XHTML);
    }

    private static String sniff(byte[] body) {
        int start = Charsets.byteOrderMark(body).map(Charsets.Mark::length).orElse(0);
        String begin = new String(body, start, Math.min(body.length - start, LOOK_AT), StandardCharsets.ISO_8859_1);
        for (Map.Entry<String, String> magic : MAGIC.entrySet()) {
            if (begin.startsWith(magic.getKey())) {
                return magic.getValue().equals("text/xml") && begin.toLowerCase(Locale.ROOT).contains("<html")
                        ? XHTML
                        : magic.getValue();
            }
        }
        String text = begin.stripLeading().toLowerCase(Locale.ROOT);
        if (HTML_BEGINS.stream().anyMatch(text::startsWith)) {
            return HTML;
        }
        return begin.chars().anyMatch(MediaTypes::binary) ? "application/octet-stream" : "text/plain";
    }

    private static boolean binary(int c) {
        return c < 0x09 || c == 0x0B || (c >= 0x0E && c <= 0x1A) || (c >= 0x1C && c <= 0x1F);
    }
}
