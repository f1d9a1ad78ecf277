package io.trawl.pipeline.postgresql;

import static java.util.Objects.requireNonNull;

import io.trawl.definition.sink.ItemVersion;
import io.trawl.definition.sink.WriteMode;
import io.trawl.pipeline.postgresql.PostgresqlSettings.TableName;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/**
 * The tables of items. A table is made with the first item, and gets a column with the first item that has a field. A
 * column of Trawl whose type does not hold a value becomes wider. One instance per database; it remembers the columns
 * until {@link #forget}.
 */
final class ItemTable {
    /** Names of fields may come from pages: a table has at most 1600 columns. */
    private static final int MOST_COLUMNS = 250;
    /**
     * What an upsert empties if the item does not have it: all that Trawl makes, and no column with a value of its own.
     */
    private static final String EMPTIED = " AND is_nullable = 'YES' AND column_default IS NULL AND is_generated = 'NEVER'";
    private static final Set<String> NUMBERS = Set.of("epoch", ItemRow.VERSION);
    private final Map<TableName, Map<String, SqlType>> known = new HashMap<>();

    /** What tells rows apart, and the columns that all of them have. */
    private record RowForm(String key, List<String> first) {
        static final RowForm APPENDED = new RowForm("id", ItemRow.FIRST);
        static final RowForm UPSERTED = new RowForm("key",
                Stream.concat(ItemRow.FIRST.stream(), Stream.of("change", ItemRow.VERSION)).toList());

        static RowForm of(WriteMode writes) {
            return writes == WriteMode.APPEND ? APPENDED : UPSERTED;
        }

        Map<String, SqlType> needed(List<ItemRow> rows) {
            Map<String, SqlType> needed = new LinkedHashMap<>();
            first.forEach(column -> needed.put(column, NUMBERS.contains(column) ? SqlType.BIGINT : SqlType.TEXT));
            rows.forEach(row -> row.columns()
                    .forEach((column, value) -> needed.merge(column, SqlType.of(column, value), SqlType::with)));
            return needed;
        }

        /** Rows with columns that the table has or may get. */
        List<ItemRow> fitting(List<ItemRow> rows, Map<String, SqlType> types) {
            Set<String> columns = new LinkedHashSet<>(first);
            columns.addAll(types.keySet());
            rows.stream().flatMap(row -> row.columns().keySet().stream()).filter(ItemRow::hasColumn)
                    .filter(column -> !columns.contains(column) && columns.size() < MOST_COLUMNS).forEach(columns::add);
            columns.remove(ItemRow.MORE);
            return rows.stream().map(row -> row.within(columns)).toList();
        }
    }

    /** The tables may have changed. */
    void forget() {
        known.clear();
    }

    /** Adds rows; one whose id is there replaces it, or else one with its key that is older. */
    void add(Connection connection, TableName name, WriteMode writes, List<ItemRow> rows) throws SQLException {
        RowForm form = RowForm.of(writes);
        Map<String, ItemRow> byId = new LinkedHashMap<>();
        rows.forEach(row -> byId.put(row.id(), row));
        Map<String, SqlType> types = known.containsKey(name)
                ? requireNonNull(known.get(name))
                : columns(connection, name);
        List<ItemRow> fitting = form.fitting(byId.values().stream().toList(), types);
        if (!holds(types, form.needed(fitting))) {
            try (Statement statement = connection.createStatement()) {
                lock(statement);
                types = columns(connection, name);
                fitting = form.fitting(byId.values().stream().toList(), types);
                widen(statement, name, types, form, fitting);
            }
        }
        known.put(name, types);
        List<String> order = form.needed(fitting).keySet().stream().toList();
        Map<String, SqlType> held = types;
        copy(connection, name, order, fitting.stream().map(row -> row.line(order, held)).collect(Collectors.joining()),
                writes == WriteMode.APPEND ? replacing(order) : upserting(connection, name, writes, order));
    }

    private static boolean holds(Map<String, SqlType> types, Map<String, SqlType> needed) {
        return needed.entrySet().stream().allMatch(column -> types.containsKey(column.getKey())
                && requireNonNull(types.get(column.getKey())).with(column.getValue()) == types.get(column.getKey()));
    }

