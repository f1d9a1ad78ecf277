/**
 * The scope of a crawl beyond its domains: which URLs and media types belong to it, and at which priority. In: a URL
 * that is split, its depth; out: the rule that refuses it, or a level. Pure functions of the definition.
 */
@NullMarked
package io.trawl.scope;

import org.jspecify.annotations.NullMarked;
