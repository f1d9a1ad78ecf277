/**
 * The encodings of the WHATWG Encoding standard, which browsers know: their labels, decoders and encoders. The tables
 * are in resources beside this package.
 */
@NullMarked
package io.trawl.charset;

import org.jspecify.annotations.NullMarked;
