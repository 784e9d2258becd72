package dev.ebb.undo;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.FoundTrash;
import dev.ebb.topology.trash.TestSeals;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The part of the trash that an undo and an audit read. */
@Tag("T-16")
class TrashPlacesTest {

    private static final TopicPartition PARTITION = new TopicPartition("ebb.trash", 3);
    private static final StreamName STREAM = new StreamName("orders/1");
    private static final UndoFilter FILTER = new UndoFilter("c-1", null, null, null, null, null, null, null);
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = 24 * HOUR_MS;
    private static final long DELETED_MS = 100 * DAY_MS;
    private static final int FORMER = 50;

    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final List<Long> polled = new ArrayList<>();

    private boolean isThere = true;

    @Test
    void shouldReadFromTheTimeOfTheDeleteOn() {
        // given
        former();
        Deletion deletion = deletion("c-1", DELETED_MS);
        put("a", deletion, DELETED_MS);
        put("b", deletion, DELETED_MS + 1);

        // when
        TrashReading reading = read(TestSeals.promising(STREAM, deletion, 2, 1));

        // then
        assertThat(reading.problem()).isNull();
        assertThat(reading.take(10)).extracting(found -> found.key().id()).containsExactly("a", "b");
        assertThat(reading.found().missingEvents()).isZero();
        assertThat(polled).isNotEmpty().allMatch(offset -> offset >= FORMER);
    }

    /** The clock of the task was ahead, and the broker's was not: the time of the delete is no proof of its place. */
    @Test
    void shouldReadAllIfTheTimeOfTheDeleteMisleads() {
        // given
        former();
        Deletion deletion = deletion("c-1", DELETED_MS + 40 * DAY_MS);
        put("a", deletion, DELETED_MS);
        put("b", deletion, DELETED_MS + 1);

        // when
        TrashReading reading = read(TestSeals.promising(STREAM, deletion, 2, 1));

        // then
        assertThat(reading.take(10)).extracting(found -> found.key().id()).containsExactly("a", "b");
        assertThat(reading.found().missingEvents()).isZero();
    }

    @Test
    void shouldNameWhatIsMissingAfterHavingReadAll() {
        // given
        former();
        Deletion deletion = deletion("c-1", DELETED_MS);
        put("a", deletion, DELETED_MS);

        // when
        TrashReading reading = read(TestSeals.promising(STREAM, deletion, 3, 1));

        // then
        assertThat(reading.take(10)).hasSize(1);
        assertThat(reading.found().missingEvents()).isEqualTo(2);
        assertThat(polled).contains(0L);
    }

    @Test
    void shouldAuditByALookAtTheFirstRecord() {
        // given
        former();
        Deletion deletion = deletion("c-1", DELETED_MS);
        put("a", deletion, DELETED_MS);

        // when nothing is promised that is older, and when the first record is that of the last audit
        TrashAuditing promised = audit(TestSeals.promising(STREAM, deletion, 1, 1), -1);
        TrashAuditing known = audit(TestSeals.promising(STREAM, deletion, 1, 0), promised.head());

        // then
        assertThat(List.of(promised, known)).allSatisfy(audit -> {
            assertThat(audit.isDone()).isTrue();
            assertThat(audit.head()).isEqualTo(1);
            assertThat(audit.found()).isNull();
        });
    }

    @Test
    void shouldCountAllIfTheFirstRecordIsAnotherOne() {
        // given
        former();
        Deletion deletion = deletion("c-1", DELETED_MS);
        put("a", deletion, DELETED_MS);

        // when
        TrashAuditing audit = audit(TestSeals.promising(STREAM, deletion, 5, 0), -1);

        // then
        assertThat(audit.isDone()).isTrue();
        assertThat(missing(audit)).isEqualTo(4);
    }

    @Test
    void shouldMissAllOfATopicThatIsGone() {
        // given
        isThere = false;

        // when
        TrashAuditing audit = audit(TestSeals.promising(STREAM, deletion("c-1", DELETED_MS), 5, 0), -1);

        // then
        assertThat(audit.isDone()).isTrue();
        assertThat(missing(audit)).isEqualTo(5);
    }

    private static long missing(TrashAuditing audit) {
        FoundTrash found = Objects.requireNonNull(audit.found());
        return found.missingEvents();
    }

    private TrashReading read(TrashGuard guard) {
        TrashReading reading = new TrashReading(PARTITION, FILTER, "u-1", guard);
        reading.run(this::consumer);
        return reading;
    }

    private TrashAuditing audit(TrashGuard guard, long lastHead) {
        TrashAuditing audit = new TrashAuditing(PARTITION, guard, lastHead, System::nanoTime);
        audit.run(this::consumer);
        return audit;
    }

    private static Deletion deletion(String command, long deletedMs) {
        return new Deletion(
                RemovalCause.DELETE, "command", -1, "", List.of(), "", command, deletedMs, deletedMs + DAY_MS);
    }

    /** Records of an older delete. */
    private void former() {
        Deletion former = deletion("c-0", DELETED_MS - HOUR_MS);
        for (int i = 0; i < FORMER; i++) {
            put("former-" + i, former, DELETED_MS - HOUR_MS);
        }
    }

    private void put(String id, Deletion deletion, long timestampMs) {
        long offset = records.size();
        byte[] key = TrashKey.ofEvent(STREAM, offset, id).withSerial(offset + 1).encode();
        StoredEvent stored = new StoredEvent(
                event(STREAM.value(), id).occurredAt(1L).completedAt(1L).build(), offset, offset, false);
        byte[] value = StoredEventCodec.encode(stored, stored.sizeBytes());
        records.add(new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                offset,
                timestampMs,
                TimestampType.LOG_APPEND_TIME,
                0,
                0,
                key,
                value,
                TestSeals.sealed(key, value, DeletionHeaders.of(deletion)),
                Optional.empty()));
    }

    private MockConsumer<byte[], byte[]> consumer() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
            @Override
            public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                    Map<TopicPartition, Long> times) {
                Map<TopicPartition, @Nullable OffsetAndTimestamp> places = new HashMap<>();
                times.forEach((partition, ms) -> places.put(
                        partition,
                        records.stream()
                                .filter(record -> record.timestamp() >= ms)
                                .findFirst()
                                .map(record -> new OffsetAndTimestamp(record.offset(), record.timestamp()))
                                .orElse(null)));
                return places;
            }

            @Override
            public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                ConsumerRecords<byte[], byte[]> found = super.poll(timeout);
                found.forEach(record -> polled.add(record.offset()));
                return found;
            }
        };
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, (long) records.size()));
        if (isThere) {
            List<PartitionInfo> partitions = List.of(new PartitionInfo(PARTITION.topic(), 3, null, null, null));
            consumer.updatePartitions(PARTITION.topic(), partitions);
        }
        for (int scans = 0; scans < 4; scans++) {
            consumer.schedulePollTask(() -> records.forEach(consumer::addRecord));
        }
        return consumer;
    }
}
