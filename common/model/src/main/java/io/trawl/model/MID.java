package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The module id (S10): letter, serial number and network address, for example {@code D3|10.0.0.7:8081}.
 * {@code parse(mid.toString())} is {@code mid}.
 *
 * @param kind the kind of process
 * @param serial unique among live processes
 * @param host the host of its HTTP endpoint: a name, an IPv4 address, or an IPv6 address in brackets
 * @param port 1 to 65535
 */
public record MID(ModuleKind kind, long serial, String host, int port) {
    private static final Pattern FORM = Pattern
            .compile("([DAPC])(0|[1-9][0-9]{0,18})\\|(\\[[0-9a-fA-F:.%]+]|[^\\s:|\\[\\]]+):([1-9][0-9]{0,4})");

    /** @throws InvalidValueException if a part breaks its rule */
    public MID {
        if (serial < 0) {
            throw new InvalidValueException("MID", Long.toString(serial), "the serial number is not negative");
        }
        if (port < 1 || port > 65535) {
            throw new InvalidValueException("MID", Integer.toString(port), "the port is 1 to 65535");
        }
        if (!host.matches("\\[[0-9a-fA-F:.%]+]|[^\\s:|\\[\\]]+")) {
            throw new InvalidValueException("MID", host,
                    "the host is a name, an IPv4 address, or an IPv6 address in brackets");
        }
    }

    /** @throws InvalidValueException if the text is not a MID */
    @JsonCreator
    public static MID parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new InvalidValueException("MID", text,
                    "letter D, A, P or C, serial number, '|', host:port, for example D3|10.0.0.7:8081");
        }
        try {
            return new MID(ModuleKind.ofLetter(m.group(1).charAt(0)), Long.parseLong(m.group(2)), m.group(3),
                    Integer.parseInt(m.group(4)));
        } catch (NumberFormatException e) {
            throw new InvalidValueException("MID", text, "the serial number fits into 63 bits");
        }
    }

    /** Whether a text has the form of a MID. */
    public static boolean isWritten(String text) {
        return FORM.matcher(text).matches();
    }

    /** {@code host:port}, where {@code /summary} answers. */
    public String address() {
        return host + ":" + port;
    }

    /** Letter and serial number, for example {@code D3}. */
    public String instance() {
        return kind.letter() + Long.toString(serial);
    }

    /** Whether a person who writes this means it: the whole, or the part before the address. */
    public boolean isNamed(String name) {
        return name.equals(toString()) || name.equals(instance());
    }

    @Override
    @JsonValue
    public String toString() {
        return instance() + "|" + host + ":" + port;
    }
}
