package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A receiver of events, which are signed by the Standard Webhooks specification. The text form never shows the secret.
 *
 * @param url http or https; it may point into the operator's own network: users who may change crawls may set it
 * @param secret {@value #SECRET_RULE}; empty if it is hidden
 * @param events the types of events that it receives; by default all of crawls, and none of pages
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Webhook(@JsonProperty("url") String url, @JsonProperty("secret") Optional<String> secret,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<EventType> events) {
    /** The rule for URLs. */
    public static final String URL_RULE = "an absolute http or https URL without user information, of at most 2000 characters, with a port up to 65535";
    /** The rule for secrets. */
    public static final String SECRET_RULE = "whsec_ and the Base64 of 24 to 64 bytes";
    private static final String PREFIX = "whsec_";
    private static final int LONGEST = 2000;

    /** Absent fields are empty. */
    public Webhook {
        url = url == null ? "" : url;
        events = events == null ? List.of() : List.copyOf(events);
    }

    /** Whether it receives events of a type. */
    public boolean wants(String type) {
        return (events.isEmpty() ? EventType.OF_CRAWLS : events).stream().anyMatch(one -> one.word().equals(type));
    }

    /** A copy for display, without the secret and what may be a secret of the URL: its path and query. */
    public Webhook hidden() {
        return new Webhook(CrawlVariables.only(url) ? url : Hidden.beyondServer(url),
                secret.filter(CrawlVariables::only), events);
    }

    /**
     * A copy with the values of variables in place of references.
     *
     * @throws CrawlVariables.UnsetVariableException if a variable is not set in this process
     */
    public Webhook resolved(CrawlVariables variables) {
        return new Webhook(variables.resolve(url), secret.map(variables::resolve), events);
    }

    /**
     * A copy with the URL and the secret of a known receiver that it stands for. If several receivers are shown with
     * the same URL, their places in the list tell them apart, unless a receiver was added or taken away.
     *
     * @param all the list that this receiver is in
     */
    Webhook withSecretsOf(List<Webhook> known, int place, List<Webhook> all) {
        List<Webhook> candidates = known.stream().filter(k -> k.url.equals(url) || k.hidden().url.equals(url)).toList();
        boolean samePlace = known.size() == all.size() && candidates.contains(known.get(place));
        Optional<Webhook> same = samePlace
                ? Optional.of(known.get(place))
                : candidates.stream().findFirst().filter(_ -> candidates.size() == 1);
        return same.map(k -> new Webhook(k.url, secret.or(k::secret), events)).orElse(this);
    }

    /** Whether events can be sent there, as far as that is known: the text may refer to variables. */
    public static boolean isUrl(String text) {
        try {
            URI uri = URI.create(CrawlVariables.replaced(text, "x"));
            return CrawlVariables.only(text)
                    || text.length() <= LONGEST && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                            && uri.getHost() != null && uri.getUserInfo() == null && port(uri);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether the port of a URL, if it has one, exists: 1 to 65535. */
    public static boolean port(URI uri) {
        return uri.getPort() == -1 || uri.getPort() >= 1 && uri.getPort() <= 65_535;
    }

    /** The key in a secret; empty if the secret is invalid. */
    public static Optional<byte[]> key(String secret) {
        if (!secret.startsWith(PREFIX)) {
            return Optional.empty();
        }
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
            return key.length >= 24 && key.length <= 64 ? Optional.of(key) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "Webhook[" + Hidden.beyondServer(url) + "]";
    }
}
