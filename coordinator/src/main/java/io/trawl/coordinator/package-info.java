/**
 * Reads seeds of users, commands of the REST interface, and ledger records of all stages. One coordinator leads: it
 * admits the seeds, moves every crawl through its states and decides when it is finished. It writes requests and
 * control records, and serves summaries. The other coordinators forward commands to the leader and are ready to take
 * over.
 */
@NullMarked
package io.trawl.coordinator;

import org.jspecify.annotations.NullMarked;
