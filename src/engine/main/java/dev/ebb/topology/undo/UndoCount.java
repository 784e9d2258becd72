package dev.ebb.topology.undo;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.trash.Preview;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.trash.Trashed;
import dev.ebb.topology.undo.PushedOut.Fate;
import dev.ebb.topology.undo.PushedOut.Sieve;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pass that counts what an undo would bring back in one partition, and how much of it would be due at once; writes
 * nothing. Everything is decided by the policies of the moment at which the count begins. Not thread-safe.
 */
public final class UndoCount implements UndoPass {

    /** Largest number of events remembered by name: only the end of the count shows which of them stay away. */
    private static final int MOST_REMEMBERED = 1000;

    private final EventStore store;
    private final PolicySet policies;
    private final TrashSource.Reading reading;
    private final @Nullable UndoPreview preview;
    private final TrashedEvents events;
    private final long pointMs;
    private final UndoTally tally = new UndoTally(UndoOutcome.NOTHING);

    /** Streams in which caps or {@code keepLast} matter: the returning events decide together which of them are due. */
    private final Map<StreamName, UndoForecast> forecasts = new HashMap<>();

    /** Events of these streams that stay away, as far as known of single events. */
    private final Map<StreamName, PushedOut> pushedOut = new HashMap<>();

    /** The first events of these streams that may stay away, in the order in which they were read. */
    private final List<Doubtful> doubtful = new ArrayList<>();

    /** Executions of the other streams that come back with one of their events. */
    private final Set<TrashKey> withEvents = new HashSet<>();

    /** Event whose return depends on other events. */
    private record Doubtful(StreamName stream, String id, long execution, Fate fate) {}

    private @Nullable TrashedExecutions executions;
    private @Nullable Iterator<Map.Entry<StreamName, UndoForecast>> closing;

    /**
     * Begins the count.
     *
     * @param trash reads the records that the filter means
     * @param pointMs events whose deletes could be undone only until then stay away, epoch milliseconds
     * @param isExact false if the count need not be exact where it is known that nothing would be due at once
     */
    public static UndoCount of(
            EventStore store,
            PolicySet policies,
            Function<Preview, TrashSource.Reading> trash,
            long pointMs,
            boolean isExact,
            long nowMs) {
        UndoPreview preview = isExact ? null : new UndoPreview(policies, UndoForecast.dueMs(pointMs, nowMs));
        TrashSource.Reading reading = trash.apply(preview == null ? Preview.NONE : preview);
        return new UndoCount(store, policies, reading, preview, pointMs);
    }

    private UndoCount(
            EventStore store,
            PolicySet policies,
            TrashSource.Reading reading,
            @Nullable UndoPreview preview,
            long pointMs) {
        this.store = store;
        this.policies = policies;
        this.reading = reading;
        this.preview = preview;
        this.events = new TrashedEvents(reading);
        this.pointMs = pointMs;
    }

    @Override
    public boolean slice(long nowMs, SweepBudget budget) {
        if (!reading.isIndexed()) {
            return false;
        }
        if (executions == null) {
            long dueMs = UndoForecast.dueMs(pointMs, nowMs);
            executions = new TrashedExecutions(
                    reading.executions(), pointMs, execution -> ReturnRules.isForgotten(execution, policies, dueMs));
        }
        if (preview != null && preview.isEnough()) {
            executions.all().forEach(execution -> count(execution, true));
            preview.count(tally);
            tally.missing(reading.found().missingEvents());
            return true;
        }
        for (Trashed event = events.next(budget); event != null; event = events.next(budget)) {
            budget.spendStep();
            count(event, nowMs);
        }
        return events.isDone() && close(budget);
    }

    /** @param hasEvents true if one of its events comes back */
    private void count(Trashed execution, boolean hasEvents) {
        StreamName name = execution.stream();
        long number = execution.key().number();
        StreamState stream = store.stream(name);
        boolean isKnown = stream != null && store.knowsExecution(stream, number);
        if (!isKnown && (hasEvents || !known().needsEvent(name, number))) {
            tally.execution(name);
        }
    }

    private boolean bringsAnyOf(Trashed execution) {
        UndoForecast forecast = forecasts.get(execution.stream());
        return forecast == null
                ? withEvents.contains(execution.key().name())
                : forecast.bringsAnyOf(
                        execution.key().number(), pushedOut.getOrDefault(execution.stream(), PushedOut.NONE));
    }

