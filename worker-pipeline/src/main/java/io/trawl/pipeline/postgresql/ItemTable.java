package io.trawl.pipeline.postgresql;

import static java.util.Objects.requireNonNull;

import io.trawl.pipeline.postgresql.PostgresqlSettings.TableName;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * The tables of items. A table is made with the first item, and gets a column with the first item that has a field. A
 * column of Trawl whose type does not hold a value becomes wider. One instance per database; it remembers the columns
 * until {@link #forget}.
 */
final class ItemTable {
    /** Names of fields may come from pages: a table has at most 1600 columns. */
    private static final int MOST_COLUMNS = 250;
    private final Map<TableName, Map<String, SqlType>> known = new HashMap<>();

    /** The tables may have changed. */
    void forget() {
        known.clear();
    }

    /** Adds rows; one whose id is there replaces it. */
    void add(Connection connection, TableName name, List<ItemRow> rows) throws SQLException {
        Map<String, ItemRow> byId = new LinkedHashMap<>();
        rows.forEach(row -> byId.put(row.id(), row));
        Map<String, SqlType> types = known.containsKey(name)
                ? requireNonNull(known.get(name))
                : columns(connection, name);
        List<ItemRow> fitting = fitting(byId.values().stream().toList(), types);
        if (!holds(types, fitting)) {
            try (Statement statement = connection.createStatement()) {
                lock(statement);
                types = columns(connection, name);
                fitting = fitting(byId.values().stream().toList(), types);
                widen(statement, name, types, fitting);
            }
        }
        known.put(name, types);
        copy(connection, name, types, fitting);
    }

    /** Rows with columns that the table has or may get. */
    private static List<ItemRow> fitting(List<ItemRow> rows, Map<String, SqlType> types) {
        Set<String> columns = new LinkedHashSet<>(ItemRow.FIRST);
        columns.addAll(types.keySet());
        rows.stream().flatMap(row -> row.columns().keySet().stream()).filter(ItemRow::hasColumn)
                .filter(column -> !columns.contains(column) && columns.size() < MOST_COLUMNS).forEach(columns::add);
        columns.remove(ItemRow.MORE);
        return rows.stream().map(row -> row.within(columns)).toList();
    }

    private static Map<String, SqlType> needed(List<ItemRow> rows) {
        Map<String, SqlType> needed = new LinkedHashMap<>();
        ItemRow.FIRST.forEach(column -> needed.put(column, column.equals("epoch") ? SqlType.BIGINT : SqlType.TEXT));
        rows.forEach(row -> row.columns()
                .forEach((column, value) -> needed.merge(column, SqlType.of(column, value), SqlType::with)));
        return needed;
    }

    private static boolean holds(Map<String, SqlType> types, List<ItemRow> rows) {
        return needed(rows).entrySet().stream().allMatch(column -> types.containsKey(column.getKey())
                && requireNonNull(types.get(column.getKey())).with(column.getValue()) == types.get(column.getKey()));
    }

    /** Makes the table and columns that are missing, and changes the types of those that are too narrow. */
    private static void widen(Statement statement, TableName name, Map<String, SqlType> types, List<ItemRow> rows)
            throws SQLException {
        if (types.isEmpty()) {
            statement.execute("CREATE TABLE " + quoted(name) + " (\"id\" text PRIMARY KEY)");
            types.put("id", SqlType.TEXT);
        }
        for (Map.Entry<String, SqlType> column : needed(rows).entrySet()) {
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

    private static void copy(Connection connection, TableName name, Map<String, SqlType> types, List<ItemRow> rows)
            throws SQLException {
        List<String> order = needed(rows).keySet().stream().toList();
        String columns = order.stream().map(ItemTable::quoted).collect(Collectors.joining(", "));
        String lines = rows.stream().map(row -> row.line(order, types)).collect(Collectors.joining());
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE trawl_batch ON COMMIT DROP AS SELECT " + columns + " FROM "
                    + quoted(name) + " WITH NO DATA");
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY trawl_batch FROM STDIN",
                    new StringReader(lines));
            statement.execute("INSERT INTO " + quoted(name) + " (" + columns + ") SELECT * FROM trawl_batch"
                    + " ON CONFLICT (\"id\") DO UPDATE SET " + order.stream().map(ItemTable::quoted)
                            .map(column -> column + " = EXCLUDED." + column).collect(Collectors.joining(", ")));
        } catch (IOException e) {
            throw new SQLException("cannot send items: " + e.getMessage(), e);
        }
    }

    /** Empty if there is no such table. */
    private static Map<String, SqlType> columns(Connection connection, TableName name) throws SQLException {
        Map<String, SqlType> columns = new LinkedHashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = ? AND table_name = ?")) {
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
