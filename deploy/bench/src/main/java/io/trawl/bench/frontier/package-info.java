/**
 * In: a backlog. Out: the cost of the frontier without Kafka, Redis and HTTP.
 * {@link io.trawl.bench.frontier.FrontierDriver} is the only class that uses the frontier's inputs and actions;
 * {@link io.trawl.bench.frontier.Simulation} runs a backlog through it in simulated time. This measures a decision
 * among ten million requests in isolation.
 */
@NullMarked
package io.trawl.bench.frontier;

import org.jspecify.annotations.NullMarked;
