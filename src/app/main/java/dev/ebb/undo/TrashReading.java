package dev.ebb.undo;

import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.topology.trash.Forged;
import dev.ebb.topology.trash.FoundTrash;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashIndex;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads one partition of the trash twice, from the time of the first delete that is meant: first to find out which
 * records count, then to return these.
 */
final class TrashReading extends PartitionReading implements TrashSource.Reading {

    /** Maximum number of bytes of events that are read and not taken; with more, the read waits. */
    private static final long MOST_BYTES = 8 << 20;

    /** Difference between the clocks of the task and of the broker that is reckoned with. */
    private static final Duration CLOCKS = Duration.ofMinutes(10);

    /** A task that was closed takes no more records, without any notice. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final UndoFilter filter;
    private final String undoId;
    private final TrashGuard guard;
    private final Deque<Trashed> known = new ArrayDeque<>();
    private TrashIndex index;
    private @Nullable FoundTrash found;
    private List<Trashed> executions = List.of();
    private Forged forged = Forged.NONE;
    private long knownBytes;
    private boolean isIndexed;
    private boolean isRead;

    /** @param guard made when this read began */
    TrashReading(TopicPartition partition, UndoFilter filter, String undoId, TrashGuard guard) {
        super("undo", partition);
        this.filter = filter;
        this.undoId = undoId;
        this.guard = guard;
        this.index = new TrashIndex(filter, undoId, guard);
    }

    @Override
    protected void read(Consumer<byte[], byte[]> log) throws InterruptedException {
        try {
            readTwice(log);
        } finally {
            index.close();
        }
    }

    private void readTwice(Consumer<byte[], byte[]> log) throws InterruptedException {
        long end = end(log);
        long first = first(log, end);
        boolean isWanted = scan(log, first, end, this::note);
        if (isWanted && first > 0 && !index.found().isComplete()) {
            // The clock may have been ahead when the records were sent: the time of a delete is no proof of its place.
            first = 0;
            index.close();
            index = new TrashIndex(filter, undoId, guard);
            isWanted = scan(log, 0, end, this::note);
        }
        if (isWanted && look(log, first, end)) {
            end();
        }
    }

    /** Returns the offset from which on the records may be meant. */
    private long first(Consumer<byte[], byte[]> log, long end) {
        return guard.sinceMs() < 0 ? 0 : begin(log, guard.sinceMs() - CLOCKS.toMillis(), end);
    }

    /** Passes on the events that were indexed; returns false if the read was closed. */
    private boolean look(Consumer<byte[], byte[]> log, long first, long end) throws InterruptedException {
        index.seal();
        indexed(index.executions());
        return index.isEmpty() || scan(log, first, end, this::look);
    }

    private void note(ConsumerRecord<byte[], byte[]> record) {
        index.note(record.offset(), record.key(), record.value(), record.headers());
    }

    private void look(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        Trashed event = index.read(record.offset(), record.key(), record.value(), record.headers());
        if (event != null) {
            put(event);
        }
    }

    private synchronized void indexed(List<Trashed> found) {
        executions = found;
        this.found = index.found();
        isIndexed = true;
    }

    private synchronized void put(Trashed event) throws InterruptedException {
        long begunNanos = System.nanoTime();
        while (knownBytes >= MOST_BYTES && !isClosed()) {
            if (System.nanoTime() - begunNanos > PATIENCE.toNanos()) {
                throw new IllegalStateException("nothing of it was taken for " + PATIENCE.toMinutes() + " minutes");
            }
            wait(PATIENCE.toMillis());
        }
        known.add(event);
        knownBytes += event.value().length;
    }

    private synchronized void end() {
        forged = index.forged();
        isRead = true;
    }

    @Override
    public synchronized boolean isIndexed() {
        return isIndexed;
    }

    @Override
    public synchronized List<Trashed> executions() {
        return executions;
    }

    @Override
    public synchronized List<Trashed> take(int most) {
        List<Trashed> taken = new ArrayList<>();
        for (Trashed next = known.poll(); next != null; next = taken.size() < most ? known.poll() : null) {
            taken.add(next);
            knownBytes -= next.value().length;
        }
        notifyAll();
        return taken;
    }

    @Override
    public synchronized FoundTrash found() {
        return Objects.requireNonNull(found, "not indexed yet");
    }

    @Override
    public synchronized Forged forged() {
        return forged;
    }

    @Override
    public synchronized boolean isDone() {
        return isRead && known.isEmpty();
    }
}
