/**
 * Elects the leading coordinator and carries out the commands that only the leader may run. Input: seeds from their
 * topic, and commands of the REST interface from any thread. The leader's thread carries them out in terms: a term
 * begins when the coordinators' transactional id is initialised and ends when it is lost. Output: requests and control
 * records, in transactions.
 */
@NullMarked
package io.trawl.coordinator.leader;

import org.jspecify.annotations.NullMarked;
