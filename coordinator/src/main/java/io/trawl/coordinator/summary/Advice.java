package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.coordinator.queue.StageRates.MeasuredRate;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.SlotCount;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which stage limits the speed of a deployment, and how many more of its processes would do, from what was measured in
 * the last minutes.
 *
 * @param limit the kind of process that is the limit
 * @param live how many of them there are
 * @param rate what they do, in records a second
 * @param supply what the stage before them does while nothing holds it; absent if it is not known
 * @param more how many more of them would handle the supply, as far as the partitions allow; absent if the supply is
 * not known
 * @param partitions of their topic: more processes than that stand idle
 * @param text the advice as a sentence
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Advice(ModuleKind limit, int live, double rate, Optional<Double> supply, Optional<Integer> more,
        int partitions, String text) {
    /** A stage that does this share of the supply is not the limit. */
    private static final double ENOUGH = 0.95;
    /**
     * Downloaders with this share of their slots in use are the limit if hosts wait for one; with less, the pauses of
     * hosts are.
     */
    private static final double BUSY = 0.9;

    /**
     * The advice, if there is work.
     *
     * @param rates measured for each kind
     * @param partitions of the topics of each kind
     * @param waiting requests that are not answered
     */
    public static Optional<Advice> of(List<Registration> live, Map<ModuleKind, MeasuredRate> rates,
            Map<ModuleKind, Integer> partitions, long waiting) {
        if (holds(live, ModuleKind.ANALYZER, HoldReason.PIPELINES)) {
            return behind(ModuleKind.PIPELINE, ModuleKind.ANALYZER, "items", live, rates, partitions);
        }
        if (holds(live, ModuleKind.DOWNLOADER, HoldReason.ANALYZERS)) {
            return behind(ModuleKind.ANALYZER, ModuleKind.DOWNLOADER, "responses", live, rates, partitions);
        }
        int downloaders = count(live, ModuleKind.DOWNLOADER);
        // Something else than the speed of a stage holds the work up: a stop sign, or a stage without processes.
        boolean stands = rates.getOrDefault(ModuleKind.DOWNLOADER, MeasuredRate.NONE).rate() == 0
                || count(live, ModuleKind.ANALYZER) == 0 || count(live, ModuleKind.PIPELINE) == 0;
        return waiting == 0 || downloaders == 0 || stands
                ? Optional.empty()
                : fetching(live, downloaders, rates, partitions);
    }

    private static boolean holds(List<Registration> live, ModuleKind kind, HoldReason reason) {
        return live.stream().anyMatch(module -> module.mid().kind() == kind
                && module.state() instanceof HoldingFor(HoldReason why, var _) && why == reason);
    }

    private static Optional<Advice> behind(ModuleKind limit, ModuleKind before, String unit, List<Registration> live,
            Map<ModuleKind, MeasuredRate> rates, Map<ModuleKind, Integer> partitions) {
        int processes = count(live, limit);
        int allowed = partitions.getOrDefault(limit, 0);
        double rate = rates.getOrDefault(limit, MeasuredRate.NONE).rate();
        Optional<Double> supply = rates.getOrDefault(before, MeasuredRate.NONE).unheld().filter(all -> all > 0);
        if (processes == 0 || supply.filter(all -> rate >= ENOUGH * all).isPresent()) {
            return Optional.empty();
        }
        Optional<Integer> more = supply.filter(_ -> rate > 0).map(all -> Math
                .clamp((long) Math.ceil(processes * all / rate) - processes, 0, Math.max(0, allowed - processes)));
        String text = limit.word() + "s are the limit: " + number(rate)
                + supply.map(all -> " of " + number(all)).orElse("") + " " + unit + "/s; "
                + more.map(n -> n == 0 ? "no more would help" : n + " more would do").orElse("more would help") + "; "
                + allowed + " partitions allow " + allowed;
        return Optional.of(new Advice(limit, processes, rate, supply, more, allowed, text));
    }

    private static Optional<Advice> fetching(List<Registration> live, int downloaders,
            Map<ModuleKind, MeasuredRate> rates, Map<ModuleKind, Integer> partitions) {
        List<SlotCount> slots = live.stream().flatMap(module -> module.slots().stream()).toList();
        int used = slots.stream().mapToInt(SlotCount::used).sum();
        int all = slots.stream().mapToInt(SlotCount::total).sum();
        double rate = rates.getOrDefault(ModuleKind.DOWNLOADER, MeasuredRate.NONE).rate();
        int allowed = partitions.getOrDefault(ModuleKind.DOWNLOADER, 0);
        Optional<String> missing = holds(live, ModuleKind.DOWNLOADER, HoldReason.MEMORY)
                ? Optional.of("bytes are missing: bodies fill their part of the heap; more heap would help")
                : slots.stream().filter(Advice::isFull).findFirst().map(
                        full -> "slots are missing: " + full.waiting() + " hosts wait for one; " + help(full.limit()));
        String now = number(rate) + " requests/s with " + used + " of " + all + " slots in use; ";
        String text = missing.map(what -> "downloaders are the limit: " + now + what
                + (allowed > downloaders ? "; one more process would add about " + number(rate / downloaders) : "")
                + "; " + allowed + " partitions allow " + allowed)
                .orElse("the pauses and the speed of hosts are the limit: " + now
                        + "more processes would not be faster");
        return Optional.of(new Advice(ModuleKind.DOWNLOADER, downloaders, rate, Optional.empty(),
                missing.isPresent() ? Optional.empty() : Optional.of(0), allowed, text));
    }

    private static String help(SlotCount.Bound limit) {
        return switch (limit) {
            case SETTING -> "a larger TRAWL_DOWNLOADER_CONCURRENCY would help";
            case MEMORY -> "more heap would help";
            case DESCRIPTORS -> "a larger limit of open files would help";
        };
    }

    private static boolean isFull(SlotCount slots) {
        return slots.waiting() > 0 && slots.used() >= BUSY * slots.total();
    }

    private static int count(List<Registration> live, ModuleKind kind) {
        return Math.toIntExact(live.stream().filter(module -> module.mid().kind() == kind).count());
    }

    private static String number(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
    }
}
