/**
 * The form of extraction rules in definitions: what a user wrote, before {@code Extraction} checks and compiles it.
 */
@NullMarked
package io.trawl.extract.rule;

import org.jspecify.annotations.NullMarked;
