package io.trawl.pipeline.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.ItemVersion;
import io.trawl.definition.sink.WriteMode;
import io.trawl.pipeline.spi.SinkProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Items in tables of PostgreSQL, a row for each, or for the newest of each key. The rows of a batch and its position
 * are one transaction of the database, so that a batch that comes again, also late from a process that was paused, does
 * nothing. No driver is loaded before the first batch.
 */
public final class PostgresqlSink implements Sink {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration IDLE = Duration.ofMinutes(1);
    /** A call that was given up may still have one. */
    private static final int CONNECTIONS = 2;
    private final CrawlVariables variables;
    private final Supplier<String> log;
    private final Duration answer;
    private final Map<PostgresqlSettings.Login, Database> databases = new HashMap<>();

    private record Database(HikariDataSource pool, ItemTable table) {}

    /**
     * @param variables with the passwords
     * @param log what the positions of items belong to; another log counts from its own beginning
     * @param answer how long the server may take for a statement
     */
    public PostgresqlSink(CrawlVariables variables, Supplier<String> log, Duration answer) {
        this.answer = answer;
        this.variables = variables;
        this.log = log;
    }

    /** Makes it. */
    public static final class PostgresqlProvider implements SinkProvider {
        @Override
        public Sink create(SinkSetup setup) {
            return new PostgresqlSink(setup.variables(), setup.log(), setup.answer());
        }
    }

    @Override
    public String type() {
        return BuiltInSink.POSTGRESQL.type();
    }

    @Override
    public void store(SinkBatch batch) throws SQLException {
        PostgresqlSettings settings = PostgresqlSettings.of(batch.crawl(), batch.settings());
        Database database = databases.computeIfAbsent(settings.login(),
                login -> new Database(open(login), new ItemTable()));
        try (Connection connection = connection(database.pool())) {
            try {
                store(connection, database.table(), settings, batch);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                database.table().forget();
                rollBack(connection, e);
                throw e;
            }
        }
    }

    private void store(Connection connection, ItemTable table, PostgresqlSettings settings, SinkBatch batch)
            throws SQLException {
        StoredBatches stored = new StoredBatches(connection, settings.table().schema());
        long before = stored.position(log.get(), batch);
        List<PlacedItem> fresh = batch.items().stream().filter(item -> item.position() > before).toList();
        if (!fresh.isEmpty()) {
            boolean append = settings.writes() == WriteMode.APPEND;
            for (List<PlacedItem> round : append ? List.of(fresh) : ItemVersion.rounds(fresh)) {
                table.add(connection, settings.table(), settings.writes(), round.stream()
                        .map(placed -> append ? ItemRow.of(placed.item()) : ItemRow.versioned(placed.item())).toList());
            }
            stored.reached(log.get(), batch, fresh.getLast().position());
        }
    }

    /** The pool says only how long it has waited, and its cause why. */
    private static Connection connection(HikariDataSource pool) throws SQLException {
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException e) {
            throw e.getCause() instanceof SQLException cause ? cause : e;
        }
    }

    private static void rollBack(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private HikariDataSource open(PostgresqlSettings.Login login) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setServerNames(new String[]{login.url().host()});
        server.setPortNumbers(new int[]{login.url().port()});
        server.setDatabaseName(login.url().database());
        login.user().ifPresent(server::setUser);
        login.password().ifPresent(password -> server.setPassword(variables.resolve(password)));
        server.setSslMode(login.sslMode());
        if (login.sslMode().startsWith("verify")) {
            // With the authorities that this process trusts.
            server.setSslfactory("org.postgresql.ssl.DefaultJavaSSLFactory");
        }
        server.setApplicationName("trawl");
        server.setConnectTimeout((int) CONNECT.toSeconds());
        server.setLoginTimeout((int) CONNECT.toSeconds());
        server.setSocketTimeout((int) Math.max(1, answer.toSeconds()));
        // Poolers such as PgBouncer keep no prepared statements, and tables change.
        server.setPrepareThreshold(0);
        HikariConfig config = new HikariConfig();
        config.setDataSource(server);
        config.setAutoCommit(false);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        config.setIdleTimeout(IDLE.toMillis());
        config.setConnectionTimeout(CONNECT.plusSeconds(1).toMillis());
        config.setInitializationFailTimeout(-1);
        config.setPoolName("postgresql-" + login.url().host());
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        databases.values().forEach(database -> database.pool().close());
    }
}
