package dev.ebb.topology.undo;

import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pass that counts what an undo would bring back in one partition; writes nothing. The policies of the moment at which
 * the count begins tell what would be due again. Not thread-safe.
 */
final class UndoCount implements UndoPass {

    private final EventStore store;
    private final PolicySet policies;
    private final TrashSource.Reading reading;
    private final TrashedEvents events;
    private final TrashedExecutions executions;
    private final long pointMs;
    private final long noticeUntilMs;
    private final UndoTally tally = new UndoTally(Undone.NOTHING);
    private final Map<StreamName, Sums> returning = new HashMap<>();

    /** Events of one stream that would come back. */
    private static final class Sums {

        private long events;
        private long bytes;
    }

    /**
     * @param policies the policies in force
     * @param reading reads the records that the filter means
     * @param pointMs events whose deletes could be undone only until then stay away, epoch milliseconds
     * @param noticeUntilMs the last millisecond of the notice if the undo came now, epoch milliseconds
     */
    public UndoCount(
            EventStore store, PolicySet policies, TrashSource.Reading reading, long pointMs, long noticeUntilMs) {
        this.store = store;
        this.policies = policies;
        this.reading = reading;
        this.events = new TrashedEvents(reading);
        this.executions = new TrashedExecutions(reading, pointMs);
        this.pointMs = pointMs;
        this.noticeUntilMs = noticeUntilMs;
    }

    @Override
    public boolean slice(long nowMs, SweepBudget budget) {
        if (!executions.gather(budget)) {
            return false;
        }
        for (Trashed event = events.next(budget); event != null; event = events.next(budget)) {
            budget.spendStep();
            count(event);
        }
        if (!events.isDone()) {
            return false;
        }
        while (!budget.isSpent()) {
            Trashed next = executions.next();
            if (next == null) {
                tally.forged(reading.forged());
                tally.missing(reading.found());
                return true;
            }
            budget.spendStep();
            countExecution(next);
        }
        return false;
    }

    private void countExecution(Trashed execution) {
        StreamState stream = store.stream(execution.stream());
        if (ReturnRules.isDeclaredAgain(stream, execution)) {
            tally.stream(execution.stream());
            tally.execution(executions.isLost(execution));
            tally.dueAgain().execution(noticeUntilMs);
        }
    }

    private void count(Trashed trashed) {
        StreamName name = trashed.stream();
        StreamState stream = store.stream(name);
        NotReturned reason = ReturnRules.reason(store, stream, trashed, pointMs);
        StoredEvent event = reason == null ? decoded(trashed) : null;
        if (event == null) {
            tally.left(name, trashed.key().id(), reason == null ? NotReturned.UNREADABLE : reason);
            return;
        }
        EventHeader header = EventHeader.of(event, event.sizeBytes());
        Execution execution = executions.of(name, stream, header.execution());
        Trashed declared = executions.useOnce(name, header.execution());
        if (declared != null) {
            countExecution(declared);
        }
        tally.stream(name);
        tally.event(header.sizeBytes());
        Sums sums = returning.computeIfAbsent(name, of -> new Sums());
        sums.events++;
        sums.bytes += header.sizeBytes();
        tally.dueAgain()
                .event(
                        name,
                        header.execution() == 0 ? header : new ExecutedEvent(header, execution),
                        policies,
                        sums.events + (stream == null ? 0 : stream.totalEvents()),
                        sums.bytes + (stream == null ? 0 : stream.totalBytes()),
                        noticeUntilMs);
    }

    private @Nullable StoredEvent decoded(Trashed trashed) {
        try {
            return store.asReturned(StoredEventCodec.decode(trashed.stream(), trashed.value()));
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Returns the findings so far. */
    UndoTally tally() {
        return tally;
    }

    @Override
    public @Nullable String problem() {
        return reading.problem();
    }

    @Override
    public void close() {
        reading.close();
    }
}
