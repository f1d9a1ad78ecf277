package io.trawl.model;

import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The record of an archive that holds the body of a page: a response, whole, in the archive of the run that has fetched
 * it.
 *
 * @param digest the SHA-256 of the body, in Base64 without padding
 * @param at the date of the record, in milliseconds since 1970
 */
public record ArchivedBody(String digest, long at) {
    private static final int DIGITS = 43;

    /** @throws InvalidValueException if a field is out of its range */
    public ArchivedBody {
        FieldRules.present("visit.archived.digest", digest);
        FieldRules.count("visit.archived.at", at);
        if (digest.length() != DIGITS || !digest.chars().allMatch(ArchivedBody::isBase64)) {
            throw new InvalidValueException("visit.archived.digest", digest, "a SHA-256 in Base64 without padding");
        }
    }

    /** The record that an archive writes of a response. */
    public static ArchivedBody of(Response response) {
        return new ArchivedBody(Base64.getEncoder().withoutPadding().encodeToString(Sha256.of(response.body().bytes())),
                response.fetchedAt().toEpochMilli());
    }

    /** The digest in 64 hexadecimal digits. */
    public String hex() {
        return HexFormat.of().formatHex(Base64.getDecoder().decode(digest));
    }

    /** The date of the record. */
    public Instant date() {
        return Instant.ofEpochMilli(at);
    }

    private static boolean isBase64(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/';
    }
}
