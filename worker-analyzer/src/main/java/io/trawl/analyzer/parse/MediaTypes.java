package io.trawl.analyzer.parse;

import io.trawl.analyzer.charset.DecodedText;
import io.trawl.model.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Determines the media type of a body from its {@code Content-Type} or, if that is missing or malformed, from its first
 * bytes. The patterns are the common ones of the WHATWG MIME Sniffing Standard, section 7.
 */
final class MediaTypes {
    private static final String HTML = "text/html";
    private static final String XHTML = "application/xhtml+xml";
    private static final Pattern FORM = Pattern.compile("[!#$%&'*+.^_`|~0-9a-z-]+/[!#$%&'*+.^_`|~0-9a-z-]+");
    private static final int LOOK_AT = 512;
    private static final int LONGEST_HEADER = 1024;
    private static final List<String> HTML_BEGINS = List.of("<!doctype html", "<html", "<head", "<body", "<title", "<meta",
            "<script", "<style", "<link",
            "<div", "<p>", "<p ", "<a ", "<h1", "<table", "<br", "<font", "<iframe", "<!--");
    private static final Map<String, String> MAGIC = Map.of("%PDF-", "application/pdf", "\u0089PNG\r\n", "image/png", "GIF8",
            "image/gif", "\u00FF\u00D8\u00FF",
            "image/jpeg", "PK\u0003\u0004", "application/zip", "\u001F\u008B\b", "application/gzip", "<?xml", "text/xml",
            "%!PS-Adobe-", "application/postscript");

    private MediaTypes() {}

    /** The media type in lower case without parameters, for example {@code text/html}. */
    static String of(Response response) {
        String header = header(response);
        String type = header.split("[;,]", 2)[0].strip().toLowerCase(Locale.ROOT);
        return FORM.matcher(type).matches() ? type : sniff(response.body().bytes());
    }

    /** The beginning of {@code Content-Type}, which has everything that a server may declare there. */
    static String header(Response response) {
        String header = response.header("content-type");
        return header.length() > LONGEST_HEADER ? header.substring(0, LONGEST_HEADER) : header;
    }

    private static String sniff(byte[] body) {
        int start = DecodedText.mark(body);
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
