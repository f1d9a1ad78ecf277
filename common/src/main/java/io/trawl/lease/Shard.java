package io.trawl.lease;

/**
 * One partition number of the request topics, in every priority: what is leased as a whole.
 *
 * @param generation of the request topics
 */
public record Shard(int generation, int partition) {
    @Override
    public String toString() {
        return "g" + generation + ":" + partition;
    }
}
