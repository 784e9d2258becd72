package dev.ebb.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.devstack.DevStack;
import dev.ebb.runtime.SharedStack;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * The services that the tests of a process share, for one test at a time: with topics of its own, an empty database, and sinks
 * that go with it.
 */
public final class OwnServices implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final DevStack stack;
    private final String name;

    /** The settings with which the topics were made. */
    private Map<String, String> made = Map.of();

    private OwnServices(DevStack stack, String name) {
        this.stack = stack;
        this.name = name;
    }

    public static OwnServices begin() throws SQLException {
        OwnServices own = new OwnServices(SharedStack.withSql(), SharedStack.name());
        try (Connection sql = own.sql();
                Statement statement = sql.createStatement()) {
            statement.execute("DROP SCHEMA public CASCADE");
            statement.execute("CREATE SCHEMA public");
        }
        return own;
    }

    /** What all tests of the process share; what one stops it starts again. */
    public DevStack stack() {
        return stack;
    }

    /** The name of its application, with which those of its sinks begin. */
    public String name() {
        return name;
    }

    /** The settings file of all tests; {@link #settings} go before it. */
    Path settingsFile() {
        return stack.settingsFile();
    }

    Map<String, String> settings() {
        return Map.of(
                "application.id",
                name,
                "topics.prefix",
                name + ".",
                "connect.urls",
                stack.endpoints().connectUrl(),
                "sql.url",
                stack.endpoints().jdbcUrl());
    }

    /** These settings and others. */
    Map<String, String> with(Map<String, String> further) {
        Map<String, String> all = new HashMap<>(settings());
        all.putAll(further);
        return all;
    }

    EbbConfig config(Map<String, String> further) {
        return EbbConfig.load(new ConfigSources(settingsFile(), Map.of(), with(further)));
    }

    Admin admin() {
        return new KafkaClients(config(Map.of())).admin();
    }

    /** Makes or mends the topics; returns what it did. */
    List<String> createTopics(Map<String, String> further) {
        made = Map.copyOf(further);
        try (Admin admin = admin()) {
            return new TopicAdmin(admin, config(further)).create();
        }
    }

    /**
     * Has the broker clean the topics of the instance at once, as if the times of their settings were over; or as their
     * settings want it.
     */
    void spareTheTimesOfCompaction(boolean isAtOnce) throws Exception {
        try (Admin admin = admin()) {
            Map<String, String> atOnce = Map.of(
                    "delete.retention.ms", "0",
                    "file.delete.delay.ms", "0",
                    "segment.ms", "1000",
                    "min.cleanable.dirty.ratio", "0.001",
                    "max.compaction.lag.ms", "1000");
            Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
            for (String topic : admin.listTopics().names().get()) {
                if (isOwn(topic)) {
                    changes.put(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes(atOnce, isAtOnce));
                }
            }
            changes.put(
                    new ConfigResource(ConfigResource.Type.BROKER, ""),
                    changes(Map.of("log.cleaner.backoff.ms", "500"), isAtOnce));
            admin.incrementalAlterConfigs(changes).all().get();
        }
        if (!isAtOnce) {
            createTopics(made);
        }
    }

    private static List<AlterConfigOp> changes(Map<String, String> values, boolean isSet) {
        return values.entrySet().stream()
                .map(entry -> new AlterConfigOp(
                        new ConfigEntry(entry.getKey(), entry.getValue()),
                        isSet ? AlterConfigOp.OpType.SET : AlterConfigOp.OpType.DELETE))
                .toList();
    }

    /** The full name of a topic, such as {@code events}. */
    public String topic(String kind) {
        return name + "." + kind;
    }

    /** Returns true for topics of the instance, changelogs included. */
    boolean isOwn(String topic) {
        return topic.startsWith(name + ".") || topic.startsWith(name + "-");
    }

    String bootstrapServers() {
        return stack.endpoints().bootstrapServers();
    }

    public Connection sql() throws SQLException {
        return DriverManager.getConnection(
                stack.endpoints().jdbcUrl(),
                stack.endpoints().sqlUser(),
                stack.endpoints().sqlPassword());
    }

    /** Takes the sinks away, once the instance that would start them again has ended. */
    @Override
    public void close() throws IOException, InterruptedException {
        List<?> sinks = JSON.readValue(send("GET", "").body(), List.class);
        for (Object sink : sinks) {
            // While the worker shares out its tasks it takes no other wish.
            Await.until("the sink " + sink + " is gone", () -> {
                int status = send("DELETE", "/" + sink).statusCode();
                return status == 204 || status == 404 ? "" : "answer " + status;
            });
        }
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        URI connectors = URI.create(stack.endpoints().connectUrl() + "/connectors" + path);
        HttpRequest request = HttpRequest.newBuilder(connectors)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
