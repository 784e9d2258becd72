package dev.ebb.sink;

import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.PostgresProcess;
import dev.ebb.devstack.process.Service;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A PostgreSQL with a table {@code thing}, into which the sink writes, and the positions of the sink. */
final class ThingTable implements AutoCloseable {

    private static final String POSITIONS = """
        CREATE TABLE mirror_position (connector text, topic text, partition integer, position bigint NOT NULL,
            PRIMARY KEY (connector, topic, partition));
        """;

    private final DevStack stack;

    private ThingTable(DevStack stack) {
        this.stack = stack;
    }

    /**
     * Starts the database.
     *
     * @param dataDir for its data
     * @param sql makes the table
     */
    static ThingTable start(Path dataDir, String sql) throws SQLException {
        ThingTable table = new ThingTable(TestStack.builder(dataDir)
                .without(Service.BROKER, Service.CONNECT, Service.REGISTRY, Service.APP)
                .start());
        table.execute(POSITIONS + sql);
        return table;
    }

    void empty() throws SQLException {
        execute("TRUNCATE thing; TRUNCATE mirror_position");
    }

    /** Settings of a sink that knows these columns, and may be given others. */
    Map<String, String> sink(String columns) {
        return new HashMap<>(Map.of(
                "name",
                "things",
                "connection.url",
                stack.endpoints().jdbcUrl(),
                "connection.username",
                stack.endpoints().sqlUser(),
                "connection.password",
                stack.endpoints().sqlPassword(),
                "table",
                "thing",
                "columns",
                columns));
    }

    PostgresProcess postgres() {
        return stack.postgres();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of what the query finds. */
    List<String> texts(String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                stack.endpoints().jdbcUrl(),
                stack.endpoints().sqlUser(),
                stack.endpoints().sqlPassword());
    }

    @Override
    public void close() {
        stack.close();
    }
}
