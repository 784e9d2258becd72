package dev.ebb.devstack;

import dev.ebb.devstack.process.OutsideBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** Kafka's own image, in the version of the clients, with the settings of the broker of a stack. */
final class ContainerBroker implements TestBroker, OutsideBroker {

    private static final DockerImageName IMAGE =
            DockerImageName.parse("apache/kafka").withTag(AppInfoParser.getVersion());
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PROBE_TIMEOUT_MS = 2000;
    private static final int LINES_OF_LOG = 20;

    private final KafkaContainer container = new KafkaContainer(IMAGE)
            .withEnv(Map.of(
                    "KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false",
                    "KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS", "4",
                    "KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS", "4",
                    "KAFKA_SHARE_COORDINATOR_STATE_TOPIC_NUM_PARTITIONS", "4",
                    "KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0",
                    "KAFKA_HEAP_OPTS", "-Xms128m -Xmx512m"));

    /** Asks once for the whole run, and says so in the output of the build. */
    static boolean isEngineThere() {
        return Engine.IS_THERE;
    }

    @Override
    public DevStackBuilder into(DevStackBuilder builder) {
        // A port of our own, since the engine would take another one after a kill.
        container.setPortBindings(List.of("127.0.0.1:" + freePort() + ":9092"));
        container.start();
        return builder.broker(this);
    }

    /** Starts the broker for a test without a stack, and returns its address. */
    String startAlone() {
        container.start();
        return bootstrapServers();
    }

    @Override
    public String bootstrapServers() {
        return container.getBootstrapServers();
    }

    @Override
    public void kill(DevStack stack) {
        container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void start(DevStack stack) {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        try {
            Await.until("the broker answers", SOON, this::answers);
        } catch (Exception e) {
            throw new AssertionError("the broker does not come back", e);
        }
    }

    @Override
    public void close() {
        container.stop();
    }

    private boolean answers() {
        if (!container.isRunning()) {
            throw new AssertionError("the container has ended, and its log ends with:\n" + endOfLog());
        }
        Map<String, Object> config = Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers(),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PROBE_TIMEOUT_MS,
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PROBE_TIMEOUT_MS);
        try (Admin admin = Admin.create(config)) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private String endOfLog() {
        List<String> lines = container.getLogs().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answer that is found out once. */
    private static final class Engine {

        private static final boolean IS_THERE = ask();

        private static boolean ask() {
            boolean isThere = DockerClientFactory.instance().isDockerAvailable();
            System.out.println(
                    isThere
                            ? "Integration tests: the broker is a container of " + IMAGE
                            : "Integration tests with a broker in a container are SKIPPED: no Docker engine answers");
            return isThere;
        }
    }
}
