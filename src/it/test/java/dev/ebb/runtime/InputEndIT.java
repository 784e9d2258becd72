package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.streams.InputTargets;
import dev.ebb.runtime.streams.KafkaInputTargets;
import dev.ebb.runtime.watch.GroupLag;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the input ends when its last offsets are those of transaction markers and aborted records. */
@Tag("O-1")
@Timeout(120)
class InputEndIT {

    private final EbbConfig config = SharedStack.config(Map.of());
    private final Topics topics = TopicPlan.topics(config);
    private final TopicPartition input = new TopicPartition(topics.events(), 1);
    private final KafkaClients clients = new KafkaClients(config);
    private final Admin admin = clients.admin();
    private final InputTargets targets =
            new KafkaInputTargets(clients::reader, admin, config.get(Settings.APPLICATION_ID));

    @BeforeEach
    void createTopics() {
        new TopicAdmin(admin, config).create();
    }

    @AfterEach
    void close() {
        targets.close();
        admin.close();
    }

    @Test
    void shouldBeNowhereInAnEmptyPartition() {
        assertThat(targets.lastUncommitted(input)).isEqualTo(InputTargets.NONE);
        assertThat(lag()).isZero();
    }

    @Test
    void shouldBeTheLastRecordOfAPlainProducer() {
        // given
        send(3);

        // then
        assertThat(targets.lastUncommitted(input)).isEqualTo(2);
        assertThat(lag()).isEqualTo(3);
    }

    @Test
    void shouldBeBeforeTheMarkerOfACommittedTransaction() {
        // given: records 0 to 2, a marker, records 4 and 5, a marker
        send(3, true);
        send(2, true);

        // then
        assertThat(targets.lastUncommitted(input)).isEqualTo(5);
        assertThat(targets.last(input)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 300})
    void shouldBeBeforeAbortedRecordsHoweverMany(int aborted) {
        // given
        send(2, true);
        send(aborted, false);

        // then
        assertThat(targets.lastUncommitted(input)).isEqualTo(1);
        assertThat(lag()).isEqualTo(2);
    }

    @Test
    void shouldBeNowhereWhenAllThatIsLeftWasAborted() {
        // given
        send(2, true);
        commit(2);
        send(40, false);

        // then
        assertThat(targets.lastUncommitted(input)).isEqualTo(InputTargets.NONE);
        assertThat(targets.last(input)).isEqualTo(1);
        assertThat(lag()).isZero();
    }

    @Test
    void shouldNotCountWhatTheGroupHasCommitted() {
        // given
        send(5);

        // when
        commit(4);

        // then
        assertThat(targets.lastUncommitted(input)).isEqualTo(4);
        assertThat(lag()).isEqualTo(1);
        commit(5);
        assertThat(targets.lastUncommitted(input)).isEqualTo(InputTargets.NONE);
        assertThat(lag()).isZero();
    }

    @Test
    void shouldNotWaitForATransactionThatIsStillOpen() {
        // given
        send(2);
        try (Producer<byte[], byte[]> open =
                clients.transactionalProducer(config.get(Settings.APPLICATION_ID) + "-open")) {
            open.initTransactions();
            open.beginTransaction();
            var unused = open.send(record());
            open.flush();

            // then
            assertThat(targets.lastUncommitted(input)).isEqualTo(1);
        }
    }

    private long lag() {
        try (Consumer<byte[], byte[]> reader = clients.reader()) {
            return new GroupLag(reader, admin, config.get(Settings.APPLICATION_ID), List.of(topics.events())).measure();
        }
    }

    private void commit(long offset) {
        Answers.of(admin.alterConsumerGroupOffsets(
                        config.get(Settings.APPLICATION_ID), Map.of(input, new OffsetAndMetadata(offset)))
                .all());
    }

    private void send(int records) {
        try (Producer<byte[], byte[]> producer = clients.producer()) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(record());
            }
        }
    }

    private void send(int records, boolean isCommitted) {
        try (Producer<byte[], byte[]> producer =
                clients.transactionalProducer(config.get(Settings.APPLICATION_ID) + "-sender")) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < records; i++) {
                var unused = producer.send(record());
            }
            producer.flush();
            if (isCommitted) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private ProducerRecord<byte[], byte[]> record() {
        return new ProducerRecord<>(input.topic(), input.partition(), null, "value".getBytes(StandardCharsets.UTF_8));
    }
}
