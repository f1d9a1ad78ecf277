package io.trawl.downloader.frontier.queue;

import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is in memory, delivered and without an acknowledged answer. Belongs to the frontier's thread.
 */
public final class PendingRequest {
    /** An estimate of the memory of a request: its objects, and its strings per byte of JSON. */
    private static final int OBJECTS = 500;
    private static final int PER_BYTE = 1;
    private final Assignment assignment;
    private final long offset;
    private final Request request;
    private final RequestKey key;
    private final int size;
    private final List<PendingRequest> followers = new ArrayList<>(0);
    private @Nullable UrlFacts facts;
    private long lookedUpAt;
    private long lastAsk;
    private boolean namesLookedUp;
    private boolean asking;
    private int attempts;
    private boolean accepted;
    private boolean claiming;
    private boolean granted;
    private @Nullable String trouble;
    private final VersionedVerdict robots = new VersionedVerdict();

    /** @param size of the record's body, in bytes */
    public PendingRequest(Assignment assignment, long offset, Request request, int size) {
        this.assignment = assignment;
        this.offset = offset;
        this.request = request;
        this.key = new RequestKey(request.run(), request.identity());
        this.size = size;
    }

    public Assignment assignment() {
        return assignment;
    }

    public long offset() {
        return offset;
    }

    public Request request() {
        return request;
    }

    /**
     * The server that it asks. Its robots.txt and whether it answers are tracked per server, even if it shares its
     * pauses with other servers.
     */
    public HostKey server() {
        return request.host();
    }

    public CrawlRun run() {
        return request.run();
    }

    /** The estimated memory of the body, in bytes, and of an identity that is not the URL itself. */
    int weight() {
        FetchOptions options = request.options();
        int identity = options.method().isPresent() || !options.page() || options.again() ? key.identity().length() : 0;
        return OBJECTS + PER_BYTE * (size + identity);
    }

    /** Whether it has state that is not in the log: attempts, a counted acceptance, followers. */
    boolean unique() {
        return accepted || tried();
    }

    /** Whether it has state that must not be lost: attempts, a use of a budget, followers. */
    public boolean tried() {
        return granted || claiming || attempts > 0 || !followers.isEmpty();
    }

    public RequestKey key() {
        return key;
    }

    public int partition() {
        return assignment.requestPartition().partition();
    }

    public int priority() {
        return assignment.requestPartition().priority();
    }

    /** Requests with the same identity that wait until this one is answered, in the order of their turns. */
    public List<PendingRequest> followers() {
        return followers;
    }

    /** Whether it has waited for its names since it was sent last. */
    public boolean namesLookedUp() {
        return namesLookedUp;
    }

    public void namesLookedUp(boolean on) {
        namesLookedUp = on;
    }

    /** Whether the ledger has been looked up since {@code oldest}. */
    public boolean lookedUpSince(long oldest) {
        return facts != null && lookedUpAt >= oldest;
    }

    /** The number of the last lookup. */
    public long lastAsk() {
        return lastAsk;
    }

    public UrlFacts facts() {
        if (facts == null) {
            throw new IllegalStateException("not looked up: " + request.id());
        }
        return facts;
    }

    public boolean asking() {
        return asking;
    }

    public void asked(long number) {
        lastAsk = number;
        asking = true;
        facts = null;
    }

    /** The result of a lookup; ignored if the lookup is outdated. */
    public void lookedUp(long number, UrlFacts found, long now) {
        if (asking && lastAsk == number) {
            asking = false;
            facts = found;
            lookedUpAt = now;
        }
    }

    /** The facts, or the lookup in flight, are outdated. */
    public void forgetFacts() {
        asking = false;
        facts = null;
    }

    /** Whether it is being counted in the budget of its host. */
    public boolean claiming() {
        return claiming;
    }

    /** It is being counted. */
    public void claim() {
        claiming = true;
    }

    /** It was counted, or is beyond the budget. */
    public void claimed(boolean within) {
        claiming = false;
        granted = within;
    }

    /** Whether it is counted in the budget of its host. */
    public boolean granted() {
        return granted;
    }

    /** What robots.txt says about its URL. */
    public VersionedVerdict robots() {
        return robots;
    }

    public int attempts() {
        return attempts;
    }

    /**
     * The last attempt failed and will be retried.
     *
     * @param detail the detail of its outcome
     */
    public void failed(String detail) {
        trouble = detail;
    }

    /** The detail of the last failed attempt. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    public void attempt() {
        attempts++;
        forgetFacts();
    }

    /** Does not count the last attempt. */
    public void withdraw() {
        attempts--;
    }

    /** Counts the request as accepted; true the first time only. */
    public boolean accept() {
        boolean first = !accepted;
        accepted = true;
        return first;
    }

    public boolean accepted() {
        return accepted;
    }

    /** A request of a run, by its identity, which may be in flight only once. */
    public record RequestKey(CrawlRun run, String identity) {}
}
