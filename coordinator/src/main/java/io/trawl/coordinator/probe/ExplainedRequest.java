package io.trawl.coordinator.probe;

import io.trawl.model.HostKey;

/**
 * The request that an explanation is about.
 *
 * @param host that is asked
 * @param url in normal form
 * @param identity by which ledger and items know it
 */
record ExplainedRequest(HostKey host, String url, String identity) {}
