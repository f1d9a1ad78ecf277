/**
 * A parser and an item processor that wait, like plug-ins that call a model or a database. They give a stage a capacity
 * that does not depend on the machine, so that scaling is measurable. The processes load them like any other plug-in.
 */
@NullMarked
package io.trawl.bench.plugin;

import org.jspecify.annotations.NullMarked;
