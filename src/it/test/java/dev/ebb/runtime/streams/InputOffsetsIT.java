package dev.ebb.runtime.streams;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.runtime.EbbApplication;
import dev.ebb.runtime.SharedStack;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RefusedException;
import dev.ebb.runtime.life.RunOutcome;
import dev.ebb.runtime.watch.GroupLag;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.topology.wire.Topics;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The broker forgets the offsets of the group while the state is kept. */
@Timeout(300)
@Tag("I-7")
class InputOffsetsIT {

    private static final int EVENTS = 20;

    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private EbbConfig config;
    private Topics topics;
    private KafkaClients clients;
    private Admin admin;
    private AvroRecords records;
    private InputOffsets offsets;

    @BeforeEach
    void open() throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "commit.interval", "100ms",
                // An instance that refused to run stays a member of the group for that long.
                "kafka.session.timeout.ms", "10000"));
        try (ServerSocket free = new ServerSocket(0)) {
            settings.put("api.listen", "127.0.0.1:" + free.getLocalPort());
        }
        config = SharedStack.config(settings);
        topics = TopicPlan.topics(config);
        clients = new KafkaClients(config);
        admin = clients.admin();
        records = AvroRecords.of(AvroSettings.of(config.schemaRegistryProperties()));
        records.prepare();
        offsets = new InputOffsets(admin, clients, config);
        new TopicAdmin(admin, config).create();
    }

    @AfterEach
    void close() {
        records.close();
        admin.close();
    }

    @Test
    void shouldRefuseToTakeInAgainWhatItsStateHasAndSetTheOffsetsFromIt() throws Exception {
        // given: a first start finds records that were never taken in
        send(EVENTS);
        assertThat(offsets.check()).isEmpty();
        run(this::awaitAll);
        assertThat(offsets.check()).isEmpty();
        Map<TopicPartition, OffsetAndMetadata> before = committed();

        // when
        Answers.of(admin.deleteConsumerGroups(List.of(config.get(Settings.APPLICATION_ID)))
                .all());

        // then: it ends by itself and names what to do
        assertThat(start().get(100, TimeUnit.SECONDS)).isEqualTo(RunOutcome.REFUSED);
        assertThat(said).anySatisfy(line -> assertThat(line)
                .contains("the group has no offset for " + topics.events() + "-0")
                .contains("run 'ebb offsets restore'"));
        List<LostOffset> lost = offsets.check();
        assertThat(lost).extracting(offset -> offset.partition().topic()).contains(topics.events());
        assertThat(offsets.restore(lost)).hasSameSizeAs(lost);
        assertThat(offsets.check()).isEmpty();
        lost.forEach(
                offset -> assertThat(before.get(offset.partition()).offset()).isEqualTo(offset.next()));

        // when it starts again
        said.clear();
        run(() -> {
            send(1);
            awaitAll();
            assertThatThrownBy(() -> offsets.restore(lost)).isInstanceOf(RefusedException.class);
        });
        assertThat(said).noneMatch(line -> line.startsWith("refused"));
    }

    @Test
    void shouldNotTakeInAgainWhatComesToARunningTaskOnceMore() throws Exception {
        // given
        send(EVENTS);
        run(this::awaitAll);

        // when: the offsets are there, and lie before what was taken in
        Map<TopicPartition, OffsetAndMetadata> early = new HashMap<>();
        committed().keySet().stream()
                .filter(partition -> partition.topic().equals(topics.events()))
                .forEach(partition -> early.put(partition, new OffsetAndMetadata(0)));
        Answers.of(admin.alterConsumerGroupOffsets(config.get(Settings.APPLICATION_ID), early)
                .all());

        // then
        assertThat(start().get(100, TimeUnit.SECONDS)).isEqualTo(RunOutcome.REFUSED);
        assertThat(said).anySatisfy(line -> assertThat(line)
                .contains("offset 0 of " + topics.events() + " was already taken in"));

        // when: what it says is done
        List<LostOffset> lost = offsets.check();
        assertThat(lost).isNotEmpty().allSatisfy(offset -> {
            assertThat(offset.partition().topic()).isEqualTo(topics.events());
            assertThat(offset.committed()).isZero();
            assertThat(offset.toString()).contains("offset for " + offset.partition() + " is 0, but");
        });
        Await.until("the broker misses the instance", () -> restored(lost));

        // then
        assertThat(offsets.check()).isEmpty();
        said.clear();
        run(() -> {
            send(1);
            awaitAll();
        });
        assertThat(said).noneMatch(line -> line.startsWith("refused"));
    }

    @Test
    void shouldNameWhatRetentionTookBehindWhatTheStateRemembers() throws Exception {
        // given: more comes after the stop, is deleted, and the broker forgets the offsets
        send(EVENTS);
        run(this::awaitAll);
        TopicPartition events = new TopicPartition(topics.events(), 0);
        long next = committed().get(events).offset();
        try (Producer<byte[], byte[]> producer = clients.producer()) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>(topics.events(), 0, null, new byte[] {1}));
            }
        }
        var before = Map.of(events, RecordsToDelete.beforeOffset(next + 5));
        Answers.of(admin.deleteRecords(before).all());
        Answers.of(admin.deleteConsumerGroups(List.of(config.get(Settings.APPLICATION_ID)))
                .all());

        // when
        InputOffsets.Comparison found = offsets.atStart();

        // then
        assertThat(found.lost()).noneMatch(offset -> offset.partition().equals(events));
        assertThat(found.gone())
                .singleElement()
                .asString()
                .matches("the records of " + events + " from offset (" + (next - 1) + "|" + next + ") to " + (next + 4)
                        + " were deleted by its retention .*");
    }

    @Test
    void shouldStartOnTopicsThatWereMadeAnew() throws Exception {
        // given
        send(EVENTS);
        run(this::awaitAll);

        // when
        Answers.of(admin.deleteTopics(List.of(topics.events())).all());
        Await.until(
                "the topic is gone",
                () -> Answers.of(admin.listTopics().names()).contains(topics.events()) ? "it is there" : "");
        new TopicAdmin(admin, config).create();
        send(EVENTS);

        // then
        assertThat(offsets.check()).isEmpty();
        run(this::awaitAll);
        assertThat(said).noneMatch(line -> line.startsWith("refused"));
    }

    /** An instance that refused is a member of the group until its session times out. */
    private String restored(List<LostOffset> lost) {
        try {
            offsets.restore(lost);
            return "";
        } catch (RefusedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void send(int count) {
        try (Producer<byte[], byte[]> producer = clients.producer()) {
            for (int i = 0; i < count; i++) {
                String stream = "s/" + i % 7;
                byte[] value = records.event(event(stream, "e" + i).build());
                producer.send(new ProducerRecord<>(topics.events(), stream.getBytes(StandardCharsets.UTF_8), value));
            }
        }
    }

    private void awaitAll() throws InterruptedException {
        try (GroupLagOf lag = new GroupLagOf()) {
            Await.until(
                    "all is taken in", () -> lag.measure() == 0 && !committed().isEmpty() ? "" : "not yet");
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() {
        return Answers.of(admin.listConsumerGroupOffsets(config.get(Settings.APPLICATION_ID))
                .partitionsToOffsetAndMetadata());
    }

    private CompletableFuture<RunOutcome> start() {
        EbbApplication application = new EbbApplication(config, observer());
        return CompletableFuture.supplyAsync(application::run);
    }

    private void run(Work work) throws Exception {
        EbbApplication application = new EbbApplication(config, observer());
        CompletableFuture<RunOutcome> running = CompletableFuture.supplyAsync(application::run);
        try {
            work.run();
        } finally {
            application.stop();
            running.get(100, TimeUnit.SECONDS);
        }
    }

    private LifecycleObserver observer() {
        return new LifecycleObserver() {
            @Override
            public void refused(String reason) {
                said.add("refused " + reason);
            }
        };
    }

    private interface Work {
        void run() throws Exception;
    }

    private final class GroupLagOf implements AutoCloseable {

        private final Consumer<byte[], byte[]> reader = clients.reader();
        private final Admin own = clients.admin();
        private final GroupLag lag =
                new GroupLag(reader, own, config.get(Settings.APPLICATION_ID), List.of(topics.events()));

        private long measure() {
            return lag.measure();
        }

        @Override
        public void close() {
            reader.close();
            own.close();
        }
    }
}
