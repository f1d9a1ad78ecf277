/**
 * Seeds come in from users, commands from the REST interface, ledger records from all stages. One coordinator leads: it admits the seeds, moves every
 * crawl through its states and says when it is finished. Requests, control records and summaries go out; the other coordinators pass on what they are
 * asked and wait to take over.
 */
@NullMarked
package io.trawl.coordinator;

import org.jspecify.annotations.NullMarked;
