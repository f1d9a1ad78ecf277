package io.trawl.admission;

import io.trawl.model.InvalidValueException;
import java.util.Optional;

/**
 * A value of the setting "accepted domains" ({@code --domain}, {@code scope.domains} of a crawl definition). A
 * registered domain ({@code example.org}) accepts every host of it, a host below one ({@code docs.example.org}) itself
 * and the hosts below it, an IP address or single label itself; all on any port. There is always a label border:
 * {@code example.org} does not accept {@code notexample.org}.
 */
public final class AcceptedName {
    private AcceptedName() {}

    /**
     * The value in the form that candidates look up.
     *
     * @param field the name under which the user knows the setting
     * @throws InvalidValueException if it is not a host: with a scheme, port, path or blank, or a public suffix of
     * several labels, which would accept nothing
     */
    public static String of(String field, String value) {
        Optional<String> name = HostName.of(value);
        if (name.isEmpty() || !UrlChars.stripped(value).equals(value)) {
            throw new InvalidValueException(field, value, "a host name or IP address, without scheme, port and path");
        }
        if (PrimaryDomain.registrySuffix(name.get())) {
            throw new InvalidValueException(field, value,
                    "a domain below the public suffix " + name.get() + ", such as example." + name.get());
        }
        return name.get();
    }
}
