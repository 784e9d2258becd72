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

/** The Redis server of this machine, if it has one, with an append-only file that goes to the disk each second. */
public final class RedisServer implements AutoCloseable {

    private static final String PROGRAM = "redis-server";
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long STOP_LIMIT_S = 10;
    private static final long POLL_MS = 50;

    private final Process process;
    private final int port;

    private RedisServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts it on loopback with its data in the folder; empty if it is not installed. */
    public static Optional<RedisServer> start(Path folder) throws InterruptedException {
        Optional<Path> program = program();
        if (program.isEmpty()) {
            return Optional.empty();
        }
        try {
            Files.createDirectories(folder);
            int port = freePort();
            Process process = new ProcessBuilder(command(program.get(), folder, port))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("redis.log").toFile())
                    .start();
            RedisServer server = new RedisServer(process, port);
            server.awaitReady();
            return Optional.of(server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path program, Path folder, int port) {
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

    private static Optional<Path> program() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, PROGRAM))
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
                    throw new VoidRunException("redis-server does not start: " + e.getMessage(), e);
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }
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
