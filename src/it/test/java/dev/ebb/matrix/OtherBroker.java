package dev.ebb.matrix;

import dev.ebb.devstack.process.OutsideBroker;
import dev.ebb.it.Await;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/** A broker of another version, in a process with its own libraries. */
final class OtherBroker implements OutsideBroker {

    private final Path libraries;
    private final Path folder;
    private final int port = freePort();
    private Process process;

    OtherBroker(Path libraries, Path folder) {
        this.libraries = libraries;
        this.folder = folder;
    }

    /** Starts it; returns when it answers. */
    OtherBroker start() throws IOException, InterruptedException {
        Path settings = folder.resolve("server.properties");
        try (var out = Files.newBufferedWriter(settings)) {
            settings().store(out, null);
        }
        Process format = java(
                "kafka.tools.StorageTool",
                "format",
                "--config",
                settings.toString(),
                "--cluster-id",
                Uuid.randomUuid().toString());
        if (format.waitFor() != 0) {
            throw new IOException(Files.readString(log()));
        }
        process = java("kafka.Kafka", settings.toString());
        Map<String, Object> client = Map.of(
                "bootstrap.servers", bootstrapServers(), "request.timeout.ms", 2000, "default.api.timeout.ms", 2000);
        Await.until("the broker", Duration.ofSeconds(120), () -> {
            if (!process.isAlive()) {
                throw new AssertionError(Files.readString(log()));
            }
            try (Admin admin = Admin.create(client)) {
                return admin.describeCluster().nodes().get().isEmpty() ? "no node" : "";
            }
        });
        return this;
    }

    private Process java(String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                libraries + File.separator + "*",
                main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path log() {
        return folder.resolve("broker.log");
    }

    private Properties settings() {
        int controller = freePort();
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "controller.quorum.voters", "1@127.0.0.1:" + controller,
                "listeners", "PLAINTEXT://" + bootstrapServers() + ",CONTROLLER://127.0.0.1:" + controller,
                "advertised.listeners", "PLAINTEXT://" + bootstrapServers(),
                "controller.listener.names", "CONTROLLER",
                "log.dirs", folder.resolve("log").toString(),
                "auto.create.topics.enable", "false",
                "offsets.topic.num.partitions", "1",
                "offsets.topic.replication.factor", "1"));
        settings.putAll(Map.of(
                "transaction.state.log.num.partitions", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "group.initial.rebalance.delay.ms", "0",
                "log.cleaner.dedupe.buffer.size", "16777216"));
        return settings;
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