    /** Makes the table and columns that are missing, and changes the types of those that are too narrow. */
    private static void widen(Statement statement, TableName name, Map<String, SqlType> types, RowForm form,
            List<ItemRow> rows) throws SQLException {
        if (types.isEmpty()) {
            statement.execute("CREATE TABLE " + quoted(name) + " (" + quoted(form.key()) + " text PRIMARY KEY)");
            types.put(form.key(), SqlType.TEXT);
        }
        for (Map.Entry<String, SqlType> column : form.needed(rows).entrySet()) {
            SqlType now = types.get(column.getKey());
            SqlType wanted = now == null ? column.getValue() : now.with(column.getValue());
            String what = quoted(column.getKey());
            if (now == null) {
                statement.execute("ALTER TABLE " + quoted(name) + " ADD COLUMN " + what + " " + wanted.sql());
            } else if (now != wanted) {
                statement.execute("ALTER TABLE " + quoted(name) + " ALTER COLUMN " + what + " TYPE " + wanted.sql()
                        + " USING " + what + "::" + wanted.sql());
            }
            types.put(column.getKey(), wanted);
        }
    }

    /** The whole row is as the item. */
    private static String replacing(Collection<String> order) {
        return " ON CONFLICT (\"id\") DO UPDATE SET " + order.stream().map(ItemTable::quoted)
                .map(column -> column + " = EXCLUDED." + column).collect(Collectors.joining(", "));
    }

    /** The same for a row that is older; a mark leaves the columns that it does not have. */
    private static String upserting(Connection connection, TableName name, WriteMode writes, List<String> order)
            throws SQLException {
        Set<String> columns = new LinkedHashSet<>(order);
        columns.addAll(select(connection, name, EMPTIED).keySet());
        columns.remove(RowForm.UPSERTED.key());
        String away = ItemVersion.AWAY.stream().map(change -> "'" + change + "'")
                .collect(Collectors.joining(", ", "change IN (", ")"));
        return " ON CONFLICT (\"key\") DO UPDATE SET "
                + columns.stream().map(ItemTable::quoted)
                        .map(column -> column + " = CASE WHEN EXCLUDED." + away + " THEN coalesce(EXCLUDED." + column
                                + ", stored." + column + ") ELSE EXCLUDED." + column + " END")
                        .collect(Collectors.joining(", "))
                + " WHERE coalesce(stored." + ItemRow.VERSION + ", 0) < EXCLUDED." + ItemRow.VERSION
                + (writes == WriteMode.DELETE
                        ? "; DELETE FROM " + quoted(name) + " stored USING trawl_batch given"
                                + " WHERE stored.key = given.key AND stored." + away
                        : "");
    }

    private static void copy(Connection connection, TableName name, List<String> order, String lines, String conflict)
            throws SQLException {
        String columns = order.stream().map(ItemTable::quoted).collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE trawl_batch AS SELECT " + columns + " FROM " + quoted(name)
                    + " WITH NO DATA");
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY trawl_batch FROM STDIN",
                    new StringReader(lines));
            statement.execute("INSERT INTO " + quoted(name) + " AS stored (" + columns + ") SELECT * FROM trawl_batch"
                    + conflict + "; DROP TABLE trawl_batch");
        } catch (IOException e) {
            throw new SQLException("cannot send items: " + e.getMessage(), e);
        }
    }

    /** Empty if there is no such table. */
    private static Map<String, SqlType> columns(Connection connection, TableName name) throws SQLException {
        return select(connection, name, "");
    }

    private static Map<String, SqlType> select(Connection connection, TableName name, String which)
            throws SQLException {
        Map<String, SqlType> columns = new LinkedHashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = ? AND table_name = ?"
                        + which)) {
            select.setString(1, name.schema());
            select.setString(2, name.table());
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    columns.put(found.getString(1), SqlType.of(found.getString(2)));
                }
            }
        }
        return columns;
    }

    /** Whether a table with this name exists. */
    static boolean exists(Connection connection, String table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            select.setString(1, table);
            try (ResultSet found = select.executeQuery()) {
                return found.next() && found.getBoolean(1);
            }
        }
    }

    /** Only one process at a time changes tables. */
    static void lock(Statement statement) throws SQLException {
        statement.execute("SELECT pg_advisory_xact_lock(hashtext('trawl'))");
    }

    private static String quoted(TableName name) {
        return quoted(name.schema()) + "." + quoted(name.table());
    }

    /** A name in SQL, whatever its characters. */
    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
