package io.trawl.pipeline.opensearch;

import io.trawl.codec.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The template of an index: the types of the fields that Trawl writes. Fields of extraction rules get their types from
 * the first value. No text is taken for a date, and a value that is no number where numbers are is left out of the
 * index, not the document with it. The index knows the versions of documents that are deleted for an hour, so that no
 * process that was paused brings one back.
 */
final class IndexTemplate {
    /** Below those that people write, which have 0 or more than this. */
    private static final int PRIORITY = 7;
    private static final int LONGEST_KEYWORD = 8191;
    private static final Map<String, Object> KEYWORD = Map.of("type", "keyword", "ignore_above", LONGEST_KEYWORD);
    private static final Map<String, Object> LONG = Map.of("type", "long");
    private static final Map<String, Object> DATE = Map.of("type", "date");
    private static final Map<String, Object> TRUTH = Map.of("type", "boolean");
    private static final Map<String, Object> TEXT = Map.of("type", "text");
    private static final Map<String, Object> NOT_SEARCHED = Map.of("type", "keyword", "index", false, "doc_values",
            false);

    private IndexTemplate() {}

    /** The template of the index with this name, as JSON. */
    static String of(String index) {
        return Json.text(Map.of("index_patterns", List.of(index), "priority", PRIORITY, "template",
                Map.of("settings", Map.of("index.mapping.ignore_malformed", true, "index.gc_deletes", "1h"), "mappings",
                        Map.of("date_detection", false, "properties", properties()))));
    }

    private static Map<String, Object> properties() {
        Map<String, Object> fields = new TreeMap<>();
        List.of("id", "key", "crawl", "url", "kind", "reason", "mid", "parent", "method", "contentType", "encoding",
                "noText", "sha256", "etag", "cuts", "parser", "type", "change", "changedFields", "previous", "movedTo",
                "lang", "canonical", "author", "siteName", "pageType", "image", "links")
                .forEach(field -> fields.put(field, KEYWORD));
        List.of("epoch", "status", "depth", "responseTime", "attempts", "bytes", "ordinal", "visit")
                .forEach(field -> fields.put(field, LONG));
        List.of("fetchedAt", "lastModified", "published", "modified").forEach(field -> fields.put(field, DATE));
        fields.put("languageConfidence", Map.of("type", "float"));
        List.of("truncated", "noindex").forEach(field -> fields.put(field, TRUTH));
        List.of("text", "markdown", "description", "cause").forEach(field -> fields.put(field, TEXT));
        fields.put("title", Map.of("type", "text", "fields", Map.of("keyword", KEYWORD)));
        fields.put("requestBody", NOT_SEARCHED);
        fields.put("redirects", Map.of("properties", Map.of("url", KEYWORD, "status", LONG)));
        fields.put("anchors", Map.of("properties", Map.of("url", KEYWORD, "text", TEXT, "rel", KEYWORD)));
        fields.put("render", Map.of("properties", Map.of("ms", LONG, "requests", LONG, "partial", TRUTH, "refused",
                Map.of("properties", Map.of("url", KEYWORD, "reason", KEYWORD)))));
        fields.put("metadata", Map.of("type", "flat_object"));
        return fields;
    }
}
