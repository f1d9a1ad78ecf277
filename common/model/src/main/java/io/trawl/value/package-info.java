/** Numbers, amounts of money, dates and times as people write them, for extraction rules and processors. */
@NullMarked
package io.trawl.value;

import org.jspecify.annotations.NullMarked;
