package io.trawl.pipeline.chunk;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.model.Sha256;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The chunks of an item, in the form of items, so that every sink can store them: they have its run, and fields of
 * their own. A function of the item and the rules. Stateless.
 */
public final class ItemChunks {
    private static final String MARKDOWN = "markdown";
    private static final String TEXT = "text";
    private static final String TITLE = "title";
    /** With the run, these and the URL tell items apart. Not the epoch: the next run has the same chunks. */
    private static final List<String> IDENTITY = List.of("method", "requestBody", "type", "parser", "ordinal");
    private static final int ID_DIGITS = 32;

    private ItemChunks() {}

    /**
     * The chunks of the Markdown of an item, or else of its text, in their order; none if it has neither, or is an
     * error.
     */
    public static List<Item> of(Item item, ChunkRules rules) {
        List<Item> chunks = new ArrayList<>();
        Map<String, Integer> equal = new HashMap<>();
        String page = page(item);
        for (TextChunk chunk : cut(item, rules)) {
            int number = equal.merge(chunk.own(), 1, Integer::sum);
            chunks.add(chunk(item, chunk, chunks.size() + 1,
                    Sha256.hex(page + number + '\n' + chunk.own()).substring(0, ID_DIGITS)));
        }
        return chunks;
    }

    private static List<TextChunk> cut(Item item, ChunkRules rules) {
        if (item.kind() == ItemKind.ERROR) {
            return List.of();
        }
        Locale locale = language(item).map(Locale::forLanguageTag).orElse(Locale.ROOT);
        if (item.fields().get(MARKDOWN) instanceof String markdown) {
            return TextChunker.ofMarkdown(markdown, HeadingAnchors.of(item.fields().get("headingIds")), rules.most(),
                    rules.repeated(), locale);
        }
        if (!(item.fields().get(TEXT) instanceof String text)) {
            return List.of();
        }
        // The text of a Markdown file is the file.
        return String.valueOf(item.fields().get("contentType")).startsWith("text/markdown")
                ? TextChunker.ofMarkdown(text, HeadingAnchors.of(null), rules.most(), rules.repeated(), locale)
                : TextChunker.ofPlainText(text, rules.most(), rules.repeated(), locale);
    }

    private static Optional<String> language(Item item) {
        return Stream.of("detectedLanguage", "lang").map(item.fields()::get).filter(String.class::isInstance)
                .map(String.class::cast).findFirst();
    }

    private static String page(Item item) {
        return IDENTITY.stream().map(field -> String.valueOf(item.fields().getOrDefault(field, "")))
                .collect(Collectors.joining("\n", item.crawl() + '\n' + item.url() + '\n', "\n"));
    }

    private static Item chunk(Item item, TextChunk chunk, int ordinal, String id) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("page", item.id());
        if (item.fields().get(TITLE) instanceof String title) {
            fields.put(TITLE, title);
        }
        fields.put("ordinal", ordinal);
        fields.put("headings", chunk.headings());
        fields.put(TEXT, chunk.text());
        fields.put("tokens", chunk.tokens());
        if (!chunk.pages().isEmpty()) {
            fields.put("pages", chunk.pages());
        }
        language(item).ifPresent(language -> fields.put("language", language));
        fields.put("sha256", Sha256.hex(chunk.text()));
        return new Item(id, id, item.run(), ItemKind.PAGE,
                chunk.fragment().map(fragment -> item.url() + '#' + fragment).orElse(item.url()), fields);
    }
}
