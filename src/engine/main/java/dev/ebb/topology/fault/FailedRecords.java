package dev.ebb.topology.fault;

import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.observe.RetentionObserver;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records at which a transaction of this instance failed after something of them had been written. Such a record comes
 * again when the transaction has been aborted, and is then set aside instead of failing the next transaction. A record
 * is forgotten some minutes after it was set aside, since the transaction has been committed by then, or when too many
 * others have come since. Thread-safe.
 */
public final class FailedRecords {

    /** Setting by which Kafka Streams hands the one object of an instance to the objects that it makes itself. */
    public static final String SETTING = "ebb.failed.records";

    static final int MOST = 1000;

    /**
     * Time for which a record that was set aside is remembered, much longer than a transaction may last: after an abort
     * the record would have come again.
     */
    static final Duration KEPT = Duration.ofMinutes(10);

    /**
     * Time for which nothing is sent to the trash after it has refused a record. Each attempt at a trash that still
     * refuses costs the transaction and a restart of the thread, so attempts must be rare.
     */
    static final Duration TRASH_PAUSE = Duration.ofMinutes(5);

    private final LongSupplier nanoClock;
    private final Map<Coordinates, Failed> records = new LinkedHashMap<>();

    /** Record that each thread is taking in. */
    @SuppressWarnings(
            "ThreadLocalUsage") // as long-lived as the instance, and several instances may share threads in tests
    private final ThreadLocal<@Nullable InputRecord> current = new ThreadLocal<>();

    /** Name of the topic of the trash; empty before it is known. */
    private volatile String trash = "";

    /** Time at which the trash last refused a record; null if it has not. */
    private volatile @Nullable Long trashRefusedNanos;

    private volatile RetentionObserver observer = new RetentionObserver() {};

    public FailedRecords() {
        this(System::nanoTime);
    }

    /** @param nanoClock returns the time as {@link System#nanoTime()} does */
    public FailedRecords(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Place of a record. */
    private record Coordinates(String topic, int partition, long offset) {}

    /** @param setAsideNanos time at which the record was last set aside; null as long as it has not come again */
    private record Failed(String why, @Nullable Long setAsideNanos) {}

    /**
     * Notes that a transaction failed at that record.
     *
     * @param why the reason of the failure, for people
     */
    public synchronized void remember(String topic, int partition, long offset, String why) {
        forgetOld();
        records.put(new Coordinates(topic, partition, offset), new Failed(why, null));
        Iterator<Coordinates> eldest = records.keySet().iterator();
        while (records.size() > MOST) {
            eldest.next();
            eldest.remove();
        }
    }

    /** Returns the reason why the record must be set aside, which the caller then does; null if it has not failed. */
    public synchronized @Nullable String setAside(InputRecord record) {
        if (records.isEmpty()) {
            return null;
        }
        forgetOld();
        Coordinates coordinates = new Coordinates(record.topic(), record.partition(), record.offset());
        Failed failed = records.get(coordinates);
        if (failed == null) {
            return null;
        }
        records.put(coordinates, new Failed(failed.why(), nanoClock.getAsLong()));
        return failed.why();
    }

    /** Sets the observer that is notified, from now on, of records that cannot be sent. */
    public void observer(RetentionObserver told) {
        observer = told;
    }

    /** Notifies the observer that a record for that topic cannot be sent. */
    public void countUnsent(String topic) {
        observer.unsent(topic);
    }

    /** Watches the topic of the trash from now on. */
    public void watchTrash(String topic) {
        trash = topic;
    }

    public boolean isTrash(String topic) {
        return topic.equals(trash);
    }

    /** Notes that the trash has refused a record, so that the transaction of a delete has failed. */
    public void trashRefused() {
        trashRefusedNanos = nanoClock.getAsLong();
    }

    /**
     * Returns true if no delete that needs a copy in the trash may be made for now, since the trash has recently
     * refused a record (T-5): a failed delete ends the thread that takes records in.
     */
    public boolean isTrashClosed() {
        Long refused = trashRefusedNanos;
        return refused != null && nanoClock.getAsLong() - refused < TRASH_PAUSE.toNanos();
    }

    /** Notes that this thread begins to take the record in, or with null, that it has finished. */
    public void taking(@Nullable InputRecord record) {
        if (record == null) {
            current.remove();
        } else {
            current.set(record);
        }
    }

    /**
     * Notes that the transaction of this thread fails at the record that it is taking in.
     *
     * @param why the reason of the failure, for people
     * @return the record, for people; null if this thread is not taking one in
     */
    public @Nullable String rememberCurrent(String why) {
        InputRecord record = current.get();
        if (record == null) {
            return null;
        }
        remember(record.topic(), record.partition(), record.offset(), why);
        return record.topic() + "-" + record.partition() + " at " + record.offset();
    }

    public synchronized int size() {
        return records.size();
    }

    private void forgetOld() {
        long now = nanoClock.getAsLong();
        records.values().removeIf(failed -> {
            Long setAside = failed.setAsideNanos();
            return setAside != null && now - setAside > KEPT.toNanos();
        });
    }
}
