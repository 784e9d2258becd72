package dev.ebb.devstack;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** A PostgreSQL server with the database and the user {@code ebb}; it trusts everyone on this machine. */
public final class PostgresProcess extends StackProcess {
    static final String USER = "ebb";
    static final String PASSWORD = "ebb";

    private static final String SUPERUSER = "postgres";

    private final int port;

    PostgresProcess(StackContext context, Ports ports) {
        super(Service.POSTGRES, context);
        this.port = ports.take(Service.POSTGRES);
    }

    String jdbcUrl() {
        return jdbcUrl(USER);
    }

    @Override
    int port() {
        return port;
    }

    @Override
    String address() {
        return "127.0.0.1:" + port;
    }

    /** A fast shutdown: SIGTERM would wait until every client has gone. */
    @Override
    String stopSignal() {
        return "INT";
    }

    @Override
    List<String> command() throws IOException, InterruptedException {
        var programs = PostgresBinaries.unpackedTo(context().distribution().postgres());
        if (!Files.exists(cluster())) {
            initialise(programs.resolve("initdb"));
        }
        var command =
                asUser(programs.resolve("postgres").toString(), "-D", cluster().toString());
        Stream.concat(settings().stream(), context().options(Service.POSTGRES).stream())
                .forEach(setting -> command.addAll(List.of("-c", setting)));
        return command;
    }

    @Override
    boolean isReady() throws IOException {
        try (var connection = DriverManager.getConnection(jdbcUrl(SUPERUSER), SUPERUSER, "")) {
            createUnlessThere(
                    connection, "pg_roles WHERE rolname", "CREATE ROLE ebb LOGIN PASSWORD '" + PASSWORD + "'");
            createUnlessThere(connection, "pg_database WHERE datname", "CREATE DATABASE ebb OWNER ebb");
            return true;
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private List<String> settings() {
        return List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "max_connections=50",
                "shared_buffers=64MB",
                "jit=off");
    }

    /** Makes the cluster beside its place, so that a broken off attempt is not taken for one. */
    private void initialise(Path initdb) throws IOException, InterruptedException {
        var fresh = Path.of(cluster() + ".new");
        FileUtils.deleteDirectory(fresh.toFile());
        Files.createDirectories(folder());
        var command = asUser(initdb.toString(), "-D", fresh.toString(), "-U", SUPERUSER, "-A", "trust");
        command.addAll(List.of("-E", "UTF8", "--locale=C", "--no-sync"));
        var initialising = new ProcessBuilder(Signals.shielded(command))
                .redirectErrorStream(true)
                .redirectOutput(context().log(Service.POSTGRES).open())
                .start();
        if (initialising.waitFor() != 0) {
            throw new IOException(
                    "initdb failed:\n" + context().log(Service.POSTGRES).tail(10));
        }
        Files.move(fresh, cluster(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** PostgreSQL refuses to run as root, but not in a name space where root has another number. */
    private static List<String> asUser(String... command) {
        var prefixed = new ArrayList<String>();
        if (LinuxUtils.isUnshareAvailable()) {
            prefixed.addAll(List.of("unshare", "-U"));
        }
        prefixed.addAll(List.of(command));
        return prefixed;
    }

    private static void createUnlessThere(Connection connection, String catalog, String create) throws SQLException {
        try (var statement = connection.createStatement();
                var found = statement.executeQuery("SELECT 1 FROM " + catalog + " = 'ebb'")) {
            if (!found.next()) {
                connection.createStatement().execute(create);
            }
        }
    }

    private Path cluster() {
        return folder().resolve("cluster");
    }

    private String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }
}
