/**
 * The parsers of sources of links: robots.txt, sitemaps and feeds. In: a page whose request names one of them. Out:
 * links; no fields and no items.
 */
@NullMarked
package io.trawl.analyzer.sitemap;

import org.jspecify.annotations.NullMarked;
