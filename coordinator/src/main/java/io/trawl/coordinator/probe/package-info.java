/**
 * Inspects single URLs, hosts and modules through calls to workers at the addresses in their MIDs. Input: a URL, a host
 * or a MID. The owner of the host is called, else the least loaded worker, and if one does not answer, the next.
 * Output: the answers of the workers, the ledger and the topics. Has no side effects on crawls.
 */
@NullMarked
package io.trawl.coordinator.probe;

import org.jspecify.annotations.NullMarked;
