package dev.ebb.store.plan;

import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.StreamExtent;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Passage;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.StreamPass;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The digest of all events of a stream, computed in slices while others come and go. Changes behind the pass are
 * counted as they happen, so at the end the digest is that of the events of this moment. Not thread-safe.
 */
public final class StreamDigest implements StreamPass, AutoCloseable {

    private final KeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private Passage passage = newPassage();
    private PlanDigest digest = PlanDigest.NOTHING;

    public StreamDigest(KeyValueStore<Bytes, byte[]> events, StreamState stream) {
        this.events = events;
        this.stream = stream;
        stream.attach(this);
    }

    private static Passage newPassage() {
        return Passage.oneByOne(Range.OF_EVENTS);
    }

    public StreamState stream() {
        return stream;
    }

    /** Returns the digest of the events that the pass has passed, which are all events once it has ended. */
    public PlanDigest digest() {
        return digest;
    }

    @Override
    public void note(long execution, EventHeader event, Location location, int sign) {
        if (passage.isBehind(stream.sid(), location, event.id())) {
            digest = sign > 0 ? digest.plus(of(event)) : digest.minus(of(event));
        }
        passage.note(stream.sid(), location, event.id(), sign);
    }

    @Override
    public void rearranged() {
        passage = newPassage();
        digest = PlanDigest.NOTHING;
    }

    /** Continues the pass; returns true if all events are counted, false if the budget ended the slice. */
    public boolean slice(SweepBudget budget) {
        return passage.slice(events, new StreamExtent(stream), budget, (range, key, value) -> {
            digest = digest.plus(of(StoredEventCodec.decodeHeader(value)));
            budget.spendStep();
            return Outcome.STAYS;
        });
    }

    private PlanDigest of(EventHeader event) {
        return PlanDigest.of(stream.stream(), event.id(), event.storedAt());
    }

    /** Detaches the pass from the stream, which reports changes to it until this call. */
    @Override
    public void close() {
        stream.detach(this);
    }
}
