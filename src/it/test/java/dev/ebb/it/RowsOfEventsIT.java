package dev.ebb.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.runtime.kafka.KafkaClients;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A policy takes rows out of SQL and brings them back, over the real broker, the real sink and a database that is lost. */
@Tag("F-13")
@Timeout(300)
class RowsOfEventsIT {

    private static final String POLICY = "/v1/policies/namespace:shop";

    @TempDir
    private Path folder;

    private OneInstance instance;

    @AfterEach
    void stop() throws Exception {
        if (instance != null) {
            instance.close();
        }
    }

    @Test
    void shouldTakeRowsAwayAndBringThemBack() throws Exception {
        // given
        instance = OneInstance.start("rows", folder);
        for (int i = 0; i < 4; i++) {
            instance.send(
                    "shop/a", "{\"id\":\"e%d\",\"status\":\"%s\"}".formatted(i, i == 0 ? "pending" : "completed"));
        }
        instance.send("mail/b", "{\"id\":\"stays\"}");
        Map<String, String> before = new TreeMap<>(instance.awaitRows(5));

        // when
        instance.put(POLICY, "{\"mirror\":\"none\",\"updatedBy\":\"ann\",\"reason\":\"the shop has a table\"}");

        // then
        assertThat(instance.awaitRows(1)).containsOnlyKeys("mail/b stays");
        Await.until("the row of the audit", () -> {
            long found = instance.count("SELECT count(*) FROM retention_audit WHERE kind = 'ROWS' AND stream = 'shop/a'"
                    + " AND scope = 'namespace:shop' AND policy_version IS NOT NULL AND events = 4"
                    + " AND reason = 'the shop has a table'");
            return found == 1 ? "" : found + " rows";
        });
        assertThat(instance.count("SELECT count(*) FROM retention_policy WHERE mirror = 'none'"))
                .isEqualTo(1);
        assertThat(instance.json("/v1/streams/shop%2Fa")
                        .path("usage")
                        .path("events")
                        .asLong())
                .isEqualTo(4);
        requireNoDifference();

        // when the database is lost, and a delete is made
        instance.done("event", "delete", "shop/a", "e3", "--reason", "by hand", "--yes");
        try (Connection sql = instance.services().sql();
                Statement statement = sql.createStatement()) {
            statement.execute("TRUNCATE event; TRUNCATE mirror_position");
        }
        instance.send("shop/a", "{\"id\":\"e4\"}");
        instance.send("mail/b", "{\"id\":\"new\"}");

        // then it is rebuilt without the rows
        assertThat(instance.awaitRows(2)).containsOnlyKeys("mail/b stays", "mail/b new");
        Await.until("the delete in the audit", () -> {
            long found = instance.count(
                    "SELECT count(*) FROM retention_audit WHERE kind = 'DELETE' AND event_ids @> '[\"e3\"]'");
            return found == 1 ? "" : found + " rows";
        });
        requireNoDifference();

        // when
        instance.killAndRestart();
        instance.put(POLICY, "{\"mirror\":\"all\"}");

        // then the rows are those of the events that live
        Map<String, String> after = instance.awaitRows(6);
        assertThat(after).containsKeys("shop/a e4", "mail/b new").doesNotContainKey("shop/a e3");
        before.remove("shop/a e3");
        assertThat(after).containsAllEntriesOf(before);
        requireNoDifference();
    }

    /** An event that was made from a record of a log is stored in a form of its own. */
    @Test
    @Tag("F-4")
    @Tag("F-5")
    void shouldHaveRowsOfTheEventsOfSources() throws Exception {
        // given
        instance = OneInstance.start("rows-of-sources", folder);
        KafkaClients clients = new KafkaClients(instance.services().config(Map.of()));
        String table = "shop.table." + instance.services().name();
        String log = "shop.log." + instance.services().name();
        try (Admin admin = clients.admin();
                Producer<byte[], byte[]> producer = clients.producer()) {
            admin.createTopics(List.of(new NewTopic(table, 1, (short) 1), new NewTopic(log, 1, (short) 1)))
                    .all()
                    .get();
            for (String topic : List.of(table, log)) {
                producer.send(new ProducerRecord<>(topic, "k".getBytes(UTF_8), "{\"of\":\"a\"}".getBytes(UTF_8)))
                        .get();
            }
        }

        // when
        String source = "{\"name\": \"%1$s\", \"topic\": \"%2$s\", \"as\": \"%1$s\", \"stream\": \"%1$s/{value.of}\"}";
        instance.post(
                "/v1/policies:apply?reason=r",
                "{\"sources\": [%s, %s]}".formatted(source.formatted("table", table), source.formatted("log", log)));

        // then
        assertThat(instance.awaitRows(2)).containsOnlyKeys("table/a k", "log/a 0-0");
        requireNoDifference();
    }

    private void requireNoDifference() {
        instance.done("verify");
    }
}
