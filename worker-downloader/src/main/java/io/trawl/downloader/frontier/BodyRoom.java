package io.trawl.downloader.frontier;

/**
 * The memory for requests whose bodies are kept for their turns. What is in flight or waits for its answer is not counted: slots and unacknowledged
 * bytes bound that. Belongs to the frontier's thread.
 */
final class BodyRoom {
    private final long budget;
    private long used;

    /** @param budget in bytes, estimated */
    BodyRoom(long budget) {
        this.budget = budget;
    }

    void takes(Pending p) {
        used += p.weight();
    }

    void gives(Pending p) {
        used -= p.weight();
    }

    /** Whether there is plenty: bodies may be kept without regard to how soon they are needed. */
    boolean plenty() {
        return used < budget / 2;
    }

    boolean exceeded() {
        return used > budget;
    }

    long used() {
        return used;
    }
}
