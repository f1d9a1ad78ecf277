/**
 * What a user asks of a crawl: {@link io.trawl.definition.CrawlDefinition} with its rules, sinks, secrets and webhooks.
 * In: a crawl file or a call; out: an immutable definition of which every value is checked.
 */
@NullMarked
package io.trawl.definition;

import org.jspecify.annotations.NullMarked;
