package io.trawl.bench.text;

import io.trawl.analyzer.extract.TextRule;
import io.trawl.bench.text.TextCorpus.MarkedPage;
import io.trawl.bench.text.TextCorpus.Score;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Runs the extraction of main text on a corpus and compares the scores with stored ones. */
public final class TextBenchmark {
    private final TextCorpus corpus;
    private final Path results;

    /**
     * @param folder of the corpus
     * @param part of it, if it has parts
     * @param results an existing folder for files of the results
     * @throws IllegalArgumentException if it is no known corpus
     */
    public TextBenchmark(Path folder, String part, Path results) {
        this.corpus = TextCorpus.in(folder, part);
        this.results = results;
    }

    /**
     * A table by type of page in Markdown: scores, empty texts, CPU time, and the F1 of the stored runs.
     *
     * @param rounds CPU times are those of the last one
     * @param without the heuristics to leave out
     */
    public List<String> run(int rounds, Set<TextRule> without) throws IOException, InterruptedException {
        List<MarkedPage> pages = corpus.pages();
        Extracted extracted = Extracted.of(pages, rounds, without);
        Map<String, Score> scores = corpus.scores(extracted.texts(), results);
        StoredScores stored = StoredScores.of(corpus.name());
        Map<String, Integer> empty = extracted.empty(pages);
        Map<String, Double> milliseconds = extracted.milliseconds(pages);
        List<String> lines = new ArrayList<>();
        lines.add("Results in " + results);
        lines.add("| " + corpus.name() + " | F1 | precision | recall | empty | CPU ms | "
                + String.join(" | ", stored.names()) + " |");
        lines.add("|---".repeat(6 + stored.names().size()) + "|");
        scores.forEach((type,
                score) -> lines.add(String.format(Locale.ROOT, "| %s | %.3f | %.3f | %.3f | %d | %.2f | %s |", type,
                        score.f1(), score.precision(), score.recall(), empty.getOrDefault(type, 0),
                        milliseconds.getOrDefault(type, 0.0), String.join(" | ", stored.f1(type)))));
        return lines;
    }
}
