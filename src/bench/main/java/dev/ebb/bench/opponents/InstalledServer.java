package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.VoidRunException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server of another system that is installed on this machine, if any: on loopback, with its data in a folder of the
 * measurement.
 */
public final class InstalledServer implements AutoCloseable {

    public static final String REDIS = "redis-server";
    public static final String NATS = "nats-server";
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long STOP_LIMIT_S = 10;
    private static final long POLL_MS = 50;

    private final String name;
    private final Process process;
    private final int port;

    private InstalledServer(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /** Starts Redis with an append-only file that is flushed to disk each second; empty if it is not installed. */
    public static Optional<InstalledServer> redis(Path folder) throws InterruptedException {
        return start(REDIS, folder, InstalledServer::redisCommand);
    }

    /**
     * Starts NATS with JetStream and its default settings, by which files are flushed to disk every two minutes; empty
     * if it is not installed.
     */
    public static Optional<InstalledServer> nats(Path folder) throws InterruptedException {
        return start(NATS, folder, InstalledServer::natsCommand);
    }

    /** Returns the command that starts a program. */
    private interface Command {
        List<String> of(Path program, Path folder, int port);
    }

    private static Optional<InstalledServer> start(String name, Path folder, Command command)
            throws InterruptedException {
        Optional<Path> program = program(name);
        if (program.isEmpty()) {
            return Optional.empty();
        }
        try {
            Files.createDirectories(folder);
            int port = freePort();
            Process process = new ProcessBuilder(command.of(program.get(), folder, port))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve(name + ".log").toFile())
                    .start();
            InstalledServer server = new InstalledServer(name, process, port);
            server.awaitReady();
            return Optional.of(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> natsCommand(Path program, Path folder, int port) {
        return List.of(
                program.toString(),
                "--addr",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--jetstream",
                "--store_dir",
                folder.toString());
    }

    private static List<String> redisCommand(Path program, Path folder, int port) {
        return List.of(
                program.toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "everysec");
    }

    private static Optional<Path> program(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws InterruptedException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Socket socket = connect()) {
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    close();
                    throw new VoidRunException(name + " does not start: " + e.getMessage(), e);
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }
    }

    public int port() {
        return port;
    }

    public Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    public OptionalLong pid() {
        return OptionalLong.of(process.pid());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
