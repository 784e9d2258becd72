package dev.ebb.api.insight;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.EventQueries;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.wire.history.RestoreView.One;
import dev.ebb.wire.history.RestoreView.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens, under the policies in force, to deleted events of one stream that are sent once more. Ignores
 * caps and {@code keepLast}, whose effect depends on all that the stream holds by then. Not thread-safe.
 */
final class Revival {

    private final StreamName stream;
    private final EventQueries events;
    private final ArchiveQueries archive;
    private final EffectivePolicy policy;
    private final boolean isHeld;
    private final long nowMs;
    private final Map<Long, Execution> executions = new HashMap<>();
    private final Set<String> ids = new HashSet<>();

    /** @throws OtherInstanceException if another instance keeps the stream */
    Revival(StreamName stream, EventQueries events, ArchiveQueries archive, PolicySet policies, long nowMs) {
        this.stream = stream;
        this.events = events;
        this.archive = archive;
        this.policy = policies.effective(stream);
        this.isHeld = policies.isHeld(stream);
        this.nowMs = nowMs;
        executions.put(0L, execution(0));
    }

    /** Returns the fate of an archived event. Of two copies of one event the first counts. */
    One of(ArchivedRecord record) {
        StoredEvent last = record.archived().event();
        Event event = last.event();
        String place = record.id().toString();
        String id = event.id().value();
        boolean isThere = !ids.add(id)
                || events.event(stream, event.id())
                        .filter(read -> !read.isExpired())
                        .isPresent();
        if (isThere) {
            return new One(place, id, Outcome.THERE, false, null, last.sizeBytes());
        }
        EventFacts facts = facts(event);
        if (facts == null || facts.isProtected()) {
            return new One(place, id, Outcome.PROTECTED, false, null, last.sizeBytes());
        }
        long lastMs = RetentionDecider.removableAtMs(facts, policy);
        boolean goes = !isHeld && policy.isEnforced();
        boolean isDue = goes && RetentionDecider.isPast(lastMs, nowMs);
        Instant until = goes && lastMs != RetentionDecider.NEVER ? Instant.ofEpochMilli(lastMs) : null;
        return new One(place, id, isDue ? Outcome.DUE : Outcome.LIVES, false, until, last.sizeBytes());
    }

    /** Returns the event as it would be stored now; null if its own status protects it. */
    private @Nullable EventFacts facts(Event event) {
        if (archive.isProtected(event)) {
            return null;
        }
        Long completedAt = Objects.requireNonNullElse(event.completedAt(), nowMs);
        Event again = event.withCompletedAt(completedAt);
        StoredEvent stored = new StoredEvent(again, nowMs, 0, false);
        Execution execution = executions.computeIfAbsent(event.execution(), this::execution);
        return event.execution() == 0 && execution.isTerminal() ? stored : new ExecutedEvent(stored, execution);
    }

    /**
     * Returns the execution in its present state; an execution that the stream does not have counts as not declared.
     */
    private Execution execution(long number) {
        return events.executions(stream, number + 1, 1).stream()
                .map(usage -> usage.execution())
                .filter(known -> known.number() == number)
                .findFirst()
                .orElseGet(() -> Execution.undeclared(number));
    }
}
