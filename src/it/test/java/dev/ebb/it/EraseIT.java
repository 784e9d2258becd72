package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks for the bytes of erased events wherever they could be: in SQL, on all topics, and in the state. */
@Tag("T-10")
@Tag("T-11")
@Timeout(300)
class EraseIT {

    private static final String SECRET = "very-secret-words-of-42";

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
    void shouldLeaveNoByteThatItDoesNotTellOf() throws Exception {
        // given stored events, and one that is in the archive and the trash alone
        instance = OneInstance.start("erase", folder);
        instance.put("/v1/policies/namespace:shop", "{\"archive\":true}");
        for (int stream = 0; stream < 5; stream++) {
            send("shop/" + stream, "a" + stream, "42", SECRET);
            send("shop/" + stream, "b" + stream, "7", "harmless");
        }
        instance.awaitRows(10);
        instance.done("event", "delete", "shop/4", "a4", "--reason", "tidy up", "--yes");
        instance.awaitRows(9);

        // when
        CommandRun erased = instance.run(
                "erase", "--where", "metadata.user=42", "--case", "GDPR-7", "--reason", "art. 17", "--yes");

        // then
        assertThat(erased.exitCode()).as(erased.toString()).isZero();
        assertThat(erased.out()).contains("COULD STILL BE IN", events(), "no bound");
        instance.awaitRows(5);
        assertThat(rowsWith(SECRET)).isZero();
        JsonNode erasure = instance.json("/v1/erase/GDPR-7").path("erasures").path(0);
        assertThat(erasure.path("events").asLong()).isEqualTo(4);
        assertThat(erasure.path("detail").asText()).startsWith("2 copies");
        assertThat(erasure.path("places").findValuesAsText("name")).containsAll(topicsWith(false));
        // compaction leaves the newest value of each key: nothing but what age alone takes has any byte of them
        assertThat(topicsWith(true)).containsExactly(events());
    }

    private String events() {
        return instance.services().topic("events");
    }

    private void send(String stream, String id, String user, String payload) throws Exception {
        String event = "{\"id\":\"%s\",\"metadata\":{\"user\":\"%s\"},\"payload\":\"%s\"}".formatted(id, user, payload);
        instance.send(stream, event);
    }

    private long rowsWith(String text) throws SQLException {
        return instance.count("SELECT count(*) FROM event WHERE event::text LIKE '%" + text
                + "%' OR convert_from(payload, 'UTF8')" + " LIKE '%" + text + "%'");
    }

    /** Topics on which the bytes are, with all records or with those that compaction would leave. */
    private Set<String> topicsWith(boolean isCompacted) throws Exception {
        Set<String> found = new TreeSet<>();
        OwnServices services = instance.services();
        try (Admin admin = services.admin()) {
            for (String topic : admin.listTopics().names().get()) {
                if (services.isOwn(topic)
                        && records(topic, isCompacted).stream().anyMatch(EraseIT::isSecret)) {
                    found.add(topic);
                }
            }
        }
        return found;
    }

    private List<byte[]> records(String topic, boolean isCompacted) {
        Map<Object, byte[]> newest = new LinkedHashMap<>();
        try (CommittedTopic log = new CommittedTopic(instance.services().bootstrapServers(), topic)) {
            for (ConsumerRecord<byte[], byte[]> record : log.read()) {
                boolean isLog = !isCompacted || record.key() == null || topic.equals(events());
                newest.put(
                        isLog ? record.partition() + "-" + record.offset() : Bytes.wrap(record.key()), record.value());
            }
        }
        return newest.values().stream().filter(value -> value != null).toList();
    }

    private static boolean isSecret(byte[] value) {
        byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
        byte[] inBase64 = Base64.getEncoder().withoutPadding().encode(secret);
        return has(value, secret) || has(value, Arrays.copyOf(inBase64, inBase64.length - 1));
    }

    private static boolean has(byte[] value, byte[] part) {
        for (int from = 0; from + part.length <= value.length; from++) {
            if (Arrays.equals(value, from, from + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }
}
