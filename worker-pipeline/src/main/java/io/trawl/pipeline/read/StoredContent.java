package io.trawl.pipeline.read;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.extract.ItemSchema;
import io.trawl.model.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a comparison of runs needs of a stored item or error.
 *
 * @param key of the item
 * @param id empty if the line has none
 * @param status the HTTP status; 0 if the line has none
 * @param change what a refresh says of it; empty if it says nothing
 * @param redirects the URLs of the redirects that led to it
 * @param name what a person knows it by: its type or parser, its ordinal, and its title; of a further item without
 * title the first text that is its own. One short line; empty if it has none of them
 * @param digest 32 hexadecimal digits that are equal for equal contents. The content of a page is title and text, or
 * its bytes if it has no text; that of a further item its own fields, title and text. What templates add is no content.
 */
public record StoredContent(String key, String id, String url, int status, String change, List<String> redirects,
        String name, String digest) {
    private static final int DIGITS = 32;
    private static final int LONGEST_NAME = 80;
    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}]+");
    /** In the place of a name of a field: the first text that an item has of its own. */
    private static final String OWN_TEXT = "";

    public StoredContent {
        redirects = List.copyOf(redirects);
    }

    /** Reads a line in one pass; empty if it is no JSON object with key and URL. */
    public static Optional<StoredContent> of(byte[] line) throws IOException {
        try (JsonParser json = Json.mapper().createParser(line)) {
            return read(json, line);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Optional<StoredContent> read(JsonParser json, byte[] line) throws IOException {
        Map<String, String> known = new HashMap<>();
        Map<String, String> own = new TreeMap<>();
        List<String> redirects = List.of();
        json.nextToken();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "key", "id", "url", "status", "change", "type", "parser", "ordinal", "title", "sha256" ->
                    known.put(name, json.getValueAsString(""));
                case "text" -> {
                    known.put(name, json.getValueAsString(""));
                    known.putIfAbsent(OWN_TEXT, known.get(name));
                }
                case "redirects" -> redirects = urls(json.readValueAsTree());
                default -> {
                    if (ItemSchema.RESERVED.contains(name)) {
                        json.skipChildren();
                    } else {
                        if (json.currentToken() == JsonToken.VALUE_STRING && !known.containsKey(OWN_TEXT)) {
                            known.put(OWN_TEXT, json.getText());
                        }
                        own.put(name, written(json, line));
                    }
                }
            }
        }
        String key = known.getOrDefault("key", "");
        String url = known.getOrDefault("url", "");
        return key.isEmpty() || url.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredContent(key, known.getOrDefault("id", ""), url, status(known),
                        known.getOrDefault("change", ""), redirects, name(known),
                        Sha256.hex(content(known, own)).substring(0, DIGITS)));
    }

    /**
     * The value as it is written: most lines do not need it, and a tree of the links of a page takes longest of all.
     */
    private static String written(JsonParser json, byte[] line) throws IOException {
        int from = (int) json.currentTokenLocation().getByteOffset();
        json.finishToken();
        json.skipChildren();
        int to = (int) json.currentLocation().getByteOffset();
        return new String(line, from, to - from, StandardCharsets.UTF_8);
    }

    private static String content(Map<String, String> known, Map<String, String> own) {
        String read = known.getOrDefault("title", "") + '\n' + known.getOrDefault("text", "");
        if (known.containsKey("type") || known.containsKey("parser")) {
            return own + "\n" + read;
        }
        return known.getOrDefault("text", "").isBlank() ? known.getOrDefault("sha256", "") : read;
    }

    private static String name(Map<String, String> known) {
        String place = Stream.of("type", "parser", "ordinal").map(field -> known.getOrDefault(field, ""))
                .filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
        String title = known.getOrDefault("title", "");
        String words = title.isBlank() && !place.isEmpty() ? known.getOrDefault(OWN_TEXT, "") : title;
        String name = place + (place.isEmpty() || words.isBlank() ? "" : ", ") + words;
        int most = Math.min(name.length(), LONGEST_NAME);
        int end = most > 0 && Character.isHighSurrogate(name.charAt(most - 1)) ? most - 1 : most;
        return BLANKS.matcher(name.substring(0, end)).replaceAll(" ").strip() + (end < name.length() ? "…" : "");
    }

    private static int status(Map<String, String> known) {
        String status = known.getOrDefault("status", "");
        return status.matches("[0-9]{3}") ? Integer.parseInt(status) : 0;
    }

    /** Comma-separated values have the list as a text. */
    private static List<String> urls(JsonNode redirects) throws IOException {
        JsonNode list = redirects.isTextual() ? Json.mapper().readTree(redirects.asText()) : redirects;
        List<String> urls = new ArrayList<>();
        list.forEach(hop -> urls.add(hop.path("url").asText()));
        return urls;
    }
}
