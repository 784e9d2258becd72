package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.BlockReader;
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

/** The form of the mirror changes at a restart: from JSON to blocks and back. SQL follows, whatever came before. */
@Tag("A-14")
@Timeout(300)
class MirrorFormIT {

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

    @Test
    void shouldFollowAChangeOfTheFormInBothDirections() throws Exception {
        // given
        services = OwnServices.begin();
        createTopics("json");
        run("json");
        send("a", "b", "c", "d");
        keep(3);
        awaitRows("b c d");
        instance.stop();

        // when
        assertThat(start("blocks").awaitEnd()).as("refused").isNotZero();
        assertThat(instance.log()).contains("has cleanup.policy=compact and should have delete");
        assertThat(createTopics("blocks")).contains("set cleanup.policy=delete on " + services.topic("mirror.events"));
        run("blocks");
        send("e", "f");
        keep(2);

        // then
        awaitRows("e f");
        assertThat(mirror()).anyMatch(record -> BlockReader.isBlock(record.key(), record.value()));
        instance.stop();

        // when
        createTopics("json");
        run("json");
        send("g");

        // then
        awaitRows("f g");
        List<ConsumerRecord<byte[], byte[]>> mirror = mirror();
        assertThat(mirror.get(mirror.size() - 1).key()).isNotNull();
    }

    private void run(String form) throws Exception {
        start(form).awaitReady();
    }

    private InstanceProcess start(String form) throws Exception {
        instance = new InstanceProcess(
                "forms",
                folder,
                services.settingsFile(),
                services.with(Map.of("mirror.format", form, "brake.max.share", "100")));
        return instance.start();
    }

    private List<String> createTopics(String form) {
        return services.createTopics(Map.of("mirror.format", form));
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
