package dev.ebb.runtime.trash;

import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.topology.trash.Forged;
import dev.ebb.topology.trash.Preview;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashIndex;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads one partition of the trash twice: first to find out which records count, then to return these. Where too many
 * records count to be known at once, the partition is read in parts, each of them twice.
 */
final class TrashReading extends PartitionReading implements TrashSource.Reading {

    /** Maximum number of bytes of events that are read and not taken; with more, the read waits. */
    private static final long MOST_BYTES = 8 << 20;

    /** A task that was closed takes no more records, without any notice. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Keeps the knowledge once all is read. */
    @FunctionalInterface
    interface Keeper {
        void keep(KnownTrash known);
    }

    private final KnownTrash from;
    private final TrashIndex index;
    private final TrashGuard guard;
    private final Preview preview;
    private final Keeper keeper;
    private final Deque<Trashed> known = new ArrayDeque<>();
    private List<Trashed> executions = List.of();
    private Forged forged = Forged.NONE;
    private long knownBytes;
    private boolean isIndexed;
    private boolean isRead;

    /**
     * @param from the knowledge of an earlier read
     * @param guard made when this read began
     */
    TrashReading(TopicPartition partition, KnownTrash from, TrashGuard guard, Preview preview, Keeper keeper) {
        super("undo", partition);
        this.from = from;
        this.index = from.index();
        this.guard = guard;
        this.preview = preview;
        this.keeper = keeper;
    }

    @Override
    protected void read(Consumer<byte[], byte[]> log) throws InterruptedException {
        long end = end(log);
        long begin = from.end();
        if (begin > 0) {
            index.reopen(guard);
        }
        boolean isWanted;
        do {
            isWanted = scan(log, begin, end, this::note);
            index.seal();
            indexed(index.executions());
            if (isWanted && !index.isEmpty() && !preview.isEnough()) {
                isWanted = scan(log, 0, end, this::look);
            }
            begin = 0;
        } while (isWanted && !preview.isEnough() && index.nextPart());
        if (isWanted) {
            if (index.isWhole()) {
                keeper.keep(from.upTo(end));
            }
            end();
        }
    }

    private void note(ConsumerRecord<byte[], byte[]> record) {
        index.note(record.offset(), record.key(), record.value(), record.headers(), preview);
    }

    private void look(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        Trashed event = index.read(record.offset(), record.key(), record.value(), record.headers());
        if (event != null) {
            put(event);
        }
    }

    private synchronized void indexed(List<Trashed> found) {
        executions = found;
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
    public synchronized Forged forged() {
        return forged;
    }

    @Override
    public synchronized boolean isDone() {
        return isRead && known.isEmpty();
    }
}
