/**
 * What stands beside a field that users write, a setting of a process or a component of a crawl definition: its range,
 * its choices, its form. In: the annotations of the field and its value; out: the faults, each naming field, value and
 * rule. The documents and the schemas say the same rules.
 */
@NullMarked
package io.trawl.field;

import org.jspecify.annotations.NullMarked;
