package io.trawl.downloader.generation;

import io.trawl.downloader.frontier.inflight.RequestAnswer;
import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.FrontierStatus;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The downloader's metrics for Prometheus; every label has few values. Thread-safe. */
public final class DownloaderMetrics {
    private final Map<OutcomeKind, Counter> answers = new EnumMap<>(OutcomeKind.class);
    private static final Duration[] STEPS = {Duration.ofMillis(5), Duration.ofMillis(20), Duration.ofMillis(50),
            Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1),
            Duration.ofMillis(2500), Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30),
            Duration.ofSeconds(60)};
    private final Map<FailureReason, Counter> failures = new EnumMap<>(FailureReason.class);
    private final Map<Integer, Counter> statuses = new HashMap<>();
    private final Timer fetches;
    private final Map<Boolean, Timer> names;
    private final AtomicInteger namesInFlight = new AtomicInteger();
    private final Counter bytes;
    private final Counter relocated;
    private final Counter moved;
    private final MeterRegistry meters;
    private final Supplier<FrontierStatus> status;
    private final LongAdder answerCount = new LongAdder();
    private final LongAdder answerBytes = new LongAdder();

    /** @param status of the frontier now */
    public DownloaderMetrics(MeterRegistry meters, Supplier<FrontierStatus> status, IntSupplier restingProxies) {
        this.meters = meters;
        this.status = status;
        for (OutcomeKind kind : OutcomeKind.values()) {
            answers.put(kind, Counter.builder("trawl.downloader.answers").description("Answers by outcome")
                    .tag("outcome", kind.name()).register(meters));
        }
        fetches = Timer.builder("trawl.downloader.fetches").description("Exchanges, retries included")
                .serviceLevelObjectives(STEPS).register(meters);
        names = Stream.of(true, false)
                .collect(Collectors.toMap(found -> found,
                        found -> Timer.builder("trawl.downloader.names")
                                .description("Look-ups of names, by whether they found an address")
                                .tag("found", Boolean.toString(found)).serviceLevelObjectives(STEPS).register(meters)));
        Gauge.builder("trawl.downloader.names.in.flight", namesInFlight, AtomicInteger::get)
                .description("Look-ups of names that have not ended").strongReference(true).register(meters);
        for (FailureReason reason : FailureReason.values()) {
            failures.put(reason,
                    Counter.builder("trawl.downloader.failures")
                            .description("Requests without any usable answer, by kind").tag("kind", reason.name())
                            .register(meters));
        }
        for (int hundred = 1; hundred <= 5; hundred++) {
            statuses.put(hundred,
                    Counter.builder("trawl.downloader.statuses")
                            .description("Answers of servers by the class of their status")
                            .tag("status", hundred + "xx").register(meters));
        }
        bytes = Counter.builder("trawl.downloader.bytes").description("Bytes of bodies, inflated").register(meters);
        relocated = Counter.builder("trawl.downloader.relocated")
                .description("Requests that would hold their log, copied to its end").register(meters);
        moved = Counter.builder("trawl.downloader.moved")
                .description("Requests that an order has moved to another priority").register(meters);
        gauge(meters, "trawl.downloader.slots", "Download slots", status, FrontierStatus::slotsTotal);
        gauge(meters, "trawl.downloader.slots.used", "Exchanges in flight", status, FrontierStatus::slotsUsed);
        gauge(meters, "trawl.downloader.hosts", "Hosts that are remembered", status, FrontierStatus::hosts);
        gauge(meters, "trawl.downloader.hosts.waiting", "Hosts that have requests, and must not be asked yet", status,
                FrontierStatus::waiting);
        gauge(meters, "trawl.downloader.hosts.ready", "Hosts that may be asked now, and wait for a slot", status,
                FrontierStatus::ready);
        gauge(meters, "trawl.downloader.hosts.limited",
                "Hosts that may be asked now, and wait for the part of the slots of their domain or crawl", status,
                FrontierStatus::limited);
        gauge(meters, "trawl.downloader.hosts.resolving", "Hosts that may be asked now, and whose names are looked up",
                status, FrontierStatus::resolving);
        gauge(meters, "trawl.downloader.hosts.postponed", "Hosts whose pages repeat each other, by crawl", status,
                FrontierStatus::postponed);
        gauge(meters, "trawl.downloader.hosts.given.up", "Hosts that are given up since they do not answer", status,
                FrontierStatus::givenUp);
        gauge(meters, "trawl.downloader.answering", "Answers that Kafka has not acknowledged", status,
                FrontierStatus::answering);
        gauge(meters, "trawl.downloader.parked", "Requests of crawls that do not fetch now", status,
                FrontierStatus::parked);
        gauge(meters, "trawl.downloader.partitions", "Partition numbers that are served", status,
                FrontierStatus::partitions);
        Gauge.builder("trawl.downloader.proxies.resting", restingProxies, IntSupplier::getAsInt)
                .description("Proxies that are taken out since they fail").strongReference(true).register(meters);
    }

    /** Adds what there is per priority. */
    public void levels(int levels) {
        for (int p = 0; p < levels; p++) {
            int priority = p;
            Gauge.builder("trawl.downloader.pending", status,
                    s -> priority < s.get().pending().size() ? s.get().pending().get(priority) : Double.NaN)
                    .description("Pending requests by priority").tag("priority", Integer.toString(p))
                    .strongReference(true).register(meters);
        }
    }

    /**
     * Uses a strong reference, since only the registry knows the supplier: with a weak one, the default, every gauge
     * would soon have no value.
     */
    private static void gauge(MeterRegistry meters, String name, String what, Supplier<FrontierStatus> status,
            ToDoubleFunction<FrontierStatus> value) {
        Gauge.builder(name, status, s -> value.applyAsDouble(s.get())).description(what).strongReference(true)
                .register(meters);
    }

    /** The same names, measured. */
    public NameService measured(NameService service, Time time) {
        return new NameService() {
            @Override
            public CompletableFuture<NameAnswer> find(String name) {
                long began = time.nanos();
                namesInFlight.incrementAndGet();
                return service.find(name).whenComplete((answer, _) -> {
                    namesInFlight.decrementAndGet();
                    requireNonNull(names.get(answer != null)).record(Duration.ofNanos(time.nanos() - began));
                });
            }

            @Override
            public void close() {
                service.close();
            }
        };
    }

    /** Counts an exchange with a host. */
    public void fetched(FetchResult fetchResult) {
        fetches.record(fetchResult.took());
        bytes.increment(fetchResult.body().length());
    }

    /** Counts a request that went to another priority. */
    public void forwarded(ForwardedRequest copy) {
        switch (copy) {
            case ForwardedRequest.AtEnd _ -> relocated.increment();
            case ForwardedRequest.AtPriority _ -> moved.increment();
            case ForwardedRequest.AtServer _ -> {
                // It is counted among the redirects of the site.
            }
        }
    }

    /** Counts an answer. */
    public void answered(RequestAnswer requestAnswer) {
        requireNonNull(answers.get(requestAnswer.outcome().kind())).increment();
        switch (requestAnswer.outcome()) {
            case Outcome.Success success -> status(success.status());
            case Outcome.Unchanged _ -> status(Outcome.Unchanged.STATUS);
            case Outcome.Redirect redirect -> status(redirect.status());
            case Outcome.HttpError error -> status(error.status());
            case Outcome.Failure failure -> requireNonNull(failures.get(failure.reason())).increment();
            case Outcome.Refused _,Outcome.Duplicate _ -> {
                // no host was asked
            }
        }
        answerCount.increment();
        answerBytes.add(requestAnswer.bytes());
    }

    private void status(int status) {
        Optional.ofNullable(statuses.get(status / 100)).ifPresent(Counter::increment);
    }

    /** The mean body size of all answers so far, in bytes; 0 before the first. */
    double meanBody() {
        long count = answerCount.sum();
        return count == 0 ? 0 : (double) answerBytes.sum() / count;
    }
}
