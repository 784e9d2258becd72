package dev.ebb.runtime;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A MariaDB of the binaries that are installed here, such as those of Debian, with a folder and a port of its own. */
final class MariaServer implements AutoCloseable {

    private static final String PASSWORD = "mariadb";
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin");

    private final Process process;
    private final int port;

    private MariaServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns true if the server and its installer are installed. */
    static boolean isInstalled() {
        return program("mariadbd").isPresent() && program("mariadb-install-db").isPresent();
    }

    private static Optional<Path> program(String name) {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)), FOLDERS.stream())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts a server in that folder, which must not exist yet, with the log of changes that Debezium reads.
     *
     * @param statements carried out before anyone connects, one a line
     */
    static MariaServer start(Path folder, List<String> statements) throws Exception {
        Path data = folder.resolve("data").toAbsolutePath();
        Files.createDirectories(data);
        String user = "--user=" + System.getProperty("user.name");
        Process installer = run(
                folder.resolve("install.log"),
                program("mariadb-install-db").orElseThrow().toString(),
                "--no-defaults",
                user,
                "--datadir=" + data,
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        if (!installer.waitFor(60, TimeUnit.SECONDS) || installer.exitValue() != 0) {
            throw new IOException("no database was made: " + Files.readString(folder.resolve("install.log")));
        }
        List<String> first = new ArrayList<>(statements);
        first.add("CREATE OR REPLACE USER 'root'@'127.0.0.1' IDENTIFIED BY '" + PASSWORD + "';");
        first.add("GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;");
        Path init = Files.write(folder.resolve("init.sql").toAbsolutePath(), first);
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process process = run(
                folder.resolve("server.log"),
                program("mariadbd").orElseThrow().toString(),
                "--no-defaults",
                user,
                "--datadir=" + data,
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--skip-name-resolve",
                // Relative to the folder of the data: a path of a socket has at most 107 bytes.
                "--socket=server.sock",
                "--pid-file=server.pid",
                "--server-id=1",
                "--log-bin=changes",
                "--binlog-format=ROW",
                "--binlog-row-image=FULL",
                "--init-file=" + init);
        return new MariaServer(process, port);
    }

    private static Process run(Path log, String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    int port() {
        return port;
    }

    /** Connects to that database as soon as the server is there. */
    Connection connect(String database) throws Exception {
        long startNs = System.nanoTime();
        while (true) {
            try {
                return DriverManager.getConnection(
                        "jdbc:mariadb://127.0.0.1:" + port + "/" + database, "root", PASSWORD);
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(60)) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