    private TrashedExecutions known() {
        return Objects.requireNonNull(executions);
    }

    private void count(Trashed trashed, long nowMs) {
        StreamName name = trashed.stream();
        StreamState stream = store.stream(name);
        NotReturned reason = ReturnRules.reason(store, stream, trashed, pointMs);
        StoredEvent event = reason == null ? decoded(trashed) : null;
        if (event == null) {
            tally.left(name, trashed.key().id(), reason == null ? NotReturned.UNREADABLE : reason);
            return;
        }
        EventHeader header = EventHeader.of(event, event.sizeBytes());
        var execution = known().of(name, stream, header.execution());
        if (ReturnRules.lacksExecution(trashed, execution, reading.found())) {
            tally.left(name, trashed.key().id(), NotReturned.NO_EXECUTION);
            return;
        }
        EffectivePolicy policy = policies.effective(name);
        boolean isTogether = UndoForecast.isNeeded(policy);
        long dueMs = UndoForecast.dueMs(pointMs, nowMs);
        UndoForecast forecast = isTogether
                ? forecasts.computeIfAbsent(name, of -> forecast(of, dueMs))
                : new UndoForecast(name, policies, dueMs);
        Fate fate = forecast.add(header, execution);
        if (fate == Fate.AGED && !isTogether) {
            tally.left(name, header.id(), NotReturned.WOULD_BE_DUE);
            return;
        }
        tally.event(name, header.sizeBytes());
        if (!isTogether && known().needsEvent(name, header.execution())) {
            withEvents.add(TrashKey.ofExecution(name, header.execution()));
        }
        if (isTogether && fate != Fate.SAFE && doubtful.size() < MOST_REMEMBERED) {
            doubtful.add(new Doubtful(name, header.id(), header.execution(), fate));
        }
    }

    private UndoForecast forecast(StreamName name, long dueMs) {
        UndoForecast forecast = new UndoForecast(name, policies, dueMs);
        known().addTo(forecast, name);
        return forecast;
    }

    private @Nullable StoredEvent decoded(Trashed trashed) {
        try {
            return store.asReturned(StoredEventCodec.decode(trashed.stream(), trashed.value()));
        } catch (RuntimeException e) {
            return null;
        }
    }

    /** Compares each stream as it would be with its policy. */
    private boolean close(SweepBudget budget) {
        Iterator<Map.Entry<StreamName, UndoForecast>> left = closing;
        if (left == null) {
            left = forecasts.entrySet().iterator();
            closing = left;
        }
        while (left.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            budget.spendStep();
            Map.Entry<StreamName, UndoForecast> entry = left.next();
            UndoForecast forecast = entry.getValue();
            StreamState stream = store.stream(entry.getKey());
            PushedOut away = forecast.pushedOut(stream);
            if (away.due() > 0) {
                long returning = Math.min(away.due(), forecast.events());
                long bytes = forecast.bytes() / forecast.events() * returning;
                tally.takeOut(entry.getKey(), returning, bytes, returning == forecast.events());
                tally.left(NotReturned.WOULD_BE_DUE, away.due());
                pushedOut.put(entry.getKey(), away);
            }
        }
        nameDue();
        tally.forged(reading.forged());
        tally.missing(reading.found().missingEvents());
        known().all().forEach(execution -> count(execution, bringsAnyOf(execution)));
        return true;
    }

    /** Names the first events that stay away; those that make stored events due become known only with the return. */
    private void nameDue() {
        Map<StreamName, Sieve> sieves = new HashMap<>();
        for (Doubtful event : doubtful) {
            Sieve sieve = sieves.computeIfAbsent(
                    event.stream(), name -> new Sieve(pushedOut.getOrDefault(name, PushedOut.NONE)));
            if (sieve.retains(event.fate(), event.execution())) {
                tally.name(event.stream(), event.id(), NotReturned.WOULD_BE_DUE);
            }
        }
        doubtful.clear();
    }

    /** Returns the events that stay away where the events of a stream decide together; known at the end. */
    Map<StreamName, PushedOut> pushedOut() {
        return pushedOut;
    }

    @Override
    public UndoTally tally() {
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
