/**
 * The data that flows: a {@link io.trawl.model.Request} goes in, a {@link io.trawl.model.Response} answers it,
 * {@link io.trawl.api.Item}s and {@link io.trawl.model.CrawlerError}s come out. Everything here is an immutable value
 * without behaviour beyond its own rules. This package depends on nothing but the JDK and annotations.
 */
@NullMarked
package io.trawl.model;

import org.jspecify.annotations.NullMarked;
