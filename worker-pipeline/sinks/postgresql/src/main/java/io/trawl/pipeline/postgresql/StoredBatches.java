package io.trawl.pipeline.postgresql;

import io.trawl.api.SinkBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How far the items of each partition are stored, in a table of their own beside the items. In the transaction of a
 * batch.
 */
final class StoredBatches {
    /** The name of the table. */
    static final String TABLE = "trawl_positions";
    private static final long NONE = -1;
    private final Connection connection;
    private final String table;

    StoredBatches(Connection connection, String schema) {
        this.connection = connection;
        this.table = ItemTable.quoted(schema) + "." + TABLE;
    }

    /**
     * The last position that is stored, which no other transaction changes until this one ends. A process that is
     * paused in its transaction loses it after a while, so that the next owner of its partition does not wait for it.
     */
    long position(String log, SinkBatch batch) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL idle_in_transaction_session_timeout = 15000; SET LOCAL lock_timeout = 15000");
            if (!ItemTable.exists(connection, table)) {
                ItemTable.lock(statement);
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS " + table + " (log text, crawl text, sink text, partition integer,"
                                + " position bigint NOT NULL, PRIMARY KEY (log, crawl, sink, partition))");
            }
        }
        try (PreparedStatement insert = statement(log, batch,
                "INSERT INTO " + table + " VALUES (?, ?, ?, ?, " + NONE + ") ON CONFLICT DO NOTHING")) {
            insert.executeUpdate();
        }
        try (PreparedStatement select = statement(log, batch,
                "SELECT position FROM " + table
                        + " WHERE log = ? AND crawl = ? AND sink = ? AND partition = ? FOR UPDATE");
                ResultSet found = select.executeQuery()) {
            return found.next() ? found.getLong(1) : NONE;
        }
    }

    /** The items up to a position are stored. */
    void reached(String log, SinkBatch batch, long position) throws SQLException {
        try (PreparedStatement update = statement(log, batch, "UPDATE " + table + " SET position = " + position
                + " WHERE log = ? AND crawl = ? AND sink = ? AND partition = ?")) {
            update.executeUpdate();
        }
    }

    private PreparedStatement statement(String log, SinkBatch batch, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, log);
        statement.setString(2, batch.crawl());
        statement.setString(3, batch.sink());
        statement.setInt(4, batch.partition());
        return statement;
    }
}
