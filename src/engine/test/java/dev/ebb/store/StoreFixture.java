package dev.ebb.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.store.arrival.Arrival;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.MoveListener;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.pass.Pruning;
import dev.ebb.store.pass.RetirementListener;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.state.Graves;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepGroup;
import dev.ebb.store.state.SweepSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;

/** The state of one partition on stores that count, with time, policies and budgets in the hands of the test. */
public final class StoreFixture {

    public static final long T0 = 1_800_000_000_000L;

    public final CountingStore events = new CountingStore(StoreNames.EVENTS, EventStore.indexes());
    public final CountingStore usage = new CountingStore("usage", null);
    private boolean isReminded;
    public final List<StoredEvent> reclassified = new ArrayList<>();
    final EmptiedStreams emptied = new EmptiedStreams();
    public EventStore store;
    public SweepSchedule schedule;
    public long nowMs = T0;
    /** Memory for streams, in bytes: so little that nearly every step evicts one. */
    public long cacheBytes = 3300;

    public Duration graveRetention = Graves.DEFAULT_RETENTION;
    private TerminalStatuses statuses = TerminalStatuses.DEFAULT;
    private PolicySet policies = Policies.setOf();

    public StoreFixture() {
        open();
    }

    /** An event that was removed. */
    public record Removal(String stream, String id, RemovalCause cause) {

        public static Removal of(Removed gone) {
            return new Removal(gone.stream().value(), gone.event().id(), gone.cause());
        }
    }

    public Arrival event(EventBuilder event) {
        return event(event.build(), nowMs);
    }

    Arrival event(Event event, long timestampMs) {
        Arrival arrival = store.prepare(event, timestampMs, nowMs, policies);
        schedule.touch(store.put(arrival, policies));
        return arrival;
    }

    public boolean update(EventUpdate update, long timestampMs) {
        Optional<Arrival> arrival = store.prepare(update, timestampMs, nowMs, policies);
        arrival.ifPresent(change -> schedule.touch(store.put(change, policies)));
        return arrival.isPresent();
    }

    public ExecutionChange execution(ExecutionUpdate update, long timestampMs) {
        ExecutionChange change = store.apply(update, timestampMs, nowMs, policies);
        schedule.touch(change.stream());
        return change;
    }

    /** Declares an execution, or changes it, with that status. */
    public ExecutionChange execution(String stream, long number, String status) {
        return execution(new ExecutionUpdate(new StreamName(stream), number, status, null, null, null), nowMs);
    }

    /** Removes one event, whatever protects it. */
    public boolean remove(String stream, String id) {
        StreamState state = store.stream(new StreamName(stream));
        var found = state == null ? null : store.find(state, new EventId(id));
        if (found == null) {
            return false;
        }
        store.remove(found, RemovalCause.DELETE, removed -> {});
        schedule.touch(state);
        return true;
    }

    /** A whole prune in slices of so many deletes, with a restart behind the first of them. */
    Deleted prune(StreamState stream, PruneCondition condition, int deletes) {
        Pruning pruning = store.beginPrune(stream, condition, false);
        int slices = 0;
        boolean isDone = false;
        while (!isDone) {
            assertThat(slices++).as("slices of a prune").isLessThan(100_000);
            isDone = store.prune(stream, pruning, budget(deletes), (state, gone) -> {});
            schedule.touch(stream);
            if (slices == 1) {
                pruning.leave();
                pruning = Pruning.decode(pruning.encode());
            }
        }
        return pruning.counts();
    }

    public Retired retire(String stream) {
        StreamState state = Objects.requireNonNull(store.stream(new StreamName(stream)));
        schedule.forget(state);
        return store.retire(state, RemovalCause.DELETE, Origin.ofCommand("command", "tester", "a test", "0/1"), nowMs);
    }

    /** One slice of the emptying of retired streams; returns whether nothing is left. */
    boolean emptySlice(int deletes) {
        return store.empty(budget(deletes), emptied);
    }

