package io.trawl.admission;

import io.trawl.model.HostKey;

/**
 * May become a request, if the ledger does not know it yet.
 *
 * @param url in normal form
 * @param host the politeness key
 * @param domain the primary domain
 */
public record Admitted(String url, HostKey host, String domain) implements Verdict {}
