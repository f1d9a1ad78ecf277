/**
 * The one skeleton of all processes: settings, MID, registration, control, counters, HTTP endpoint, graceful stop. In: a
 * {@link io.trawl.worker.StageFactory} and {@link io.trawl.settings.Settings}; out: a running module. What a stage does with its records is its own affair.
 */
@NullMarked
package io.trawl.worker;

import org.jspecify.annotations.NullMarked;
