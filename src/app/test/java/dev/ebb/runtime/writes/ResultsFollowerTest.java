package dev.ebb.runtime.writes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("O-11")
@Timeout(60)
class ResultsFollowerTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final TopicPartition P0 = new TopicPartition("ebb.results", 0);
    private static final TopicPartition P1 = new TopicPartition("ebb.results", 1);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AvroRecords records = AvroRecords.of(new InMemorySchemaRegistry());
    private final LatestResults results = new LatestResults(100);
    private final CountDownLatch isAssigned = new CountDownLatch(1);
    private final List<Broker> brokers = new ArrayList<>();
    private final ResultsFollower follower = new ResultsFollower(
            () -> brokers.get(0), records, results, new Topics("ebb.", 2), Clock.fixed(NOW, ZoneOffset.UTC));

    @BeforeEach
    void prepare() {
        records.prepare();
        brokers.add(new Broker(false));
    }

    @AfterEach
    void close() throws InterruptedException {
        follower.close();
        records.close();
    }

    @Test
    void shouldReadTheLastDayAndThenNewResults() throws InterruptedException {
        // given: partition 0 has records from a day ago from offset 3 on, partition 1 has none of that day
        Broker broker = brokers.get(0);

        // when
        follower.start();
        assertThat(isAssigned.await(20, TimeUnit.SECONDS)).isTrue();
        broker.add(P0, 3, State.RUNNING, "c-1");
        broker.add(P0, 4, State.DONE, "c-1");

        // then
        assertThat(results.await("c-1", LONG)).contains(LatestResultsTest.result("c-1", State.DONE, 1));
        assertThat(broker.asked).containsEntry(P0, NOW.minus(Duration.ofDays(1)).toEpochMilli());

        // when
        broker.add(P1, 7, State.REFUSED, "c-2");

        // then
        assertThat(results.await("c-2", LONG)).isPresent();
        assertThat(follower.isCaughtUp()).isTrue();
    }

    @Test
    void shouldStepOverRecordsThatAreNoResults() throws InterruptedException {
        // given
        follower.start();
        assertThat(isAssigned.await(20, TimeUnit.SECONDS)).isTrue();

        // when
        brokers.get(0).add(P0, 3, "nonsense".getBytes(StandardCharsets.UTF_8));
        brokers.get(0).add(P0, 4, null);
        brokers.get(0).add(P0, 5, State.DONE, "c-1");

        // then
        assertThat(results.await("c-1", LONG)).isPresent();
    }

    @Test
    void shouldGoOnWithAnotherConsumerWhenOneFails() throws InterruptedException {
        // given
        brokers.set(0, new Broker(true));

        // when
        follower.start();
        assertThat(isAssigned.await(20, TimeUnit.SECONDS)).isTrue();
        brokers.set(0, new Broker(false));
        Broker next = brokers.get(0);
        assertThat(next.isReadFrom.await(20, TimeUnit.SECONDS)).isTrue();
        next.add(P0, 3, State.DONE, "c-1");

        // then
        assertThat(results.await("c-1", LONG)).isPresent();
    }

    @Test
    void shouldNotBeCaughtUpBeforeItHasReadAnything() {
        assertThat(follower.isCaughtUp()).isFalse();
    }

    /** Partition 0 holds offsets 3 and 4 of the last day, partition 1 only older ones and ends at 7. */
    private final class Broker extends MockConsumer<byte[], byte[]> {

        private final Map<TopicPartition, Long> asked = new HashMap<>();
        private final CountDownLatch isReadFrom = new CountDownLatch(1);
        private final boolean isBroken;

        Broker(boolean isBroken) {
            super("earliest");
            this.isBroken = isBroken;
            updateBeginningOffsets(Map.of(P0, 0L, P1, 0L));
            updateEndOffsets(Map.of(P0, 5L, P1, 7L));
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
            asked.putAll(times);
            isAssigned.countDown();
            isReadFrom.countDown();
            if (isBroken) {
                throw new KafkaException("as the test wants it");
            }
            Map<TopicPartition, OffsetAndTimestamp> first = new HashMap<>();
            first.put(P0, new OffsetAndTimestamp(3, NOW.toEpochMilli()));
            first.put(P1, null);
            return first;
        }

        void add(TopicPartition partition, long offset, State state, String id) {
            add(partition, offset, records.result(LatestResultsTest.result(id, state, 1)));
        }

        void add(TopicPartition partition, long offset, byte[] value) {
            addRecord(new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[0], value));
        }
    }
}
