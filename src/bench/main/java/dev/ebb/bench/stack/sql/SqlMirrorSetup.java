package dev.ebb.bench.stack.sql;

import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.stack.Lane;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.verify.ConnectSettings;
import dev.ebb.sql.ConnectorStatus;
import dev.ebb.sql.MirrorSettings;
import dev.ebb.sql.SqlMirror;
import dev.ebb.sql.SqlSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The way from the mirror topics of a lane to PostgreSQL, set up as by an instance: tables, partitions and sinks. */
public final class SqlMirrorSetup implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final EbbConfig config;
    private final SqlMirror mirror;

    private SqlMirrorSetup(EbbConfig config, SqlMirror mirror) {
        this.config = config;
        this.mirror = mirror;
    }

    /** Sets up the mirror; returns when the tables exist and all sinks run. */
    public static SqlMirrorSetup start(Lane lane) throws InterruptedException {
        EbbConfig config = lane.mirrored();
        SqlMirror mirror = SqlMirror.start(new MirrorSettings(
                config.get(Settings.APPLICATION_ID),
                config.get(Settings.TOPICS_PREFIX),
                new SqlSettings(
                        config.get(Settings.SQL_URL).orElseThrow(),
                        config.get(Settings.SQL_USER),
                        config.get(Settings.SQL_PASSWORD),
                        config.get(Settings.SQL_PASSWORD_FILE)),
                ConnectSettings.access(config),
                config.get(Settings.CONNECT_SINK),
                config.get(Settings.MIRROR_JSON).equals("on"),
                ConfiguredTopology.eventLog(config),
                config.get(Settings.CONNECT_CONFIG_DIR),
                lane.clients().properties()));
        SqlMirrorSetup setup = new SqlMirrorSetup(config, mirror);
        setup.awaitRunning();
        return setup;
    }

    private void awaitRunning() throws InterruptedException {
        Awaiting.until(() -> isRunning(mirror.connectors()), START_LIMIT, "the sinks do not run");
    }

    private static boolean isRunning(List<ConnectorStatus> connectors) {
        return !connectors.isEmpty()
                && connectors.stream().allMatch(sink -> sink.state().equals(ConnectorStatus.RUNNING));
    }

    /** Returns a connection to the database, which the caller closes. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(
                config.get(Settings.SQL_URL).orElseThrow() + "?reWriteBatchedInserts=true",
                config.get(Settings.SQL_USER),
                config.get(Settings.SQL_PASSWORD));
    }

    public static long count(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() {
        mirror.close();
    }
}
