package dev.ebb.store;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A sweep of one stream as the model says it, with lists and sums: what age and own TTLs take, then what the caps take. */
public final class NaiveSweep {

    private final StreamState stream;
    private final EffectivePolicy policy;
    private final long nowMs;
    private final List<Row> rows = new ArrayList<>();
    private final Map<Long, Segment> executions = new TreeMap<>();
    private final List<Removal> removals = new ArrayList<>();

    public NaiveSweep(StoreFixture fixture, StreamState stream, EffectivePolicy policy) {
        this.stream = stream;
        this.policy = policy;
        this.nowMs = fixture.nowMs;
        for (Segment segment : stream.segments()) {
            if (segment.isKnown()) {
                executions.put(segment.number(), segment);
            }
        }
        fixture.reader()
                .list(stream.stream(), null, Integer.MAX_VALUE - 1)
                .events()
                .forEach(this::add);
    }

    private record Row(StoredEvent event, EventFacts facts, long bytes) {}

    public List<Removal> removals() {
        remove(false);
        executions.values().removeIf(this::isOver);
        remove(true);
        return removals;
    }

    private void add(StoredEvent event) {
        Segment segment = stream.segment(event.event().execution());
        EventHeader header = StoredEventCodec.decodeHeader(StoredEventCodec.encode(event, event.sizeBytes()));
        rows.add(new Row(event, segment.facts(header), event.sizeBytes()));
    }

    /** All of them are decided against the same stream. */
    private void remove(boolean isByCaps) {
        long bytes = rows.stream().mapToLong(Row::bytes).sum();
        List<Row> eligible = eligible();
        List<Row> gone = new ArrayList<>();
        long olderBytes = 0;
        for (int i = 0; i < eligible.size(); i++) {
            Row row = eligible.get(i);
            long rank = rank(row);
            Place place = isByCaps ? new Place(rows.size(), bytes, i, olderBytes) : Place.WITHIN_CAPS;
            place = place.withNewer(eligible.size() - 1L - i).inExecution(rank);
            Decision decision = RetentionDecider.decide(row.facts(), place, policy, nowMs);
            if (decision instanceof Decision.Remove removal) {
                gone.add(row);
                removals.add(new Removal(
                        stream.stream().value(), row.event().event().id().value(), removal.cause()));
            }
            olderBytes += row.bytes();
        }
        rows.removeAll(gone);
    }

    private List<Row> eligible() {
        return rows.stream()
                .filter(row -> !row.facts().isProtected())
                .filter(row -> !(row.facts().ttl().noExpiration()
                        && policy.allowInfiniteTtl().value()))
                .sorted(Comparator.<Row>comparingLong(row -> row.event().event().execution())
                        .thenComparingLong(
                                row -> row.facts().anchorMs(policy.anchor().value()))
                        .thenComparingLong(row -> row.event().seq()))
                .toList();
    }

    private long rank(Row row) {
        long number = row.event().event().execution();
        boolean hasExecutions = executions.keySet().stream().anyMatch(other -> other > 0);
        return hasExecutions ? rank(number) : Place.NO_EXECUTIONS;
    }

    private long rank(long number) {
        return executions.keySet().stream().filter(other -> other >= number).count();
    }

    /**
     * The execution has no events left, and if it was declared, it was terminal for longer than the age, and its end does
     * not wait for events.
     */
    private boolean isOver(Segment segment) {
        boolean hasEvents = rows.stream().anyMatch(row -> row.event().event().execution() == segment.number());
        if (hasEvents || !segment.execution().isDeclared()) {
            return !hasEvents;
        }
        Long completedAt = segment.execution().completedAt();
        var keepLast = policy.keepLast().value();
        return segment.execution().isTerminal()
                && nowMs > segment.awaitsUntilMs()
                && completedAt != null
                && (keepLast.isNone() || rank(segment.number()) > keepLast.value())
                && RetentionDecider.isPast(RetentionDecider.removableByAgeMs(completedAt, policy), nowMs);
    }
}
