/**
 * Telemetry of a process for operators, besides its metrics: the log with its keys
 * ({@link io.trawl.telemetry.ProcessLog}), outages that are logged once ({@link io.trawl.telemetry.Outage}), and
 * OpenTelemetry traces ({@link io.trawl.telemetry.Tracing}). No decision depends on any of it.
 */
@NullMarked
package io.trawl.telemetry;

import org.jspecify.annotations.NullMarked;
