/**
 * The one skeleton of all processes: settings, MID, registration, control, counters, HTTP endpoint, graceful shutdown.
 * In: a {@link io.trawl.worker.StageFactory} and {@link io.trawl.settings.Settings}; out: a running module. The stage
 * decides how to handle its records.
 */
@NullMarked
package io.trawl.worker;

import org.jspecify.annotations.NullMarked;
