package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.HostKey;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Who the crawler is for one host: a user with a password (RFC 7617), or a token (RFC 6750). No other host receives
 * them.
 *
 * @param host a name or address, with a port or for all ports
 * @param user the name of the user
 * @param password a reference to a variable
 * @param bearer a reference to a variable, instead of user and password
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record HostCredentials(String host, Optional<String> user, Optional<String> password, Optional<String> bearer) {
    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public HostCredentials {
        host = host == null ? "" : host;
    }

    /** Whether they are for a server. */
    public boolean areFor(HostKey server) {
        return server.isOf(host);
    }

    /** The value of the header {@code Authorization}, if the secrets that they refer to are set. */
    public String authorization(CrawlVariables variables) {
        return bearer.map(token -> "Bearer " + variables.resolve(token))
                .orElseGet(() -> "Basic " + Base64.getEncoder()
                        .encodeToString((user.orElse("") + ":" + variables.resolve(password.orElse("")))
                                .getBytes(StandardCharsets.UTF_8)));
    }
}
