package io.trawl.bench.text;

import io.trawl.bench.text.TextCorpus.Score;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tables that the script of WCXB prints. */
final class WcxbTables {
    private static final Pattern OVERALL = Pattern
            .compile("Precision:\\s+([\\d.]+)\\s+Recall:\\s+([\\d.]+)\\s+F1:\\s+([\\d.]+)");
    private static final Pattern TYPE = Pattern
            .compile("(?m)^\\s+([a-z]+)\\s+\\d+\\s+([\\d.]+)\\s+([\\d.]+)\\s+([\\d.]+)\\s*$");

    private WcxbTables() {}

    /** @throws IllegalArgumentException if it has printed something else */
    static Map<String, Score> read(String printed) {
        Matcher overall = OVERALL.matcher(printed);
        if (!overall.find()) {
            throw new IllegalArgumentException("evaluate.py has printed no overall score: " + printed.strip());
        }
        Map<String, Score> scores = new LinkedHashMap<>();
        for (Matcher type = TYPE.matcher(printed); type.find();) {
            scores.put(type.group(1), score(type.group(2), type.group(3), type.group(4)));
        }
        scores.put(TextCorpus.ALL, score(overall.group(3), overall.group(1), overall.group(2)));
        return scores;
    }

    private static Score score(String f1, String precision, String recall) {
        return new Score(Double.parseDouble(f1), Double.parseDouble(precision), Double.parseDouble(recall));
    }
}
