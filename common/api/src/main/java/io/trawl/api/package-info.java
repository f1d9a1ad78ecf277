/**
 * The API that plug-ins of Trawl compile against. A plug-in is a jar in the folder that {@code TRAWL_PLUGINS} names.
 * The jar names its classes in {@code META-INF/services}, in one file for each of these interfaces:
 * <ul>
 * <li>{@link io.trawl.api.ResponseParser}: an analyzer passes it each {@link io.trawl.api.Page}; it returns
 * {@link io.trawl.api.Parsed}: fields, links, items and errors;</li>
 * <li>{@link io.trawl.api.ItemProcessor}: a pipeline passes it each {@link io.trawl.api.Item}; it returns a
 * {@link io.trawl.api.ProcessedItem}: the item, possibly changed, or the reason why the item is dropped;</li>
 * <li>{@link io.trawl.api.PageFetcher}: a downloader passes it each request that names it, as a
 * {@link io.trawl.api.FetchTask}; it returns a {@link io.trawl.api.FetchAnswer};</li>
 * <li>{@link io.trawl.api.Sink}: a pipeline gives it the items of crawls that name it, as
 * {@link io.trawl.api.SinkBatch}es;</li>
 * <li>{@link io.trawl.api.ScoreCalculator}: every process computes its load with it.</li>
 * </ul>
 * This package depends on nothing but the JDK and annotations. No method takes or returns {@code null}.
 */
@NullMarked
package io.trawl.api;

import org.jspecify.annotations.NullMarked;
