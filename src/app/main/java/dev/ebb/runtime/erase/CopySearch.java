package dev.ebb.runtime.erase;

import dev.ebb.domain.erase.EraseRest.Unread;
import dev.ebb.domain.event.Event;
import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.topology.observe.Copies;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Reads one partition of a topic of copies from its beginning to its end, on a thread of its own, since the thread of
 * the erasure must not wait for a broker. Copies that a later record removes are not found, unless too many are known
 * at once; such a copy may be found and removed a second time, which does no harm.
 */
final class CopySearch extends PartitionReading implements Copies.Search {

    /** Maximum number of copies that are known and not taken; a search with this many waits until some are taken. */
    static final int MOST_KNOWN = 100_000;

    /** Maximum number of unreadable copies whose keys are kept, since a later record may remove them. */
    private static final int MOST_UNREAD = 10_000;

    private final TopicPartition partition;
    private final Reader reader;
    private final Predicate<Event> isMeant;
    private final Map<Bytes, Copies.Copy> known = new LinkedHashMap<>();

    /** Offsets of unreadable copies, by their keys. */
    private final Map<Bytes, Long> unread = new LinkedHashMap<>();

    /** Number of further unreadable copies, whose keys are not kept. */
    private long unreadBeyond;

    private boolean isRead;

    CopySearch(TopicPartition partition, Reader reader, Predicate<Event> isMeant) {
        super("erase", partition);
        this.partition = partition;
        this.reader = reader;
        this.isMeant = isMeant;
    }

    /** Reads copies. */
    @FunctionalInterface
    interface Reader {

        /**
         * Returns the copy in a record with a value; null if it is no copy of an event.
         *
         * @param isClosed returns true once the search has ended, so that there is nothing to wait for any more
         * @throws Damaged if the copy cannot be read
         */
        @Nullable
        Known read(ConsumerRecord<byte[], byte[]> record, BooleanSupplier isClosed);
    }

    /** Signals a damaged copy, which must not stop the search for others. */
    static final class Damaged extends RuntimeException {

        Damaged(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * A copy as read from its record.
     *
     * @param storedAt time at which its event was stored, epoch milliseconds
     * @param waiting account of a copy in the trash; null for other copies
     */
    record Known(Copies.Kind kind, Event event, long storedAt, Copies.@Nullable Waiting waiting) {}

    @Override
    protected void read(Consumer<byte[], byte[]> log) throws InterruptedException {
        scan(log, end(log), record -> {
            awaitRoom();
            if (record.key() != null) {
                look(record);
            }
        });
        end();
    }

    private void look(ConsumerRecord<byte[], byte[]> record) {
        Bytes key = Bytes.wrap(record.key());
        if (record.value() == null) {
            forget(key);
            return;
        }
        Known copy;
        try {
            copy = reader.read(record, this::isClosed);
        } catch (Damaged e) {
            noteUnread(key, record.offset());
            return;
        }
        if (copy != null && isMeant.test(copy.event())) {
            note(key, copy, record.offset());
        }
    }

    private synchronized void note(Bytes key, Known copy, long offset) {
        known.put(
                key,
                new Copies.Copy(
                        copy.kind(),
                        copy.event().stream(),
                        copy.event().id().value(),
                        copy.storedAt(),
                        key.get(),
                        offset,
                        copy.waiting()));
    }

    private synchronized void forget(Bytes key) {
        known.remove(key);
        unread.remove(key);
    }

    private synchronized void noteUnread(Bytes key, long offset) {
        if (unread.size() < MOST_UNREAD || unread.containsKey(key)) {
            unread.put(key, offset);
        } else {
            unreadBeyond++;
        }
    }

    @Override
    public synchronized List<Unread> unread() {
        if (unread.isEmpty()) {
            return List.of();
        }
        List<Long> first =
                unread.values().stream().sorted().limit(Unread.MOST_OFFSETS).toList();
        return List.of(new Unread(partition.topic(), partition.partition(), unread.size() + unreadBeyond, first));
    }

    /** Waits while too many copies are known. */
    private synchronized void awaitRoom() throws InterruptedException {
        while (known.size() >= MOST_KNOWN && !isClosed()) {
            wait();
        }
    }

    private synchronized void end() {
        isRead = true;
    }

    /** Returns nothing before the end unless too many copies are known, since a later record may remove one. */
    @Override
    public synchronized List<Copies.Copy> take(int most) {
        List<Copies.Copy> taken = new ArrayList<>();
        if (isRead || known.size() >= MOST_KNOWN) {
            Iterator<Copies.Copy> copies = known.values().iterator();
            while (taken.size() < most && copies.hasNext()) {
                taken.add(copies.next());
                copies.remove();
            }
            notifyAll();
        }
        return taken;
    }

    @Override
    public synchronized boolean isDone() {
        return isRead && known.isEmpty();
    }
}
