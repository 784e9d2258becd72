package dev.ebb.devstack.process;

import static java.util.Map.entry;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** A Kafka broker that is its own KRaft controller. */
public final class BrokerProcess extends StackProcess {
    private static final int CONTROLLER_PORT = 9093;
    private static final int PROBE_TIMEOUT_MS = 2000;

    private final int port;
    private final int controllerPort;

    public BrokerProcess(StackContext context, Ports ports) {
        super(Service.BROKER, context);
        this.port = ports.take(Service.BROKER);
        this.controllerPort = ports.take(CONTROLLER_PORT);
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public List<Integer> ports() {
        return List.of(port, controllerPort);
    }

    @Override
    public String address() {
        return bootstrapServers();
    }

    @Override
    public List<String> command() throws IOException {
        var settings = ServiceJvm.settings(folder().resolve("server.properties"), settings());
        var options =
                List.of("-Xms64m", "-Xmx512m", "-cp", context().distribution().brokerClasspath());
        var program = List.of(BrokerMain.class.getName(), settings.toString(), logFolder());
        return ServiceJvm.command(context(), Service.BROKER, options, program);
    }

    @Override
    public boolean isReady() throws IOException {
        try (var socket = new Socket()) {
            // A Kafka client would log a warning at each try until the port is open.
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PROBE_TIMEOUT_MS);
        }
        return hasUnfencedNode();
    }

    private boolean hasUnfencedNode() throws IOException {
        var config = Map.<String, Object>of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers(),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PROBE_TIMEOUT_MS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PROBE_TIMEOUT_MS);
        try (var admin = Admin.create(config)) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private String logFolder() {
        return folder().resolve("log").toString();
    }

    private Map<String, String> settings() {
        return Map.ofEntries(
                entry("process.roles", "broker,controller"),
                entry("node.id", "1"),
                entry("controller.quorum.voters", "1@127.0.0.1:" + controllerPort),
                entry("listeners", "PLAINTEXT://" + bootstrapServers() + ",CONTROLLER://127.0.0.1:" + controllerPort),
                entry("advertised.listeners", "PLAINTEXT://" + bootstrapServers()),
                entry("controller.listener.names", "CONTROLLER"),
                entry("inter.broker.listener.name", "PLAINTEXT"),
                entry("log.dirs", logFolder()),
                entry("auto.create.topics.enable", "false"),
                entry("offsets.topic.num.partitions", "4"),
                entry("offsets.topic.replication.factor", "1"),
                // A stack that was off for longer than the default of a week must not read all input again.
                entry("offsets.retention.minutes", "525600"),
                entry("transaction.state.log.num.partitions", "4"),
                entry("transaction.state.log.replication.factor", "1"),
                entry("transaction.state.log.min.isr", "1"),
                entry("share.coordinator.state.topic.num.partitions", "4"),
                entry("share.coordinator.state.topic.replication.factor", "1"),
                entry("share.coordinator.state.topic.min.isr", "1"),
                // The threads of an instance join together; a thread that joins too late costs another round of 3 s.
                entry("group.initial.rebalance.delay.ms", "500"),
                // The default of 128 MiB is taken from the heap at the start.
                entry("log.cleaner.dedupe.buffer.size", "16777216"),
                entry("log.retention.check.interval.ms", "30000"),
                // Both indexes of a segment are mapped. With their default of 10 MiB a first entry makes the kernel
                // clear most of that, in each partition. 1 MiB is enough for some 350 MB of a log.
                entry("log.index.size.max.bytes", "1048576"),
                // A request is larger than the usual fixed buffers, and would be split.
                entry("socket.send.buffer.bytes", "-1"),
                entry("socket.receive.buffer.bytes", "-1"),
                entry("num.network.threads", "2"),
                entry("num.io.threads", "4"));
    }
}
