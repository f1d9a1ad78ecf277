package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;

/**
 * The random 64-bit id of one emission of a request. It survives forwarding and re-appending: the crawl is finished when every id that was emitted
 * has been answered, so two records with the same id are the same request. Written as 16 hexadecimal digits, since JSON numbers lose bits.
 */
public record RequestId(long value) {
    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws InvalidValue if the text is not 16 hexadecimal digits
     */
    @JsonCreator
    public static RequestId parse(String text) {
        try {
            if (text.length() == 16) {
                return new RequestId(HexFormat.fromHexDigitsToLong(text));
            }
        } catch (IllegalArgumentException e) {
            // falls through to the one error below
        }
        throw new InvalidValue("id", text, "16 hexadecimal digits");
    }

    @Override
    @JsonValue
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
