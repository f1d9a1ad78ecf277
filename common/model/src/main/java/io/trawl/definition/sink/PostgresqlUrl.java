package io.trawl.definition.sink;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a database of PostgreSQL. */
public record PostgresqlUrl(String host, int port, String database) {
    static final String RULE = "postgresql://host:port/database; user and password are settings of their own";
    /** The rule for names of roles, schemas and tables. */
    static final String NAME_RULE = "1 to 63 characters without quotation marks";
    private static final Pattern NAME = Pattern.compile("[^\\x00-\\x1f\"]{1,63}");
    private static final Pattern URL = Pattern.compile(
            "postgres(?:ql)?://([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::([0-9]{1,5}))?/([A-Za-z0-9_.-]{1,63})");
    private static final int PORT = 5432;
    private static final int LARGEST_PORT = 65_535;

    /** The address that a text is, if it is one. */
    public static Optional<PostgresqlUrl> parse(String text) {
        Matcher url = URL.matcher(text);
        return Optional.of(url).filter(Matcher::matches)
                .map(_ -> new PostgresqlUrl(url.group(1),
                        Optional.ofNullable(url.group(2)).map(Integer::valueOf).orElse(PORT), url.group(3)))
                .filter(address -> address.port() <= LARGEST_PORT);
    }

    /** Whether a text may be the name of a role, schema or table. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
