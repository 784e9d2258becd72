package dev.ebb.store.gather;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.Bundle;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.RunWriter;
import dev.ebb.store.rocks.DerivingStore;
import dev.ebb.store.rocks.Guarantee;
import dev.ebb.store.rocks.LogEnds;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of the events of a partition to their store and into their log. The log has these records:
 *
 * <ul>
 *   <li>a put: key and value as stored. That of an event bears the name of its stream ({@link #STREAM}), so that the log
 *       explains itself, and {@link #KNOWN} if readers of the row learn nothing new. An event without a row in SQL bears
 *       no name (F-13);
 *   <li>a run of removals, see {@link RunWriter};
 *   <li>a tombstone of a key that an event has left for another one;
 *   <li>a {@link Bundle} of changes of records that are no events, such as usage.
 * </ul>
 *
 * <p>The records of a transaction are held back until its commit: of an event that comes and goes within it the log
 * learns nothing, and removals are joined. Without transactions nothing is held back, since after a crash the files of
 * the store may hold changes that were not sent. Not thread-safe.
 */
public final class ChangeLog implements EventLog {

    /** The header with the name of the stream, in UTF-8, of a record that holds an event. */
    public static final String STREAM = "s";

    /** The header, with no value, of an event that the log already has as it is. */
    public static final String KNOWN = "k";

    /** The most removals of one run, which the sink writes in one transaction. */
    static final int MOST_REMOVALS = 1000;

    /** The size of a run from which on it takes no further removal. */
    static final int ENOUGH_BYTES = 48 * 1024;

    private static final byte[] NO_BYTES = {};

    private final DerivingStore store;
    private final Gathered.Sender sender;
    private final LongSupplier timeMs;
    private final Gathered gathered;
    private final RunWriter run = new RunWriter();
    private final Bundle bundle = new Bundle();

    /** True if records are held back until the commit. */
    private final boolean isGathering;

    private final LogSnapshot snapshot;

    /** The time of the last change in the run or the bundle. */
    private long lastMs;

    /** The stream of the last headers, which is mostly that of the next ones. */
    private @Nullable StreamName named;

    private boolean isNamedKnown;
    private Headers ofNamed = new RecordHeaders();

    /**
     * @param settings the settings of the Kafka Streams application
     * @param maxBytes the most bytes of changes that wait for the commit
     * @param sender sends the records
     * @param timeMs the timestamp of the present record or punctuation, epoch milliseconds
     */
    public ChangeLog(
            DerivingStore store,
            Map<String, Object> settings,
            int maxBytes,
            Gathered.Sender sender,
            LongSupplier timeMs) {
        this.store = store;
        this.sender = sender;
        this.timeMs = timeMs;
        this.gathered = Gathered.of(settings, maxBytes, this::sendPut);
        this.isGathering = Guarantee.isExactlyOnce(settings);
        this.snapshot = new LogSnapshot(store);
    }

    @Override
    public void put(@Nullable StreamName stream, Bytes key, byte[] value, Known known) {
        boolean isKnown = known == Known.AS_IT_IS && gathered.known(key.get()) == Known.AS_IT_IS;
        boolean isNew = store.putNew(key, value) && known == Known.NOT_AT_ALL;
        gathered.add(key.get(), value, timeMs.getAsLong(), headers(stream, isKnown), isNew);
    }

    /** Writes a record that is no event; null removes it. */
    public void put(Bytes key, byte @Nullable [] value) {
        store.put(key, value);
        if (isGathering) {
            bundle(key, value);
        } else {
            sender.send(key.get(), value, timeMs.getAsLong(), new RecordHeaders());
        }
    }

    private void bundle(Bytes key, byte @Nullable [] value) {
        if (bundle.sizeBytes() + Bundle.size(key, value) > ENOUGH_BYTES) {
            sendBundle();
        }
        bundle.put(key, value);
        lastMs = timeMs.getAsLong();
    }

    private void sendBundle() {
        bundle.take((key, value) -> sender.send(key, value, lastMs, new RecordHeaders()));
    }

    @Override
    public Known leave(Bytes key) {
        Known known = gathered.known(key.get());
        store.put(key, null);
        gathered.add(key.get(), null, timeMs.getAsLong(), new RecordHeaders(), false);
        return known;
    }

    @Override
    public void remove(@Nullable StreamName stream, Bytes key, long storedAt, String id) {
        store.put(key, null);
        if (!gathered.takeBack(key.get())) {
            run.add(stream, key, storedAt, id);
            removed();
        }
    }

    @Override
    public void removeRow(StreamName stream, Instant storedAt, String id) {
        run.addRow(stream, storedAt, id);
        removed();
    }

    private void removed() {
        lastMs = timeMs.getAsLong();
        if (!isGathering || run.size() >= MOST_REMOVALS || run.sizeBytes() >= ENOUGH_BYTES) {
            sendRun();
        }
    }

    @Override
    public void repeat(StreamName stream, Bytes key, byte[] value) {
        repeat(key, value, headers(stream, false));
    }

    private void repeat(Bytes key, byte[] value, Headers headers) {
        sendWaitingRun();
        gathered.pass(key.get(), value, timeMs.getAsLong(), headers);
    }

    @Override
    public void show(StreamName stream, Bytes key, byte[] value) {
        repeat(key, value, headers(stream, true));
    }

    @Override
    public void sendWaiting() {
        sendHeldBack();
    }

    /** Sends a put that no longer waits, behind the removals of its stream: its event may have been among them. */
    private void sendPut(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers) {
        if (run.size() > 0 && value != null && isOfEvent(key) && run.has(EventKeys.sidOf(key))) {
            sendRun();
        }
        sender.send(key, value, timestampMs, headers);
    }

    private void sendWaitingRun() {
        if (run.size() > 0) {
            sendRun();
        }
    }

    /** Sends the run, even if it is empty. */
    private void sendRun() {
        byte[] key = run.key();
        sender.send(key, run.take(), lastMs, new RecordHeaders());
    }

    private Headers headers(@Nullable StreamName stream, boolean isKnown) {
        if (stream == null) {
            return new RecordHeaders();
        }
        if (!stream.equals(named) || isKnown != isNamedKnown) {
            ofNamed = new RecordHeaders().add(STREAM, stream.value().getBytes(StandardCharsets.UTF_8));
            if (isKnown) {
                ofNamed.add(KNOWN, NO_BYTES);
            }
            named = stream;
            isNamedKnown = isKnown;
        }
        return ofNamed;
    }

    /**
     * Writes a part of the snapshot if one is due, so that the log can be cut before it.
     *
     * @param ends tells where the log begins and how far it is committed
     * @param live the number of events that are stored
     * @param names gives the stream with a number; null for a number that no stream has, and for a stream without rows
     *     in SQL
     * @return true if there is more to write
     */
    public boolean snapshot(
            LogEnds ends, LongSupplier live, IntFunction<@Nullable StreamName> names, SweepBudget budget) {
        return snapshot.slice(ends, live, budget, this::sendHeldBack, new LogSnapshot.Target() {

            @Override
            public void put(byte[] key, byte[] value) {
                boolean isOfEvent = isOfEvent(key);
                if (isGathering && !isOfEvent) {
                    bundle(Bytes.wrap(key), value);
                } else {
                    StreamName stream = isOfEvent ? names.apply(EventKeys.sidOf(key)) : null;
                    sender.send(key, value, timeMs.getAsLong(), headers(stream, true));
                }
            }

            @Override
            public void end() {
                lastMs = timeMs.getAsLong();
                sendRun();
            }
        });
    }

    private void sendHeldBack() {
        sendWaitingRun();
        sendBundle();
        gathered.sendWaiting();
    }

    /** Returns true if a snapshot is due or has begun. */
    public boolean isLong(LogEnds ends, LongSupplier live) {
        return snapshot.isUnderWay() || ends.isLong(live);
    }

    private static boolean isOfEvent(byte[] key) {
        Range range = Range.ofCode(key[0]);
        return range != null && range.holdsEvents();
    }

    /** Sends all that is held back; called before each commit. */
    public void sendAll() {
        sendWaitingRun();
        sendBundle();
        gathered.sendAll();
    }

    /** Forgets all that is held back, and the snapshot: the transaction is aborted. */
    public void clear() {
        run.clear();
        bundle.clear();
        gathered.clear();
        snapshot.abandon();
    }
}