    /** Events that a sweep of the stream would remove, found out on a shadow of it in slices of so many deletes. */
    List<Removal> predict(StreamState stream, int deletes) {
        List<Removal> found = new ArrayList<>();
        StreamState shadow = stream.shadow();
        RemovalListener listener = (state, gone) -> found.add(Removal.of(gone));
        for (int slices = 0; !store.removeDue(shadow, nowMs, budget(deletes), listener); slices++) {
            assertThat(slices).as("slices of a shadow").isLessThan(100_000);
        }
        for (int slices = 0; !store.removeOverCap(shadow, nowMs, budget(deletes), listener); slices++) {
            assertThat(slices).as("slices of a shadow over its caps").isLessThan(100_000);
        }
        return found;
    }

    public boolean status(String stream, String id, String status, long timestampMs) {
        return update(new EventUpdate(new StreamName(stream), new EventId(id), status, null, null, null), timestampMs);
    }

    /** Puts these policies into force; what must be moved waits for {@link #move}. */
    public void begin(RetentionPolicy... records) {
        begin(Policies.setOf(records));
    }

    void begin(PolicySet newPolicies) {
        policies = newPolicies;
        store.follow(newPolicies);
        StreamWalk walk = store.walk();
        for (StreamState stream = walk.next(); stream != null; stream = walk.next()) {
            store.changePolicy(stream, policies.effective(stream.stream()), policies.isHeld(stream.stream()));
            schedule.touch(stream);
        }
    }

    /** Puts these policies into force and moves all that must be moved. */
    public void policies(RetentionPolicy... records) {
        begin(records);
        moveAll();
    }

    public void policies(PolicySet newPolicies) {
        begin(newPolicies);
        moveAll();
    }

    public PolicySet policies() {
        return policies;
    }

    /** One slice that ends as soon as it may. */
    public void moveSlice() {
        SweepBudget budget = new SweepBudget(1, 0, System::nanoTime);
        MoveListener listener = new MoveListener() {
            @Override
            public void changed(StreamState stream, StoredEvent event) {
                reclassified.add(event);
            }

            @Override
            public void changed(ExecutionChange change) {}

            @Override
            public void rowsGo(StreamState stream, long events) {}
        };
        for (StreamState stream : store.moving()) {
            if (!budget.isSpent() && store.move(stream, nowMs, budget, listener)) {
                schedule.touch(stream);
            }
        }
    }

    public void moveAll() {
        for (int slices = 0; store.movingStreams() > 0; slices++) {
            assertThat(slices).as("slices of a move").isLessThan(10_000);
            moveSlice();
        }
    }

    public List<Removal> sweep() {
        return sweep(Integer.MAX_VALUE);
    }

    /** A whole sweep in slices of so many deletes. */
    public List<Removal> sweep(int deletes) {
        List<Removal> removed = new ArrayList<>();
        int slices = 0;
        while (!sweepSlice(deletes, removed)) {
            assertThat(slices++).as("slices of a sweep").isLessThan(100_000);
        }
        return removed;
    }

    /** Closes and opens again with nothing but what is in the stores. */
    public void reopen() {
        reopen(statuses);
    }

    public void reopen(TerminalStatuses newStatuses) {
        boolean areOthers = newStatuses != statuses;
        statuses = newStatuses;
        open();
        if (areOthers) {
            begin(policies);
        }
    }

    public ReadOnlyEventStore reader() {
        commit();
        return new ReadOnlyEventStore(events, usage);
    }

    public StreamUsage usage(String stream) {
        return reader().usage(new StreamName(stream)).orElseThrow();
    }

    public StoredEvent find(String stream, String id) {
        return reader().find(new StreamName(stream), new EventId(id)).orElseThrow();
    }

    public List<String> ids(String stream) {
        return reader().list(new StreamName(stream), null, Integer.MAX_VALUE - 1).events().stream()
                .map(stored -> stored.event().id().value())
                .toList();
    }

    /** Holds every key against all others, and every event against where its policy wants it. */
    public void check() {
        commit();
        events.whileReadingAll(() -> usage.whileReadingAll(
                () -> assertThat(StoreCheck.problems(events.all(), usage.all())).isEmpty()));
        assertThat(events.openIterators() + usage.openIterators())
                .as("open iterators")
                .isZero();
        StoreProbe.streams(store).stream().filter(stream -> !stream.isMoving()).forEach(this::checkPlaces);
    }

    public void resetCounts() {
        events.resetCounts();
        usage.resetCounts();
    }

    public long operations() {
        return events.operations() + usage.operations();
    }

