/** A plug-in for analyzers: reads PDF and the documents of office programs, by Apache Tika. */
@NullMarked
package io.trawl.tika;

import org.jspecify.annotations.NullMarked;
