package dev.ebb.devstack.process;

import dev.ebb.stacks.Password;
import dev.ebb.stacks.PrivateFiles;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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

/**
 * A PostgreSQL server with the database and the user {@code ebb}. Every client needs a password, also on this machine,
 * since a superuser can run commands as the user that started the stack. The passwords are generated for each data
 * folder.
 */
public final class PostgresProcess extends StackProcess {
    public static final String USER = "ebb";

    private static final String SUPERUSER = "postgres";
    /** Limits in seconds, in case another process on the port accepts connections and never answers. */
    private static final String PROBE = "?loginTimeout=5&socketTimeout=5";

    private static final String ACCESS = "pg_hba.conf";
    private static final String METHOD = "scram-sha-256";

    private final int port;
    private final Password password;
    private final Password superuser;

    public PostgresProcess(StackContext context, Ports ports) throws IOException {
        super(Service.POSTGRES, context);
        this.port = ports.take(Service.POSTGRES);
        this.password = Password.in(context.secret("sql-password"));
        this.superuser = Password.in(context.secret("postgres-superuser"));
    }

    /** Returns the password of the user {@code ebb}. */
    public Password password() {
        return password;
    }

    public String jdbcUrl() {
        return jdbcUrl(USER);
    }

    /** Returns the file of passwords for psql, named by PGPASSFILE, so that no password stands on a command line. */
    public Path passfile() {
        return context().secret("pgpass");
    }

    @Override
    public List<Integer> ports() {
        return List.of(port);
    }

    @Override
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Asks for a fast shutdown: SIGTERM would wait until every client has gone. */
    @Override
    String stopSignal() {
        return "INT";
    }

    @Override
    public List<String> command() throws IOException, InterruptedException {
        var programs = PostgresBinaries.unpackedTo(context().distribution().postgres());
        if (!Files.exists(cluster())) {
            initialise(programs.resolve("initdb"));
        }
        requirePasswords(programs.resolve("postgres"));
        PrivateFiles.write(passfile(), "127.0.0.1:%d:*:%s:%s%n".formatted(port, USER, password.value()));
        var command =
                asUser(programs.resolve("postgres").toString(), "-D", cluster().toString());
        Stream.concat(settings().stream(), context().options(Service.POSTGRES).stream())
                .forEach(setting -> command.addAll(List.of("-c", setting)));
        return command;
    }

    @Override
    public boolean isReady() throws IOException {
        try (var connection = DriverManager.getConnection(jdbcUrl(SUPERUSER) + PROBE, SUPERUSER, superuser.value());
                var statement = connection.createStatement()) {
            createUnlessThere(connection, "pg_roles WHERE rolname", "CREATE ROLE ebb LOGIN");
            // At each start: the file with the password may have been lost, or the cluster may be older than it.
            statement.execute("ALTER ROLE ebb PASSWORD '" + password.value() + "'");
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

    /** Makes the cluster in another folder and then moves it, so that an aborted attempt is not taken for a cluster. */
    private void initialise(Path initdb) throws IOException, InterruptedException {
        var fresh = Path.of(cluster() + ".new");
        FileUtils.deleteDirectory(fresh.toFile());
        PrivateFiles.folder(folder());
        var command = asUser(initdb.toString(), "-D", fresh.toString(), "-U", SUPERUSER, "-A", METHOD);
        command.add("--pwfile=" + superuser.file());
        command.addAll(List.of("-E", "UTF8", "--locale=C", "--no-sync"));
        run("initdb", command, Redirect.from(new File("/dev/null")));
        Files.writeString(fresh.resolve(ACCESS), accessRules());
        Files.move(fresh, cluster(), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Requires passwords of all clients. A cluster whose password files were lost has other passwords: the superuser
     * gets the present password while no client can connect, and then the rules are set.
     */
    private void requirePasswords(Path postgres) throws IOException, InterruptedException {
        var rules = cluster().resolve(ACCESS);
        if (Files.readString(rules).equals(accessRules())) {
            return;
        }
        var statement = PrivateFiles.write(
                folder().resolve("password.sql"),
                "ALTER ROLE %s PASSWORD '%s';%n".formatted(SUPERUSER, superuser.value()));
        try {
            var command =
                    asUser(postgres.toString(), "--single", "-D", cluster().toString(), SUPERUSER);
            run("setting the password", command, Redirect.from(statement.toFile()));
        } finally {
            Files.delete(statement);
        }
        PrivateFiles.write(rules, accessRules());
    }

    private String accessRules() {
        return """
                # Written by Ebb for password %s.
                local all all %s
                host all all 127.0.0.1/32 %s
                """.formatted(superuser.mark(), METHOD, METHOD);
    }

    private void run(String what, List<String> command, Redirect input) throws IOException, InterruptedException {
        var running = new ProcessBuilder(Signals.shielded(command))
                .redirectInput(input)
                .redirectErrorStream(true)
                .redirectOutput(context().log(Service.POSTGRES).open())
                .start();
        if (running.waitFor() != 0) {
            throw new IOException(
                    what + " failed:\n" + context().log(Service.POSTGRES).tail(10));
        }
    }

    /**
     * Returns a command for an unprivileged user where this process is root: PostgreSQL refuses to run as root, but not
     * in a user namespace in which root has another number.
     */
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
