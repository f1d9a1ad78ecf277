package io.trawl.admission;

/**
 * A URL in normal form: its identity in the ledger, in items and on the wire. The form is that of {@link UrlNormalizer}.
 * Making one checks nothing: it is for texts that came from a normal URL, such as that of a request. All others go through the normalizer.
 *
 * @param text absolute, http or https, ASCII, without user information and fragment
 */
public record NormalUrl(String text) implements Normalized {
    @Override
    public String toString() {
        return text;
    }
}
