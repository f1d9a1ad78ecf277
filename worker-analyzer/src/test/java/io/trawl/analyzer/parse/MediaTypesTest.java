package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {"Text/HTML; charset=x|%PDF-1.4|text/html",
            "application/json|<html>|application/json", "-|<!DOCTYPE html><p>|text/html",
            "-|\u00EF\u00BB\u00BF  <HTML>|text/html", "-|<!-- c --><p>|text/html", "-|%PDF-1.7|application/pdf",
            "-|\u0089PNG\\r\\n\u001a\\n|image/png", "-|just words|text/plain", "-|a\\0b|application/octet-stream",
            "-|<?xml version='1.0'?><html xmlns='x'>|application/xhtml+xml", "-|<?xml version='1.0'?><rss>|text/xml",
            "html|<p class=x>|text/html", "text/html, text/html|x|text/html", "-|''|text/plain",
            "*/*|<!doctype html>|text/html", "application/unknown|<title>t|text/html", "Unknown/Unknown|x|text/plain",
            "text/plain, text/html|x|text/html", "text/html, */*|x|text/html", "text/html, nonsense|x|text/html",
            "text/html,charset=utf-8|x|text/html", "text/plain; a=\"x, image/png\"|x|text/plain",
            "text/plain; a=\"x, image/png; y\"|x|text/plain", "text/plain; a=\"x\\\", image/png; y\"|x|text/plain",
            "-|\u00EF\u00BB\u00BFGIF89a|text/plain", "text/html, application/pdf|<p>|application/pdf",
            "text/|<p>|text/html", "/html|<p>|text/html", "a/b/c|<p>|text/html",
            "text/html|<?xml version='1.0'?><!-- c --> <rss version='2.0'>|application/rss+xml",
            "text/html|<feed xmlns='http://www.w3.org/2005/Atom'>|application/atom+xml",
            "text/html|<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>|application/rss+xml",
            "text/html|<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>|text/html",
            "image/svg+xml|GIF89a|image/svg+xml", "text/html|<!-- <rss> --><p>|text/html",
            "text/plain|a\\0b|application/octet-stream", "text/plain; charset=UTF-8|a\\0b|application/octet-stream",
            "text/plain; charset=x|a\\0b|text/plain", "text/plain|<html>|text/plain", "-|<bold>|text/plain",
            "-|<b>|text/html", "-|\u00FE\u00FF\\0a|text/plain", "image/png|GIF89a|image/gif",
            "image/svg+xml|<svg>|image/svg+xml", "audio/x|RIFFxxxxWAVE|audio/wave"})
    void theTypeOfABodyIsThatOfItsHeaderOrElseOfItsFirstBytes(String header, String body, String expected) {
        String text = body.replace("\\0", "\0").replace("\\r", "\r").replace("\\n", "\n");
        assertThat(MediaTypes
                .of(Fixtures.page("http://example.org/", header == null ? Map.of() : Map.of("content-type", header),
                        text.getBytes(StandardCharsets.ISO_8859_1))))
                .isEqualTo(expected);
    }

    /** The standard's binary data bytes. */
    @Test
    void aBodyWithAControlCharacterThatNoTextHasIsBinary() {
        for (byte c = 0; c < ' '; c++) {
            boolean text = c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0x1B;
            byte[] body = {'a', c, 'b'};
            for (Map<String, String> headers : List.of(Map.<String, String>of(),
                    Map.of("content-type", "text/plain"))) {
                assertThat(MediaTypes.of(Fixtures.page("http://example.org/", headers, body))).as("%d %s", c, headers)
                        .isEqualTo(text ? "text/plain" : "application/octet-stream");
            }
        }
    }

    /** A server that says {@code nosniff} means what it says; without a type there is nothing to mean. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"text/plain,text/plain", "-,text/html", "*/*,text/html"})
    void aTypeThatMustNotBeSniffedCounts(String header, String expected) {
        Map<String, String> headers = new HashMap<>(Map.of("x-content-type-options", "NoSniff, x"));
        Optional.ofNullable(header).ifPresent(type -> headers.put("content-type", type));
        byte[] body = "<html>\0".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(MediaTypes.of(Fixtures.page("http://example.org/", headers, body))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"text/html; charset=a|a", "text/html; charset=a, text/html|a",
            "text/html; charset=a, text/html; charset=b|b", "text/html; charset=a, text/html;x=y|a",
            "text/plain; charset=a, text/html|", "*/*; charset=a|", "text/html; charset=a, */*|a"})
    void theCharsetIsThatOfTheTypeThatCounts(String header, @Nullable String charset) {
        String value = MediaTypes
                .header(Fixtures.page("http://example.org/", Map.of("content-type", header), new byte[0]));
        assertThat(value.contains("charset=") ? value.replaceFirst(".*charset=", "") : null).isEqualTo(charset);
    }

    @Property
    void noHeaderAndNoBodyCauseAnException(@ForAll String header, @ForAll String other, @ForAll byte[] body) {
        for (String value : List.of(header, header + "/" + other, "text/html, " + header,
                header + ", text/html;" + other)) {
            assertThat(MediaTypes.of(Fixtures.page("http://example.org/", Map.of("content-type", value), body)))
                    .matches("[^/]+/[^/]+");
        }
    }
}
