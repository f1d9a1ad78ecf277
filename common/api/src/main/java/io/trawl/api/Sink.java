package io.trawl.api;

/**
 * A place for items outside the output folder, which a crawl names in {@code sinks} by its type. The jar of a sink
 * names its class in {@code META-INF/services/io.trawl.api.Sink}; the class has a public constructor without arguments.
 * One instance serves all crawls of a pipeline, which makes one call at a time.
 *
 * <p>
 * Trawl gives each item to the sink at least once, in the order of its partition, and waits for {@link #store}. Each
 * item is in the sink exactly once if the sink keeps this contract:
 * <ol>
 * <li>When {@link #store} returns, the items are stored for good. If it throws, none, some or all of them may be.</li>
 * <li>An item that is given again does not become a second one. Items are given again after a crash or a failure, by
 * this process or another one, in other batches, and also late, by a process that was paused. A sink finds them by
 * {@link Item#id()}, for example with an upsert; or it keeps the last {@link SinkBatch.PlacedItem#position()} of each
 * partition, crawl and sink, in the transaction that stores the items, and leaves out those that are not above it.</li>
 * </ol>
 * {@link SinkContract} checks it.
 */
public interface Sink extends AutoCloseable {
    /** {@return the type by which crawls choose it, with a dot: {@code acme.index}; those of Trawl have none} */
    String type();

    /**
     * Stores items of one crawl and partition. A call should fail soon if the store does not answer: items of the
     * partition wait for it. After a failure the items are given again, at first after a second, then after up to a
     * minute; meanwhile other sinks go on.
     *
     * @param batch at least one item
     * @throws ItemsRefusedException if all of its items are stored but those that the store refuses for good
     * @throws Exception if not all of its items are stored; the message is shown to operators
     */
    void store(SinkBatch batch) throws Exception;

    /**
     * {@return whether the items come in few large batches: some MiB, or what a minute brings; by default they come at
     * least once a second}
     */
    default boolean wantsLargeBatches() {
        return false;
    }

    /** Ends what the sink has started. Called once, when the pipeline stops. */
    @Override
    default void close() {}
}
