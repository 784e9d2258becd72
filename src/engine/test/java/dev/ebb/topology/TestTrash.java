package dev.ebb.topology;

import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.trash.Forged;
import dev.ebb.topology.trash.FoundTrash;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashIndex;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the trash of a partition from a list of the records that it has: all of them, by their indexes as offsets, or
 * what compaction and loss have left, each by its own offset.
 */
public final class TestTrash implements TrashSource {

    private final IntFunction<List<Placed>> records;

    /** Number of events that a reading gives at once, at most. */
    int most = Integer.MAX_VALUE;

    /** True if what a transaction has sent can be read only when the next one has begun; of a fixture with one partition. */
    boolean isLate;

    /** The readings that were begun and not closed. */
    final Set<Reading> open = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Number of audits, and of those that had to read all records. */
    int audits;

    int wholeAudits;

    /** True while another partition has an audit at work. */
    boolean isAuditing;

    /** Done when an audit begins to read. */
    Runnable beforeAudit = () -> {};

    private int endBeforeLast;
    private int endOfLast;

    /** Reason why the trash cannot be read. */
    @Nullable
    String problem;

    /** A record and its offset. */
    public record Placed(long offset, byte[] key, byte @Nullable [] value, Headers headers) {}

    /** @param records all records of a partition */
    TestTrash(IntFunction<List<TestRecord<byte[], byte[]>>> records) {
        this(partition -> placed(records.apply(partition)), 0);
    }

    private TestTrash(IntFunction<List<Placed>> records, int endOfLast) {
        this.records = records;
        this.endOfLast = endOfLast;
    }

    /** @param records the records that a partition has, in the order of their offsets */
    public static TestTrash ofPlaced(IntFunction<List<Placed>> records) {
        return new TestTrash(records, 0);
    }

    private static List<Placed> placed(List<TestRecord<byte[], byte[]>> all) {
        List<Placed> placed = new ArrayList<>();
        for (TestRecord<byte[], byte[]> record : all) {
            placed.add(new Placed(placed.size(), record.key(), record.value(), record.headers()));
        }
        return placed;
    }

    /** Begins the next transaction: on the topic of commands all of the last one can be read from now on. */
    void beginTransaction() {
        endBeforeLast = endOfLast;
        endOfLast = records.apply(0).size();
    }

    @Override
    public Reading read(int partition, UndoFilter filter, String undoId, TrashGuard guard) {
        List<Placed> sent = records.apply(partition);
        List<Placed> all = List.copyOf(isLate ? sent.subList(0, endBeforeLast) : sent);
        TrashIndex index = new TrashIndex(filter, undoId, guard);
        all.forEach(record -> index.note(record.offset(), record.key(), record.value(), record.headers()));
        index.seal();
        Deque<Trashed> found = new ArrayDeque<>();
        for (Placed record : all) {
            Trashed event = index.read(record.offset(), record.key(), record.value(), record.headers());
            if (event != null) {
                found.add(event);
            }
        }
        Reading reading = new Reading() {
            @Override
            public boolean isIndexed() {
                return true;
            }

            @Override
            public List<Trashed> executions() {
                return index.executions();
            }

            @Override
            public List<Trashed> take(int wanted) {
                List<Trashed> taken = new ArrayList<>();
                while (taken.size() < Math.min(wanted, most) && !found.isEmpty()) {
                    taken.add(found.remove());
                }
                return taken;
            }

            @Override
            public FoundTrash found() {
                return index.found();
            }

            @Override
            public Forged forged() {
                return index.forged();
            }

            @Override
            public boolean isDone() {
                return found.isEmpty();
            }

            @Override
            public @Nullable String problem() {
                return problem;
            }

            @Override
            public void close() {
                open.remove(this);
            }
        };
        open.add(reading);
        return reading;
    }

    @Override
    public @Nullable Audit audit(int partition, TrashGuard guard, long lastHead) {
        if (isAuditing) {
            return null;
        }
        if (problem != null) {
            return audit(Audit.UNKNOWN, null, problem);
        }
        beforeAudit.run();
        List<Placed> all = List.copyOf(records.apply(partition));
        long head = all.stream()
                .mapToLong(record -> guard.serial(record.key(), record.value(), record.headers()))
                .filter(serial -> serial >= 0)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        audits++;
        if (!guard.mustReadAll(head, lastHead)) {
            return audit(head, null, null);
        }
        TrashIndex index = TrashIndex.ofAudit(guard);
        all.forEach(record -> index.note(record.offset(), record.key(), record.value(), record.headers()));
        wholeAudits++;
        return audit(head, index.found(), null);
    }

    private static Audit audit(long head, @Nullable FoundTrash found, @Nullable String problem) {
        return new Audit() {
            @Override
            public boolean isDone() {
                return true;
            }

            @Override
            public long head() {
                return head;
            }

            @Override
            public @Nullable FoundTrash found() {
                return found;
            }

            @Override
            public @Nullable String problem() {
                return problem;
            }

            @Override
            public void close() {}
        };
    }
}
