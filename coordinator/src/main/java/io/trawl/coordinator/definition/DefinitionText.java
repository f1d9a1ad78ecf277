package io.trawl.coordinator.definition;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.CrawlId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A definition as it was written, in YAML or JSON. Both are read into the same tree, and each value has a path such as
 * {@code seeds[3].priority}. Immutable as long as its bytes are.
 *
 * @param bytes in UTF-8
 * @param syntax how to read them
 */
public record DefinitionText(byte[] bytes, Syntax syntax) {
    /** The languages of definitions. */
    public enum Syntax {
        /** RFC 8259. */
        JSON,
        /** YAML, with the scalars of the core schema of YAML 1.2: {@code no} and {@code 12:30} are texts. */
        YAML
    }

    /** The largest file, in bytes, as that of a call. */
    private static final int LARGEST = 1 << 20;
    private static final Pattern FILE = Pattern.compile("[^.].*\\.(ya?ml|json)");

    /** Where something was written, from 1. */
    record Place(int line, int column) {}

    /** A text in JSON. */
    public static DefinitionText json(byte[] bytes) {
        return new DefinitionText(bytes, Syntax.JSON);
    }

    /** A text in YAML. */
    public static DefinitionText yaml(byte[] bytes) {
        return new DefinitionText(bytes, Syntax.YAML);
    }

    /**
     * Whether this is a crawl file by its name: {@code docs.yaml}, {@code docs.yml} or {@code docs.json}, not hidden.
     */
    public static boolean isCrawlFile(Path file) {
        return FILE.matcher(String.valueOf(file.getFileName())).matches();
    }

    /**
     * The crawl that a file defines: its name without the ending.
     *
     * @throws io.trawl.model.InvalidValueException if that is not the name of a crawl
     */
    public static CrawlId crawl(Path file) {
        return new CrawlId(String.valueOf(file.getFileName()).replaceFirst("\\.(ya?ml|json)$", ""));
    }

    /** The content of a file: so much that a larger one is seen to be too large. */
    public static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST + 1);
        }
    }

    /**
     * The text of a file. A name that ends with {@code .json} is JSON, any other YAML.
     *
     * @throws MalformedRecordException if it is too large
     */
    public static DefinitionText of(Path file, byte[] bytes) {
        if (bytes.length > LARGEST) {
            throw new MalformedRecordException(
                    new Fault("", "more than " + LARGEST + " bytes", "at most " + LARGEST + " bytes"));
        }
        return file.toString().endsWith(".json") ? json(bytes) : yaml(bytes);
    }

    /**
     * The tree.
     *
     * @param faults receives what is wrong with single fields: names that are there twice
     * @throws MalformedRecordException if it is no object, or too large
     */
    ObjectNode tree(FaultCollector faults) {
        return syntax == Syntax.JSON
                ? Json.readBounded(bytes, ObjectNode.class)
                : new YamlReader(text(), Set.of(), faults).read();
    }

    /**
     * The places of these paths: of a field that of its name, and of an element of a list its beginning. A path that is
     * not written has none.
     */
    Map<String, Place> places(Set<String> paths) {
        if (syntax == Syntax.JSON) {
            return new JsonPlaces(paths).of(text());
        }
        YamlReader reader = new YamlReader(text(), paths, new FaultCollector());
        reader.read();
        return reader.places();
    }

    private String text() {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new MalformedRecordException(new Fault("", "its bytes", syntax + " in UTF-8"));
        }
    }

    /** The path of a field of an object. A name without characters is seen by its quotes. */
    static String path(String object, String name) {
        return (object.isEmpty() ? "" : object + ".") + (name.isEmpty() ? "\"\"" : name);
    }

    /** The path of an element of a list. */
    static String path(String list, int index) {
        return list + "[" + index + "]";
    }

    /** Finds the places of paths in JSON that has been read before. Not thread-safe. */
    private static final class JsonPlaces {
        private final Set<String> wanted;
        private final Map<String, Place> found = new HashMap<>();
        private final Deque<Level> levels = new ArrayDeque<>(List.of(new Level("", false)));
        private String name = "";

        /** An object or a list that is being read. */
        private static final class Level {
            private final String path;
            private final boolean list;
            private int next;

            Level(String path, boolean list) {
                this.path = path;
                this.list = list;
            }
        }

        JsonPlaces(Set<String> wanted) {
            this.wanted = wanted;
        }

        Map<String, Place> of(String text) {
            try (JsonParser in = Json.mapper().createParser(text)) {
                for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                    take(token, in);
                }
            } catch (IOException e) {
                // It was JSON before: what is found is right.
            }
            return found;
        }

        private void take(JsonToken token, JsonParser in) throws IOException {
            if (token == JsonToken.FIELD_NAME) {
                name = path(levels.getFirst().path, in.currentName());
                note(name, in.currentTokenLocation());
            } else if (token.isStructEnd()) {
                levels.removeFirst();
            } else {
                Level level = levels.getFirst();
                String path = level.list ? path(level.path, level.next++) : name;
                if (level.list) {
                    note(path, in.currentTokenLocation());
                }
                if (token.isStructStart()) {
                    levels.addFirst(new Level(path, token == JsonToken.START_ARRAY));
                }
            }
        }

        private void note(String path, JsonLocation at) {
            if (wanted.contains(path)) {
                found.put(path, new Place(at.getLineNr(), at.getColumnNr()));
            }
        }
    }
}
