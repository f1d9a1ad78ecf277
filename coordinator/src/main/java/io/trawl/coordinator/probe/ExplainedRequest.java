package io.trawl.coordinator.probe;

import io.trawl.admission.HostKeyFactory;
import io.trawl.definition.url.IdentityRules;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Seed;

/**
 * The request that an explanation is about.
 *
 * @param host that is asked
 * @param url in normal form
 * @param sent with what method and body
 * @param rules which URLs are names of one page
 */
record ExplainedRequest(HostKey host, String url, FetchOptions sent, IdentityRules rules) {
    /** Its canonical URL, which its record mentions under whatever name the page was found. */
    String canonical() {
        return rules.canonical(url, sent).orElse(url);
    }

    /** By which ledger and items know it. */
    String identity() {
        return rules.identity(url, sent);
    }

    /** The key of its responses. */
    HostKey responseKey() {
        return rules.canonical(url, sent).map(HostKeyFactory::of).orElse(host);
    }

    /** Whether a seed is this request under whatever name. */
    boolean isOf(Seed seed) {
        return rules.identity(seed.url().orElse(""), seed.options()).equals(identity());
    }
}
