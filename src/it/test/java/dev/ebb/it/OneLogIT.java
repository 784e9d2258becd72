package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SQL is written from the log of the events; rows as JSON are an output beside it. */
@Tag("A-14")
@Timeout(300)
class OneLogIT {

    private static final String STREAM = "forms%2Fa";

    @TempDir
    private Path folder;

    private OwnServices services;
    private InstanceProcess instance;

    @AfterEach
    void stop() throws Exception {
        if (instance != null) {
            instance.end();
        }
        if (services != null) {
            services.close();
        }
    }

    /** The log tells a new database everything, while events come and go. */
    @Test
    void shouldRebuildADatabaseThatHasLostItsRowsAndPositions() throws Exception {
        // given
        begin("off");
        send("a", "b", "c", "d");
        keep(3);
        awaitRows("b c d");

        // when
        try (Connection sql = services.sql();
                Statement statement = sql.createStatement()) {
            statement.execute("TRUNCATE event; TRUNCATE mirror_position");
        }
        send("e");

        // then
        awaitRows("c d e");
        assertThat(services.createTopics(Map.of("mirror.json", "off")))
                .as("all topics are there")
                .isEmpty();
    }

    @Test
    void shouldSendJsonWhereItIsAskedFor() throws Exception {
        // given
        begin("off");
        send("a", "b");
        awaitRows("a b");
        instance.stop();

        // when
        begin("on");
        send("c");
        keep(2);

        // then
        awaitRows("b c");
        List<String> rows = mirror().stream()
                .map(record -> new String(record.key(), UTF_8) + (record.value() == null ? " goes" : ""))
                .toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).contains("\"event_id\":\"c\"").doesNotContain("goes");
        assertThat(rows.get(1)).contains("\"event_id\":\"a\"").endsWith("goes");
    }

    private void begin(String json) throws Exception {
        if (services == null) {
            services = OwnServices.begin();
        }
        Map<String, String> settings = Map.of("mirror.json", json, "brake.max.share", "100");
        services.createTopics(settings);
        instance = new InstanceProcess("one-log", folder, services.settingsFile(), services.with(settings));
        instance.start().awaitReady();
    }

    private void send(String... ids) throws Exception {
        for (String id : ids) {
            assertThat(instance.post("/v1/streams/" + STREAM + "/events", "{\"id\":\"" + id + "\"}")
                            .statusCode())
                    .isBetween(200, 299);
        }
    }

    private void keep(int events) throws Exception {
        assertThat(instance.put("/v1/policies/namespace:forms", "{\"maxCount\":" + events + "}")
                        .statusCode())
                .isEqualTo(200);
    }

    private List<ConsumerRecord<byte[], byte[]>> mirror() {
        try (CommittedTopic mirror = new CommittedTopic(services.bootstrapServers(), services.topic("mirror.events"))) {
            return mirror.read();
        }
    }

    private void awaitRows(String expected) throws InterruptedException {
        Await.until("SQL has " + expected, Duration.ofSeconds(60), () -> {
            String rows = rows();
            // In brackets, since an empty text would say that nothing is missing.
            return rows.equals(expected) ? "" : "[" + rows + "]";
        });
    }

    private String rows() throws SQLException {
        try (Connection sql = services.sql();
                Statement statement = sql.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT coalesce(string_agg(event_id, ' ' ORDER BY event_id), '')"
                                + " FROM event WHERE stream = 'forms/a'")) {
            row.next();
            return row.getString(1);
        }
    }
}
