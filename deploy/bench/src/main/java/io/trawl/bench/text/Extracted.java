package io.trawl.bench.text;

import io.trawl.analyzer.extract.TextExtraction;
import io.trawl.analyzer.extract.TextRule;
import io.trawl.bench.text.TextCorpus.MarkedPage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The texts of a corpus and what they cost.
 *
 * @param texts by page
 * @param nanos of CPU time by page, parsing included
 */
record Extracted(Map<String, String> texts, Map<String, Long> nanos) {
    private static final int MOST_NODES = 250_000;

    /**
     * Extracts all texts several times, as crawls do, in this thread; the times are those of the last round, in which
     * the code is compiled.
     */
    static Extracted of(List<MarkedPage> pages, int rounds, Set<TextRule> without) throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        TextExtraction extraction = new TextExtraction(MOST_NODES, without);
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, Long> nanos = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (MarkedPage page : pages) {
                String html = page.html();
                long began = threads.getCurrentThreadCpuTime();
                texts.put(page.id(), extraction.of(html));
                nanos.put(page.id(), threads.getCurrentThreadCpuTime() - began);
            }
        }
        return new Extracted(texts, nanos);
    }

    /** The number of pages whose text is empty, though they have one, by type and in all. */
    Map<String, Integer> empty(List<MarkedPage> pages) {
        Map<String, Integer> empty = new TreeMap<>();
        for (MarkedPage page : pages) {
            int one = page.hasText() && texts.getOrDefault(page.id(), "").isBlank() ? 1 : 0;
            empty.merge(page.type(), one, Integer::sum);
            empty.merge(TextCorpus.ALL, one, Integer::sum);
        }
        return empty;
    }

    /** The mean CPU time of a page in milliseconds, by type and of all. */
    Map<String, Double> milliseconds(List<MarkedPage> pages) {
        Map<String, long[]> sums = new TreeMap<>();
        for (MarkedPage page : pages) {
            for (String type : List.of(page.type(), TextCorpus.ALL)) {
                long[] sum = sums.computeIfAbsent(type, key -> new long[2]);
                sum[0] += nanos.getOrDefault(page.id(), 0L);
                sum[1]++;
            }
        }
        Map<String, Double> means = new TreeMap<>();
        sums.forEach((type, sum) -> means.put(type, sum[0] / 1e6 / sum[1]));
        return means;
    }
}
