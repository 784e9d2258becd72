package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.event.Event;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.TopicAdmin;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A state folder from before events were deleted comes back after their tombstones are gone from the changelog. Folders
 * that are as old as that are rebuilt, so the deleted events stay away. The control runs first: with a folder whose age
 * cannot be seen, they are back, which shows that the rest of this test tests something. It leaves the stack spoilt.
 */
final class OldState implements Fault {

    private static final int STREAMS = 20;
    private static final int EVENTS = 2000;
    private static final Duration OLDER_THAN_ALLOWED = Duration.ofDays(5);
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String NAMESPACE = "gone";

    @Override
    public String name() {
        return "oldstate";
    }

    @Override
    public boolean isSmoke() {
        return false;
    }

    @Override
    public boolean spoilsStack() {
        return true;
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        Instance only = alone(stack);
        List<Event> deleted = stack.load().kept(NAMESPACE, STREAMS, EVENTS);
        LivingReads.of(stack, deleted).close();
        only.stop();
        Path old = stack.folder().resolve("old-state");
        Folders.copy(only.stateFolder(), old);

        only.start();
        forgetTombstones(stack);
        purge(only.url());
        awaitForgotten(stack);
        // An instance refuses to start on changelogs that forget tombstones so soon.
        stack.kafka().topics(TopicAdmin::create);

        only.stop();
        replace(only.stateFolder(), old, Instant.now());
        only.setting("sweep.enabled", "false").start();
        long zombies = stored(only);
        only.stop();
        if (zombies == 0) {
            throw new AssertionError("the control shows no zombies: the tombstones cannot be gone");
        }
        run.remark("without the guard " + zombies + " of " + EVENTS + " events are back");

        replace(only.stateFolder(), old, Instant.now().minus(OLDER_THAN_ALLOWED));
        only.setting("sweep.enabled", null).start();
        if (stored(only) != 0) {
            throw new AssertionError("deleted events are back: " + stored(only));
        }
        run.round();
        for (Instance instance : stack.instances()) {
            Folders.delete(instance == only ? old : instance.stateFolder());
        }
        stack.awaitReady();
    }

    /** One instance keeps everything, and nothing comes in that is not of this test. */
    private static Instance alone(FaultStack stack) throws InterruptedException {
        stack.load().pause();
        Instance only = stack.any();
        for (Instance instance : stack.instances()) {
            if (instance != only) {
                instance.stop();
            }
        }
        Await.until("one instance keeps all", PATIENCE, () -> {
            int kept =
                    Rest.get(only.url(), "/v1/status").body().path("partitions").size();
            return kept >= FaultStack.PARTITIONS ? "" : "it keeps " + kept;
        });
        return only;
    }

    /** Spares the test a week: tombstones are dropped as soon as they are compacted, and that is at once. */
    private static void forgetTombstones(FaultStack stack) throws Exception {
        Map<String, String> atOnce = Map.of(
                "delete.retention.ms", "0",
                "segment.ms", "1000",
                "min.cleanable.dirty.ratio", "0.001",
                "min.compaction.lag.ms", "0",
                "max.compaction.lag.ms", "1000");
        stack.alter(ConfigResource.Type.TOPIC, changelogs(stack), atOnce);
        stack.alter(ConfigResource.Type.BROKER, List.of(""), Map.of("log.cleaner.backoff.ms", "500"));
    }

    private static List<String> changelogs(FaultStack stack) throws Exception {
        return stack.admin().listTopics().names().get().stream()
                .filter(topic -> topic.endsWith("-changelog"))
                .toList();
    }

    private static void purge(URI url) throws InterruptedException {
        String body = "{\"commandId\":\"old-state\",\"namespace\":\"%s\",\"limit\":%d,\"reason\":\"fault suite\"}"
                .formatted(NAMESPACE, STREAMS);
        Await.until("the purge is done", PATIENCE, () -> {
            JsonNode answer = Rest.send("POST", url, "/v1/purge?wait=20", body).body();
            return answer.path("state").asText().equals("DONE") ? "" : answer.toString();
        });
    }

    /** Goes on sending, since only segments that are closed are compacted, until no tombstone of an event is left. */
    private static void awaitForgotten(FaultStack stack) throws Exception {
        String topic = changelogs(stack).stream()
                .filter(name -> name.contains("events"))
                .findFirst()
                .orElseThrow();
        Map<TopicPartition, Long> purgedAt;
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(stack)) {
            purgedAt = consumer.endOffsets(partitions(consumer, topic));
        }
        stack.load().resume();
        try {
            Await.until("the tombstones are compacted away", PATIENCE, () -> {
                long left = tombstones(stack, purgedAt);
                return left == 0 ? "" : left + " are left";
            });
        } finally {
            stack.load().pause();
        }
    }

    private static long tombstones(FaultStack stack, Map<TopicPartition, Long> until) {
        Set<TopicPartition> partitions = until.keySet();
        long tombstones = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(stack)) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(at -> consumer.position(at) < ends.get(at))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    TopicPartition at = new TopicPartition(record.topic(), record.partition());
                    tombstones += record.value() == null && record.offset() < until.get(at) ? 1 : 0;
                }
            }
        }
        return tombstones;
    }

    private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        return consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    private static KafkaConsumer<byte[], byte[]> consumer(FaultStack stack) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        stack.services().endpoints().bootstrapServers(),
                        "isolation.level",
                        "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Puts a copy of the old folder in the place of the state, the folders of its tasks of that age. */
    private static void replace(Path state, Path old, Instant age) throws IOException {
        Folders.delete(state);
        Folders.copy(old, state);
        List<Path> tasks = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(state)) {
            paths.filter(Files::isDirectory).forEach(tasks::add);
        }
        for (Path task : tasks) {
            Files.setLastModifiedTime(task, FileTime.from(age));
        }
    }

    private static long stored(Instance instance) throws IOException, InterruptedException {
        long events = 0;
        for (JsonNode stream : Rest.get(instance.url(), "/v1/streams?namespace=" + NAMESPACE + "&limit=1000")
                .body()
                .path("streams")) {
            events += stream.path("events").longValue();
        }
        return events;
    }
}
