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
 * Records with which a transaction of this instance failed after something of them had been written. Such a record
 * comes again when the transaction has been aborted, and is then set aside instead of failing the next transaction. It
 * is forgotten some minutes after it was set aside, when that has been committed, or when too many others have come
 * since. Thread-safe.
 */
public final class FailedRecords {

    /** Under this name, Kafka Streams hands the one object of an instance to what it makes itself. */
    public static final String SETTING = "ebb.failed.records";

    static final int MOST = 1000;

    /** Much longer than a transaction may last: had it been aborted, the record would have come again. */
    static final Duration KEPT = Duration.ofMinutes(10);

    /**
     * Time for which nothing is sent to the trash after it has refused a record. Each try at a trash that still refuses costs
     * the transaction and a restart of the thread, so it must not come often.
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

    /** Time at which the trash has refused a record last; null if it has not. */
    private volatile @Nullable Long trashRefusedNanos;

    private volatile RetentionObserver observer = new RetentionObserver() {};

    public FailedRecords() {
        this(System::nanoTime);
    }

    /** @param nanoClock tells the time as {@link System#nanoTime()} does */
    public FailedRecords(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Place of a record. */
    private record Coordinates(String topic, int partition, long offset) {}

    /** @param setAsideNanos time at which it was set aside last; null as long as it has not come again */
    private record Failed(String why, @Nullable Long setAsideNanos) {}

    /**
     * Notes that a transaction failed with that record.
     *
     * @param why reason of the failure, for people
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

    /** Reason why the record must be set aside, which the caller then does; null if it has not failed. */
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

    /** Tells that observer, from now on, of records that cannot be sent. */
    public void observer(RetentionObserver told) {
        observer = told;
    }

    /** Tells that a record for that topic cannot be sent. */
    public void countUnsent(String topic) {
        observer.unsent(topic);
    }

    /** Watches over the topic of the trash from now on. */
    public void watchTrash(String topic) {
        trash = topic;
    }

    public boolean isTrash(String topic) {
        return topic.equals(trash);
    }

    /** Notes that the trash has refused a record, and the transaction of a delete has failed with it. */
    public void trashRefused() {
        trashRefusedNanos = nanoClock.getAsLong();
    }

    /**
     * Returns true if nothing may be deleted for now that needs a copy in the trash, since the trash has refused a record of
     * late (T-5): a delete that fails takes down the thread that takes records in.
     */
    public boolean isTrashClosed() {
        Long refused = trashRefusedNanos;
        return refused != null && nanoClock.getAsLong() - refused < TRASH_PAUSE.toNanos();
    }

    /** Notes that this thread begins to take the record in; null ends that. */
    public void taking(@Nullable InputRecord record) {
        if (record == null) {
            current.remove();
        } else {
            current.set(record);
        }
    }

    /**
     * Notes that the transaction of this thread fails with the record that it is taking in.
     *
     * @param why reason of the failure, for people
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
