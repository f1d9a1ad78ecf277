package io.trawl.downloader.frontier.queue;

/**
 * The memory for requests whose bodies are kept for their turns. Requests in flight or awaiting their answer do not
 * count: slots and unacknowledged bytes limit them. Belongs to the frontier's thread.
 */
public final class BodyBudget {
    private final long budget;
    private long used;

    /** @param budget in bytes, estimated */
    public BodyBudget(long budget) {
        this.budget = budget;
    }

    void takes(PendingRequest p) {
        used += p.weight();
    }

    void gives(PendingRequest p) {
        used -= p.weight();
    }

    /** Whether memory is plentiful: bodies may be kept without regard to how soon they are needed. */
    public boolean plenty() {
        return used < budget / 2;
    }

    public boolean exceeded() {
        return used > budget;
    }

    public long used() {
        return used;
    }
}
