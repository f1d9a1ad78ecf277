package io.trawl.downloader.frontier;

import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request whose body is in memory, delivered and without an acknowledged answer. Belongs to the frontier's thread. */
final class Pending {
    /** The objects that a request consists of, and their strings for each byte of JSON: an estimate. */
    private static final int OBJECTS = 500;
    private static final int PER_BYTE = 1;
    private final Tenure tenure;
    private final long offset;
    private final Request request;
    private final int size;
    private final List<Pending> followers = new ArrayList<>(0);
    private @Nullable UrlFacts facts;
    private long judgedAt;
    private long lastAsk;
    private boolean asking;
    private int attempts;
    private boolean accepted;
    private @Nullable String trouble;

    /** @param size of the record's body, in bytes */
    Pending(Tenure tenure, long offset, Request request, int size) {
        this.tenure = tenure;
        this.offset = offset;
        this.request = request;
        this.size = size;
    }

    Tenure tenure() {
        return tenure;
    }

    long offset() {
        return offset;
    }

    Request request() {
        return request;
    }

    /** Whom it asks: its robots.txt, and whether it answers at all, are its own, whatever it shares its pauses with. */
    HostKey server() {
        return request.host();
    }

    CrawlRun run() {
        return request.run();
    }

    /** What it takes of memory, estimated from its body, in bytes. */
    int weight() {
        return OBJECTS + PER_BYTE * size;
    }

    /** Whether it has a past of which the log says nothing: attempts, a count, others that wait for it. */
    boolean unique() {
        return accepted || attempts > 0 || !followers.isEmpty();
    }

    UrlKey url() {
        return new UrlKey(request.run(), request.url());
    }

    int partition() {
        return tenure.lane().partition();
    }

    int priority() {
        return tenure.lane().priority();
    }

    /** Those with the same URL that wait until this one is answered, in the order in which their turn came. */
    List<Pending> followers() {
        return followers;
    }

    /** Whether the ledger has said something since {@code oldest}. */
    boolean judgedSince(long oldest) {
        return facts != null && judgedAt >= oldest;
    }

    /** The number of the last question about it. */
    long lastAsk() {
        return lastAsk;
    }

    UrlFacts facts() {
        if (facts == null) {
            throw new IllegalStateException("not judged: " + request.id());
        }
        return facts;
    }

    boolean asking() {
        return asking;
    }

    void asked(long number) {
        lastAsk = number;
        asking = true;
        facts = null;
    }

    /** The ledger's answer to a question; one that was withdrawn meanwhile changes nothing. */
    void judge(long number, UrlFacts found, long now) {
        if (asking && lastAsk == number) {
            asking = false;
            facts = found;
            judgedAt = now;
        }
    }

    /** What was known, or is being asked, is out of date. */
    void forgetVerdict() {
        asking = false;
        facts = null;
    }

    int attempts() {
        return attempts;
    }

    /** The last attempt was none that ends it. @param detail of its outcome */
    void failed(String detail) {
        trouble = detail;
    }

    /** What came of the last attempt. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    void attempt() {
        attempts++;
        forgetVerdict();
    }

    /** The attempt that was begun last does not count. */
    void withdraw() {
        attempts--;
    }

    /** True the first time only. */
    boolean accept() {
        boolean first = !accepted;
        accepted = true;
        return first;
    }

    boolean accepted() {
        return accepted;
    }

    /** A URL of a run: what may be in flight only once. */
    record UrlKey(CrawlRun run, String url) {}
}
