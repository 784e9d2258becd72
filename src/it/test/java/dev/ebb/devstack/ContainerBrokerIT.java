package dev.ebb.devstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.it.ShortStory;
import dev.ebb.runtime.EbbApplication;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LoggingLifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.ContainerFetchException;

/**
 * An instance on the broker of Kafka's own image, by Testcontainers; the profile {@code containers} runs all integration
 * tests on it. Where no Docker engine answers, or its image cannot be had, the build says so and goes on.
 */
@Tag("R-12")
@Timeout(240)
class ContainerBrokerIT {

    @TempDir
    private Path folder;

    @Test
    void shouldServeOnTheBrokerOfAContainer() throws Exception {
        assumeTrue(ContainerBroker.isEngineThere(), "no Docker engine answers, so there is no broker in a container");
        try (ContainerBroker broker = new ContainerBroker()) {
            requireThatItServes(started(broker));
        }
    }

    private static String started(ContainerBroker broker) {
        try {
            return broker.startAlone();
        } catch (ContainerFetchException e) {
            String what = "SKIPPED: the image of the broker cannot be had: " + e.getMessage();
            System.out.println(what);
            assumeTrue(false, what);
            throw e;
        }
    }

    private void requireThatItServes(String bootstrapServers) throws Exception {
        EbbConfig config = EbbConfig.load(new ConfigSources(
                null,
                Map.of(),
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "application.id",
                        "contained",
                        "topics.partitions",
                        "2",
                        "state.dir",
                        folder.toString(),
                        "schema.registry.url",
                        "",
                        "api.listen",
                        "127.0.0.1:" + freePort())));
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        EbbApplication application = new EbbApplication(config, new LoggingLifecycleObserver());
        CompletableFuture<RunOutcome> running = CompletableFuture.supplyAsync(application::run);
        try {
            ShortStory story = new ShortStory(URI.create(config.apiUrl()));
            story.awaitReady();
            story.begin();
            story.end();
        } finally {
            application.stop();
        }
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
