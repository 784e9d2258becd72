package dev.ebb.sink;

import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.PostgresProcess;
import dev.ebb.devstack.process.Service;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A PostgreSQL with a table {@code thing}, into which the sink writes, and the positions of the sink. */
final class ThingTable implements AutoCloseable {

    /** The tables of the sinks themselves, as the migrations make them. */
    private static final List<String> TABLES_OF_SINKS = List.of("V8__mirror_positions.sql", "V11__refused_rows.sql");

    private static final Path MIGRATIONS = Path.of("config/sql");

    /** A trigger that notes each row that is written, and has the faults that {@link #fault} asks for. */
    private static final String WATCHED = """
            CREATE TABLE thing (at timestamptz, name text, kind text NOT NULL CHECK (kind <> 'forbidden'),
                PRIMARY KEY (at, name));
            CREATE INDEX ON thing (kind);
            CREATE TABLE written (name text, kind text);
            CREATE TABLE fault (name text PRIMARY KEY, code text);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
            DECLARE found text := (SELECT code FROM fault WHERE fault.name = new.name);
            BEGIN
                IF found IS NOT NULL THEN
                    RAISE EXCEPTION 'a fault' USING ERRCODE = found;
                END IF;
                INSERT INTO written VALUES (new.name, new.kind);
                RETURN new;
            END $$;
            CREATE TRIGGER note BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION note();
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
    static ThingTable start(Path dataDir, String sql) throws SQLException, IOException {
        ThingTable table = start(dataDir);
        for (String migration : TABLES_OF_SINKS) {
            table.execute(Files.readString(MIGRATIONS.resolve(migration)));
        }
        table.execute(sql);
        return table;
    }

    /**
     * Starts the database with a table whose column {@code kind} is indexed and never {@code forbidden}, and that notes
     * in the table {@code written} all that was written.
     */
    static ThingTable startWatched(Path dataDir) throws SQLException, IOException {
        return start(dataDir, WATCHED);
    }

    /** Starts the database with all tables that the application makes. */
    static ThingTable startMigrated(Path dataDir) throws SQLException, IOException {
        ThingTable table = start(dataDir);
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            for (Path file :
                    files.sorted(Comparator.comparing(ThingTable::number)).toList()) {
                table.execute(Files.readString(file));
            }
        }
        return table;
    }

    private static int number(Path migration) {
        String name = migration.getFileName().toString();
        return Integer.parseInt(name.substring(1, name.indexOf('_')));
    }

    private static ThingTable start(Path dataDir) {
        return new ThingTable(TestStack.builder(dataDir)
                .without(Service.BROKER, Service.CONNECT, Service.REGISTRY, Service.APP)
                .start());
    }

    void empty() throws SQLException {
        execute("TRUNCATE thing; TRUNCATE mirror_position; TRUNCATE mirror_refused");
    }

    /** Empties all of {@link #startWatched}. */
    void emptyWatched() throws SQLException {
        empty();
        execute("TRUNCATE written; TRUNCATE fault");
    }

    /** Has a watched table meet that fault with each row of the name. */
    void fault(String name, String code) throws SQLException {
        execute("INSERT INTO fault VALUES ('" + name + "', '" + code
                + "') ON CONFLICT (name) DO UPDATE SET code = excluded.code");
    }

    /** Settings of a sink, which may be given others. */
    Map<String, String> sink() {
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
                "thing"));
    }

    /** The refused rows: the name of each, the code of the error and whether it was to be deleted. */
    List<String> refused() throws SQLException {
        return texts("SELECT concat_ws(' ', row_key::json ->> 'name', code, CASE WHEN deleted THEN 'deleted' END)"
                + " FROM mirror_refused ORDER BY 1");
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
