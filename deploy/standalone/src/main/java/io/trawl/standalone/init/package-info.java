/**
 * The first crawl file of a site: a template, or a proposal made of a few pages, with the fetcher, the parsers and the
 * rules of a crawl.
 */
@NullMarked
package io.trawl.standalone.init;

import org.jspecify.annotations.NullMarked;