    private void checkPlaces(StreamState stream) {
        NavigableMap<Bytes, byte[]> contents = events.contents();
        Bytes from = EventKeys.start(Range.IDS, stream.sid());
        contents.subMap(from, true, EventKeys.end(Range.IDS, stream.sid()), false)
                .forEach((key, value) -> {
                    Location location = Location.decode(value);
                    byte[] event = contents.get(location.key(stream.sid(), EventKeys.idOf(key)));
                    EventHeader header = StoredEventCodec.decodeHeader(event);
                    long sinceMs = location.position().anchorMs();
                    Segment segment = stream.segment(header.execution());
                    Location wanted = store.events().locate(segment, header, sinceMs);
                    assertThat(location.key(stream.sid(), header.id()))
                            .isEqualTo(wanted.key(stream.sid(), header.id()));
                    // Within an execution a deadline may be early: it is mended when it is met. One that is at work
                    // again
                    // keeps the deadlines of its former completion until it has another.
                    if (segment.execution().isTerminal()) {
                        assertThat(location.dueMs()).isLessThanOrEqualTo(wanted.dueMs());
                    }
                    assertThat(header.execution() > 0 || location.equals(wanted))
                            .isTrue();
                });
    }

    private boolean sweepSlice(int deletes, List<Removal> removed) {
        SweepBudget budget = budget(deletes);
        RemovalListener listener = (stream, gone) -> {
            check(stream, gone);
            removed.add(Removal.of(gone));
        };
        boolean hasTurnedBack = false;
        while (true) {
            schedule.wake(nowMs, false, budget(Integer.MAX_VALUE));
            if (!sweepAwake(budget, listener)) {
                return false;
            }
            if (!schedule.isAnyToWake(nowMs)) {
                if (hasTurnedBack || !schedule.turnBack(nowMs)) {
                    return true;
                }
                hasTurnedBack = true;
            }
        }
    }

    private boolean sweepAwake(SweepBudget budget, RemovalListener listener) {
        int visits = 0;
        for (SweepGroup group : List.copyOf(schedule.groups())) {
            for (StreamState stream = group.nextDue(nowMs); stream != null; stream = group.nextDue(nowMs)) {
                assertThat(visits++).as("visits of one slice").isLessThan(100_000);
                if (budget.isSpent()) {
                    return false;
                }
                store.removeDue(stream, nowMs, budget, listener);
                schedule.touch(stream);
            }
            for (StreamState stream : group.takeOverCap(nowMs)) {
                store.removeOverCap(stream, nowMs, budget, listener);
                schedule.touch(stream);
            }
            if (budget.isSpent()) {
                return false;
            }
        }
        return true;
    }

    /** Nothing that is held or in progress goes, and nothing before it is due (I-1, I-2). */
    private void check(StreamState stream, Removed gone) {
        assertThat(policies.isHeld(gone.stream()) || gone.facts().isProtected())
                .as("held or protected: " + gone)
                .isFalse();
        assertThat(gone.cause().isCap() || RetentionDecider.isDue(gone.facts(), stream.policy(), nowMs))
                .as("due: " + gone)
                .isTrue();
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }

    /** Once more than the store asks for is no harm; never without being asked. */
    public void commit() {
        if (isReminded) {
            isReminded = false;
            store.saveUsage();
        }
    }

    private void open() {
        commit();
        store = new EventStore(events, usage, statuses, graveRetention, () -> cacheBytes, () -> isReminded = true);
        usage.whileReadingAll(() -> store.open(policies));
        schedule = new SweepSchedule(OptionalLong.empty(), stream -> false);
        store.enterInto(schedule);
        schedule.wake(nowMs, true, budget(Integer.MAX_VALUE));
    }

    /** Remembers what was taken away behind deleted streams. */
    static final class EmptiedStreams implements RetirementListener {

        final List<Removal> events = new ArrayList<>();
        final List<String> executions = new ArrayList<>();
        int streams;

        @Override
        public void removed(Retired stream, Removed removed) {
            events.add(Removal.of(removed));
        }

        @Override
        public void executionRemoved(Retired stream, Execution execution, long openSinceMs) {
            executions.add(stream.stream() + " " + execution.number());
        }

        @Override
        public void emptied(Retired stream) {
            streams++;
        }
    }
}
