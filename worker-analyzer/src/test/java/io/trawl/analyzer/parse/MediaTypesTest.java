package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {"Text/HTML; charset=x|%PDF-1.4|text/html",
            "application/json|<html>|application/json",
            "-|<!DOCTYPE html><p>|text/html", "-|\u00EF\u00BB\u00BF  <HTML>|text/html", "-|<!-- c --><p>|text/html",
            "-|%PDF-1.7|application/pdf",
            "-|\u0089PNG\\r\\n|image/png", "-|just words|text/plain", "-|a\\0b|application/octet-stream",
            "-|<?xml version='1.0'?><html xmlns='x'>|application/xhtml+xml",
            "-|<?xml version='1.0'?><rss>|text/xml", "html|<p class=x>|text/html", "text/html, text/html|x|text/html",
            "-|''|text/plain"})
    void theTypeOfABodyIsThatOfItsHeaderOrElseOfItsFirstBytes(String header, String body, String expected) {
        String text = body.replace("\\0", "\0").replace("\\r", "\r").replace("\\n", "\n");
        assertThat(MediaTypes.of(Fixtures.page("http://example.org/", header == null ? Map.of() : Map.of("content-type", header),
                text.getBytes(StandardCharsets.ISO_8859_1)))).isEqualTo(expected);
    }
}
