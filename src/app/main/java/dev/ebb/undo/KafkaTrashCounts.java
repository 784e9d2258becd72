package dev.ebb.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.TrashCounts;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.trash.DeletionHeaders;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.StreamPartition;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the trash: all of it from the counts of the tasks, that of a stream from the topic.
 *
 * @param tasks returns the status of the task of a partition, or throws with the reason why there is none
 * @param topic reads the trash
 * @param partitions number of partitions
 * @param seals returns a guard that knows the seals of a partition; null if they are not known here, so that all
 *     records count
 * @param undoMax the longest time for which anything can be undone
 */
public record KafkaTrashCounts(
        IntFunction<TaskStatus> tasks,
        TopicReader topic,
        int partitions,
        IntFunction<@Nullable TrashGuard> seals,
        Duration undoMax,
        Clock clock)
        implements TrashCounts {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTrashCounts.class);

    /** Maximum number of events of one stream to count: each is known by its key until the end of the read. */
    private static final int MOST = 200_000;

    @Override
    public List<TrashSum> waiting(Collection<Integer> asked) {
        List<TrashSum> sums = new ArrayList<>();
        asked.forEach(partition -> sums.addAll(tasks.apply(partition).trash()));
        return TrashSum.joined(sums.stream());
    }

    @Override
    public List<TrashSum> waiting(StreamName stream) {
        long nowMs = clock.millis();
        Map<Bytes, Kept> kept = new HashMap<>();
        int partition = StreamPartition.of(stream, partitions);
        TrashGuard guard = seals.apply(partition);
        long sinceMs = Math.max(1, nowMs - undoMax.toMillis());
        boolean isWhole = topic.oldestFirst(partition, 0, sinceMs, record -> {
            try {
                take(record, stream, guard, kept);
            } catch (RuntimeException e) {
                // The record is damaged or not written by Ebb; it must not hide the others.
                LOG.atDebug()
                        .setCause(e)
                        .addKeyValue("offset", record.offset())
                        .log("a record of the trash is passed over");
            }
            return kept.size() <= MOST;
        });
        if (!isWhole || kept.size() > MOST) {
            throw new NotReadyException(
                    "the trash is too long to be searched for one stream in time; 'ebb undo --since T --stream S"
                            + " --dry-run' counts in steps",
                    Duration.ofSeconds(1));
        }
        return TrashSum.joined(kept.values().stream().map(Kept::sum).filter(sum -> nowMs < sum.untilMs()));
    }

    /** An event or execution, and the offset of its record. */
    private record Kept(long offset, TrashSum sum) {}

    private static void take(
            ConsumerRecord<byte[], byte[]> record,
            StreamName stream,
            @Nullable TrashGuard guard,
            Map<Bytes, Kept> kept) {
        TrashKey key = TrashKey.decode(record.key());
        if (!key.stream().equals(stream) || isForged(record, guard)) {
            return;
        }
        Bytes name = Bytes.wrap(record.key());
        if (record.value() != null) {
            kept.put(name, new Kept(record.offset(), sum(key, DeletionHeaders.read(record.headers()), record.value())));
        } else if (isOfOffset(record, kept.get(name))) {
            kept.remove(name);
        }
    }

    private static boolean isForged(ConsumerRecord<byte[], byte[]> record, @Nullable TrashGuard guard) {
        return guard != null && !guard.isGenuine(record.key(), record.value(), record.headers());
    }

    /** A tombstone names the record that it removes, so that a later deletion under the same key stays. */
    private static boolean isOfOffset(ConsumerRecord<byte[], byte[]> tombstone, @Nullable Kept known) {
        return known != null
                && EbbHeaders.number(tombstone.headers(), EbbHeaders.TRASH_OFFSET, known.offset()) == known.offset();
    }

    private static TrashSum sum(TrashKey key, Deletion deletion, byte[] value) {
        return key.kind() == TrashKey.Kind.EVENT
                ? TrashSum.of(
                        key.stream(),
                        deletion,
                        1,
                        StoredEventCodec.decodeHeader(value).sizeBytes())
                : TrashSum.ofExecution(key.stream(), deletion);
    }
}
