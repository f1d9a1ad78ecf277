package io.trawl.bench.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The word F1 of earlier runs, and of other programs as published in the repositories of the corpora.
 *
 * @param names of the programs, in the order of columns
 * @param rows by type of page
 */
record StoredScores(List<String> names, Map<String, List<String>> rows) {
    private static final String FILE = "/text/scores.csv";

    /** The stored scores of a corpus. The file has the corpus, the type, and a column for each program. */
    static StoredScores of(String corpus) throws IOException {
        List<String> lines;
        try (InputStream in = StoredScores.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IOException("no resource " + FILE);
            }
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        List<String> names = cells(lines.getFirst());
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            if (cells.getFirst().equals(corpus)) {
                rows.put(cells.get(1), cells.subList(2, cells.size()));
            }
        }
        return new StoredScores(names.subList(2, names.size()), rows);
    }

    private static List<String> cells(String line) {
        return List.of(line.split(",", -1));
    }

    /** In the order of the names; empty where nothing is known. */
    List<String> f1(String type) {
        List<String> none = new ArrayList<>();
        names.forEach(name -> none.add(""));
        return rows.getOrDefault(type, none);
    }
}
