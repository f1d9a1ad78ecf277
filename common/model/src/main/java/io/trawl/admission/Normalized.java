package io.trawl.admission;

import io.trawl.admission.Normalized.NormalUrl;

/** The result of normalising a URL: its {@link NormalUrl normal form}, or the reason why it has none. */
public sealed interface Normalized permits NormalUrl, Refusal {

    /**
     * A URL in normal form: its identity in the ledger, in items and on the wire. The form is that of
     * {@link UrlNormalizer}. The constructor checks nothing: it is for texts that are known to be normal, such as the
     * URL of a request. Use the normalizer for all others.
     *
     * @param text absolute, http or https, ASCII, without user information and fragment
     */
    record NormalUrl(String text) implements Normalized {
        @Override
        public String toString() {
            return text;
        }
    }
}
