package dev.ebb.topology.source;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.LogPlaces;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.FirstHeld;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of one partition of the events: for each partition of a log, the first record that must stay (F-8). A stored
 * event keeps its record, whatever the reason is for which it is stored. Records that are no events here have an entry
 * of their own: those that were rejected, and those that were passed over. Not thread-safe.
 */
public final class SourceLedger {

    private static final String NOTE = "source-left/";
    private static final long HOUR_MS = 3_600_000;

    /** The hour of records that were passed over: nothing but their reading lets them go. */
    private static final long NEVER = Long.MAX_VALUE;

    private final EventStore store;
    private final AcceptedSources sources;
    private final Supplier<PolicySet> policies;
    private final LongSupplier clock;

    /** The last answers, beyond which nothing goes while a record of the source waits. */
    private final Map<String, Long> answered = new HashMap<>();

    /** @param clock the trusted time, epoch milliseconds */
    public SourceLedger(EventStore store, AcceptedSources sources, Supplier<PolicySet> policies, LongSupplier clock) {
        this.store = store;
        this.sources = sources;
        this.policies = policies;
        this.clock = clock;
    }

    /** Notes that this partition has rejected the record, if it is an event of a log. */
    public void rejected(InputRecord record) {
        String text = record.value() == null ? null : EbbHeaders.text(record.headers(), SourcePlace.METADATA);
        SourcePlace place = text == null ? null : SourcePlace.parse(text);
        if (place != null) {
            leave(place.topicId(), place.partition(), clock.getAsLong() / HOUR_MS, place.offset());
        }
    }

    /** Takes in a mark that asks nothing. */
    public void take(SourceMark mark) {
        String topicId = mark.topicId();
        mark.offsets().forEach((partition, offset) -> {
            switch (mark.step()) {
                case REJECTED -> leave(topicId, partition, clock.getAsLong() / HOUR_MS, offset);
                case PASSED_OVER -> leave(topicId, partition, NEVER, offset);
                case AGAIN -> change(topicId, partition, left -> left.values().removeIf(first -> first >= offset));
                case ASK -> {}
            }
        });
    }

    /** Returns the first record of each partition that must stay, for a mark that asks. */
    public Map<Integer, FirstHeld> answer(SourceMark mark) {
        Map<Integer, FirstHeld> holds = new HashMap<>();
        AcceptedSource source = sources.current().get(mark.source());
        String waiting = waiting(source);
        mark.offsets().forEach((partition, read) -> {
            change(mark.topicId(), partition, left -> left.keySet()
                    .removeIf(hour -> hour != NEVER && (hour + 1) * HOUR_MS <= clock.getAsLong() - mark.keepMs()));
            FirstHeld hold = hold(mark.topicId(), partition, read);
            String name = noteOf(mark.topicId(), partition);
            if (waiting != null) {
                hold = new FirstHeld(Math.min(hold.offset(), answered.getOrDefault(name, 0L)), waiting);
            }
            answered.put(name, hold.offset());
            holds.put(partition, hold);
        });
        return holds;
    }

    private FirstHeld hold(String topicId, int partition, long read) {
        FirstHeld hold = new FirstHeld(read, "not read yet");
        for (Map.Entry<Long, Long> left : left(topicId, partition).entrySet()) {
            if (left.getValue() < hold.offset()) {
                hold = new FirstHeld(
                        left.getValue(), left.getKey() == NEVER ? "passed over, and never read" : "rejected");
            }
        }
        LogPlaces.First first = store.logPlaces().first(topicId, partition);
        return first == null || first.offset() >= hold.offset() ? hold : new FirstHeld(first.offset(), reason(first));
    }

    private String reason(LogPlaces.First first) {
        StreamName stream = store.nameOf(first.sid());
        if (stream == null) {
            return "event " + first.id();
        }
        String event = "event " + first.id() + " of " + stream;
        PolicySet inForce = policies.get();
        if (inForce.isHeld(stream)) {
            return event + ", held by "
                    + inForce.holdsOn(stream).stream().map(Hold::caseId).toList();
        }
        return first.isProtected() ? event + ", which is protected" : event;
    }

    /** Returns why it cannot be told which records of the source must stay: their offsets are not known; null if it can. */
    private @Nullable String waiting(@Nullable AcceptedSource source) {
        if (source == null) {
            return "this partition does not know the source yet";
        }
        for (ParkedStream parked : store.parked().inOrder()) {
            String key = parked.key();
            if (StreamName.problem(key) == null && source.source().mayHave(new StreamName(key))) {
                return "a parked record of " + key;
            }
        }
        return store.quarantined().stream()
                .filter(stream -> source.source().mayHave(stream.stream()))
                .findFirst()
                .map(stream -> stream.stream() + ", which is set aside")
                .orElse(null);
    }

    private void leave(String topicId, int partition, long hour, long offset) {
        change(topicId, partition, left -> left.merge(hour, offset, Math::min));
    }

    /** A change of the entries of a partition: for each hour, the first record that was left in it. */
    private interface Change {

        void of(Map<Long, Long> left);
    }

    private void change(String topicId, int partition, Change change) {
        Map<Long, Long> before = left(topicId, partition);
        Map<Long, Long> after = new TreeMap<>(before);
        change.of(after);
        if (!after.equals(before)) {
            ByteBuffer bytes = ByteBuffer.allocate(after.size() * 2 * Long.BYTES);
            after.forEach((hour, offset) -> bytes.putLong(hour).putLong(offset));
            store.savePending(noteOf(topicId, partition), after.isEmpty() ? null : bytes.array());
        }
    }

    private Map<Long, Long> left(String topicId, int partition) {
        Map<Long, Long> left = new TreeMap<>();
        byte[] note = store.pending().get(noteOf(topicId, partition));
        for (ByteBuffer bytes = ByteBuffer.wrap(note == null ? new byte[0] : note); bytes.hasRemaining(); ) {
            left.put(bytes.getLong(), bytes.getLong());
        }
        return left;
    }

    private static String noteOf(String topicId, int partition) {
        return NOTE + topicId + "/" + partition;
    }
}
