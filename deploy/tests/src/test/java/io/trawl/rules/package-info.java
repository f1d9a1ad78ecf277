/**
 * Rules for the code of all modules. In: the compiled classes; out: what breaks the structure that docs/architecture.md
 * describes.
 */
@NullMarked
package io.trawl.rules;

import org.jspecify.annotations.NullMarked;
