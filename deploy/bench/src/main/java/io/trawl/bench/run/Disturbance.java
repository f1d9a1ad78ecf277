package io.trawl.bench.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * What some hosts take from others: pairs of runs on fresh servers, one in which the others are alone and one in which
 * they are disturbed. What they keep of their rate, in the median of the pairs, must be as much as is promised.
 *
 * @param <C> a case: what disturbs
 */
abstract class Disturbance<C> extends Benchmark {
    @Option(names = "--pairs", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int pairs;

    /**
     * The figures of one run.
     *
     * @param rate of the hosts that are, or may be, disturbed
     * @param others by their names in the table
     */
    record Measured(double rate, Map<String, Object> others) {}

    /** The cases, in blocks that share the runs without a disturbance. */
    abstract List<List<C>> blocks();

    /** What the others must keep of their rate. */
    abstract double required(C each);

    /** Measures one run, with what disturbs in this case or without it. */
    abstract Measured run(C each, boolean disturbed) throws InterruptedException;

    /** The name of a case in the table. */
    String name(C each) {
        return each.toString();
    }

    @Override
    boolean measure(Results results) throws InterruptedException {
        boolean asRequired = true;
        for (List<C> block : blocks()) {
            Map<C, List<Double>> kept = new LinkedHashMap<>();
            for (int pair = 1; pair <= pairs; pair++) {
                round(block, pair, results)
                        .forEach((each, part) -> kept.computeIfAbsent(each, _ -> new ArrayList<>()).add(part));
            }
            for (Map.Entry<C, List<Double>> each : kept.entrySet()) {
                double median = Quantiles.median(each.getValue());
                results.row("beside", name(each.getKey()), "pair", "median", "kept", median);
                asRequired &= median >= required(each.getKey());
            }
        }
        return asRequired;
    }

    /** One run of each case, and one alone: before the others and after them, in turn. */
    private Map<C, Double> round(List<C> block, int pair, Results results) throws InterruptedException {
        boolean aloneFirst = pair % 2 == 1;
        Map<C, Measured> beside = new LinkedHashMap<>();
        List<Measured> alone = new ArrayList<>(1);
        if (aloneFirst) {
            alone.add(run(block.getFirst(), false));
        }
        for (C each : block) {
            beside.put(each, run(each, true));
        }
        if (!aloneFirst) {
            alone.add(run(block.getFirst(), false));
        }
        Map<C, Double> kept = new LinkedHashMap<>();
        beside.forEach((each, measured) -> {
            kept.put(each, measured.rate() / alone.getFirst().rate());
            row(results, each, pair, alone.getFirst(), measured);
        });
        return kept;
    }

    private void row(Results results, C each, int pair, Measured alone, Measured beside) {
        List<Object> row = new ArrayList<>(List.of("beside", name(each), "pair", pair, "alone/s", alone.rate(),
                "beside/s", beside.rate(), "kept", beside.rate() / alone.rate()));
        alone.others().forEach((figure, value) -> row.addAll(List.of(figure + " alone", value)));
        beside.others().forEach((figure, value) -> row.addAll(List.of(figure, value)));
        results.row(row.toArray());
    }
}
