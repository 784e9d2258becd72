package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks for the bytes of erased events wherever they could be: in SQL, on all topics, and in the state. */
@Tag("T-10")
@Tag("T-11")
@Timeout(600)
class EraseIT {

    private static final int STREAMS = 3;
    private static final String SECRET = "very-secret-words-of-42";

    @TempDir
    private Path folder;

    private OneInstance instance;
    private int rounds;

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
        // compaction leaves the newest value of each key: only what age or a cut takes has any byte of them
        assertThat(topicsWith(true)).containsExactlyInAnyOrder(events(), log());
    }

    /** The list names places by times; once these are over, neither a file of the broker nor one of the state has a byte. */
    @Test
    void shouldLeaveNoByteInAnyFileBehindTheNamedTimes() throws Exception {
        // given bytes that lie in files
        Map<String, String> settings = Map.of("topics.max.compaction.lag", "1m", "mirror.json", "on");
        instance = OneInstance.start("erase-files", folder, settings);
        instance.put("/v1/policies/namespace:shop", "{\"archive\":true}");
        for (int stream = 0; stream < STREAMS; stream++) {
            send("shop/" + stream, "a" + stream, "42", SECRET);
        }
        for (int stream = 0; stream < STREAMS; stream++) {
            send("kept/" + stream, "k", "7", "harmless");
        }
        instance.awaitRows(2 * STREAMS);
        instance.done("event", "delete", "shop/0", "a0", "--reason", "tidy up", "--yes");
        instance.awaitRows(2 * STREAMS - 1);
        OwnServices services = instance.services();
        Assumptions.assumeFalse(topicsWithFiles().isEmpty(), "the broker keeps its files elsewhere");
        assertThat(topicsWithFiles())
                .contains(events(), services.topic("mirror.events"), services.topic("trash"), services.topic("archive"))
                .anyMatch(topic -> topic.endsWith("-changelog"));

        // when
        instance.done("erase", "--where", "metadata.user=42", "--case", "GDPR-8", "--reason", "art. 17", "--yes");
        instance.awaitRows(STREAMS);

        // then each topic whose files have them is named, and so are the files of the state
        List<String> places =
                instance.json("/v1/erase/GDPR-8").at("/erasures/0/places").findValuesAsText("name");
        assertThat(places).containsAll(topicsWithFiles()).anyMatch(name -> name.startsWith("files of the state"));

        // when the times are over
        services.spareTheTimesOfCompaction(true);
        try {
            Await.until("the files are compacted or cut", Duration.ofMinutes(6), () -> {
                comeAndGo();
                Set<String> left = topicsWithFiles();
                left.remove(events());
                return left.isEmpty() ? "" : "left in " + left;
            });
        } finally {
            services.spareTheTimesOfCompaction(false);
        }

        // then the one topic that is left goes by age alone, and a state that is made anew has none
        assertThat(instance.json("/v1/erase/GDPR-8").at("/erasures/0/places")).anySatisfy(place -> {
            assertThat(place.path("name").asText()).isEqualTo(events());
            assertThat(place.path("until").asText()).isNotEmpty();
        });
        instance.restartWithoutState();
        instance.process().stop();
        assertThat(filesWith(instance.process().state(), file -> true)).isEmpty();

        // then the rest of the log has all that was to stay
        instance.process().start().awaitReady();
        for (int stream = 0; stream < STREAMS; stream++) {
            assertThat(instance.json("/v1/streams/kept%2F" + stream + "/events")
                            .at("/events/0/id")
                            .asText())
                    .isEqualTo("k");
        }
    }

    /** Only segments that are closed are compacted, so records must go on coming to every topic. */
    private void comeAndGo() throws Exception {
        int round = rounds++;
        for (int stream = 0; stream < STREAMS; stream++) {
            send("shop/" + stream, "h" + round, "7", "harmless");
            instance.process().delete("/v1/streams/shop%2F" + stream + "/events/h" + round + "?reason=test");
        }
    }

    /** Topics of the instance of which a file of the broker has the bytes, one that it is about to delete as well. */
    private Set<String> topicsWithFiles() throws IOException {
        Set<String> topics = new TreeSet<>();
        for (Path file : filesWith(
                instance.services().settingsFile().getParent(),
                file -> file.getFileName().toString().contains(".log"))) {
            String partition = file.getParent().getFileName().toString();
            String topic = partition.substring(0, Math.max(0, partition.lastIndexOf('-')));
            if (instance.services().isOwn(topic)) {
                topics.add(topic);
            }
        }
        return topics;
    }

    private static List<Path> filesWith(Path root, Predicate<Path> meant) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (meant.test(file) && attributes.isRegularFile() && isSecret(Files.readAllBytes(file))) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            /** The broker deletes files meanwhile. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private String log() {
        return instance.services().name() + "-events-changelog";
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
