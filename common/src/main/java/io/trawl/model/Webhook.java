package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;
import java.util.Base64;
import java.util.Optional;

/**
 * Where events are sent, signed by the Standard Webhooks specification. The text form never shows the secret.
 *
 * @param url http or https; it may lead into the operator's own network: whoever may change crawls may say it
 * @param secret {@value #SECRET_RULE}; empty where it is hidden
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Webhook(@JsonProperty("url") String url, @JsonProperty("secret") Optional<String> secret) {
    /** What a URL must be. */
    public static final String URL_RULE = "an absolute http or https URL without user information, of at most 2000 characters";
    /** What a secret must be. */
    public static final String SECRET_RULE = "whsec_ and the Base64 of 24 to 64 bytes";
    private static final String PREFIX = "whsec_";
    private static final int LONGEST = 2000;

    /** Absent fields are empty. */
    public Webhook {
        url = url == null ? "" : url;
    }

    /** The same for people: without its secret. */
    public Webhook hidden() {
        return new Webhook(url, Optional.empty());
    }

    /** Whether events can be sent there. */
    public static boolean isUrl(String text) {
        try {
            URI uri = URI.create(text);
            return text.length() <= LONGEST && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                    && uri.getHost() != null && uri.getUserInfo() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The key that a secret stands for; empty if it is none. */
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
        return "Webhook[" + url + "]";
    }
}
