package io.trawl.pipeline.postgresql;

import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.PostgresqlUrl;
import io.trawl.definition.sink.SettingValues;
import io.trawl.definition.sink.WriteMode;
import java.util.Map;
import java.util.Optional;

/**
 * Where a sink stores its items.
 *
 * @param login where and as whom
 * @param table in which items are
 * @param writes what it does with items whose key the table has
 */
record PostgresqlSettings(Login login, TableName table, WriteMode writes) {
    /**
     * How a process connects.
     *
     * @param password a reference to a variable
     */
    record Login(PostgresqlUrl url, Optional<String> user, Optional<String> password, String sslMode) {}

    /** A table in its schema. */
    record TableName(String schema, String table) {}

    /**
     * The settings of a valid definition. By default, the table has the name of the crawl, with {@code _} for what is
     * no letter or digit.
     */
    static PostgresqlSettings of(String crawl, Map<String, Object> settings) {
        SettingValues values = BuiltInSink.POSTGRESQL.values(settings);
        return new PostgresqlSettings(
                new Login(PostgresqlUrl.parse(values.text("url")).orElseThrow(), values.find("user"),
                        values.find("password"), values.text("sslmode")),
                new TableName(values.text("schema"), values.find("table").orElse(crawl.replaceAll("[^a-z0-9]", "_"))),
                values.writes());
    }
}
