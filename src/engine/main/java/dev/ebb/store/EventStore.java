package dev.ebb.store;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.arrival.Arrival;
import dev.ebb.store.arrival.Arrivals;
import dev.ebb.store.arrival.Completion;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.ExecutionUpdates;
import dev.ebb.store.arrival.MoveListener;
import dev.ebb.store.arrival.StreamMover;
import dev.ebb.store.arrival.WaitingEnds;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.KeepLast;
import dev.ebb.store.events.LogPlaces;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.events.StaleWork;
import dev.ebb.store.forecast.FreedEvents;
import dev.ebb.store.forecast.RearrangedForecast;
import dev.ebb.store.forecast.ShadowForecast;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.forecast.StreamSweep;
import dev.ebb.store.index.Mark;
import dev.ebb.store.index.SidRange;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventIndexes;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.SavedTree;
import dev.ebb.store.layout.StatusesInForce;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.parking.ParkedRecords;
import dev.ebb.store.pass.Emptier;
import dev.ebb.store.pass.HealingListener;
import dev.ebb.store.pass.Pruning;
import dev.ebb.store.pass.RetirementListener;
import dev.ebb.store.pass.StreamPrune;
import dev.ebb.store.pass.UsageHealing;
import dev.ebb.store.plan.PlanTable;
import dev.ebb.store.plan.StreamDigest;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.search.EventSearch;
import dev.ebb.store.search.FoundEvents;
import dev.ebb.store.search.MatchQueue;
import dev.ebb.store.state.Graves;
import dev.ebb.store.state.NamespaceCounts;
import dev.ebb.store.state.NamespaceRecount;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import dev.ebb.store.state.SweepSchedule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Owns the state of one partition. An event, its index entries and its stream's usage change together or not at all
 * . Time and policy come in as arguments. All methods belong to the thread of the task; readers on other threads
 * use {@code ReadOnlyEventStore}.
 *
 * <p>Nothing about policy is stored with an event. Eligible events without an own TTL need only their order ({@code
 * Range.ORDERED}), so a new policy changes only the time at which a stream's first event falls due. Events with an own
 * TTL lie apart and have their deadlines in {@code Range.DUE}; protected events and events kept for ever lie where no
 * sweep looks. Each execution of a stream is a {@link Segment} of these ranges, protected as a whole by its summary.
 */
public final class EventStore {

    private final KeyValueStore<Bytes, byte[]> eventBytes;
    private final StatusesInForce statuses;
    private final NamespaceCounts namespaces = new NamespaceCounts();
    private final StaleWork stale;
    private final EventTable events;
    private final StreamTable streams;
    private final Arrivals arrivals;
    private final StreamMover mover;
    private final ExecutionUpdates executions;
    private final WaitingEnds ends;
    private final StreamSweep sweep;
    private final Completion completion;
    private final StreamPrune prune;
    private final Emptier emptier;
    private final UsageHealing healing;
    private final ParkedRecords parked;
    private final PlanTable plans;
    private final LogPlaces logPlaces;
    private PolicySet policies = PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE));
    private @Nullable PolicySet followed;
    private @Nullable NamespaceRecount recount;

    /**
     * Returns the derivation of an index from the records of the {@code StoreNames.EVENTS} store, which must keep the
     * index.
     */
    public static Derivation indexes() {
        return new EventIndexes();
    }

    /**
     * Creates an event store that writes a stream's usage with each event and keeps graves for {@link
     * Graves#DEFAULT_RETENTION}.
     */
    public EventStore(
            KeyValueStore<Bytes, byte[]> events,
            KeyValueStore<Bytes, byte[]> usage,
            TerminalStatuses terminalStatuses) {
        this(events, usage, terminalStatuses, Graves.DEFAULT_RETENTION, () -> Long.MAX_VALUE, null);
    }

    /**
     * Creates an event store over stores that are empty or were written by this class; {@link #open} must come first.
     *
     * @param graveRetention time for which the delete of a stream by a command is remembered; 0: not at all
     * @param cacheBytes returns the number of bytes that streams may take in memory
     * @param remindBeforeCommit asks for a call of {@link #saveUsage} before the next commit, so that an event need not
     *     write its stream's usage at once; null if there is no such reminder
     */
    public EventStore(
            KeyValueStore<Bytes, byte[]> events,
            KeyValueStore<Bytes, byte[]> usage,
            TerminalStatuses terminalStatuses,
            Duration graveRetention,
            LongSupplier cacheBytes,
            @Nullable Runnable remindBeforeCommit) {
        this.eventBytes = events;
        this.statuses = new StatusesInForce(terminalStatuses);
        this.stale = new StaleWork(events);
        this.events = new EventTable(events, namespaces, stale);
        this.streams =
                new StreamTable(usage, namespaces, statuses, graveRetention.toMillis(), cacheBytes, remindBeforeCommit);
        this.arrivals = new Arrivals(streams, this.events, statuses);
        this.mover = new StreamMover(this.events, streams, statuses);
        this.executions = new ExecutionUpdates(streams, statuses);
        this.ends = new WaitingEnds(usage, streams, executions, statuses);
        this.sweep = new StreamSweep(this.events, streams);
        this.completion = new Completion(this.events);
        this.prune = new StreamPrune(streams, this.events, completion);
        this.emptier = new Emptier(streams, this.events);
        this.healing = new UsageHealing(streams, this.events, namespaces, this::settle);
        this.parked = new ParkedRecords(streams.parked(), streams::nextParked, events);
        this.plans = new PlanTable(events);
        this.logPlaces = new LogPlaces(this.events);
    }

    /**
     * Begins with what the usage says; streams are read when they are needed. May be called again after a restoration.
     *
     * @param inForce the policies by which streams are read, until {@link #follow}
     */
    public void open(PolicySet inForce) {
        stale.clear();
        policies = inForce;
        streams.open(inForce, this::follow);
        ends.open();
    }

    /** Has streams enter the schedule when they come into memory, and leave it when they leave memory. */
    public void enterInto(SweepSchedule schedule) {
        streams.enterInto(schedule);
        beginIntervals(schedule);
        policies.policies().forEach((scope, own) -> {
            boolean isApart = own.policy().get(PolicyField.INTERVAL) != null
                    || own.policy().get(PolicyField.WINDOW) != null;
            if (isApart && scope.kind() == Scope.Kind.STREAM) {
                // It enters its group as it comes into memory.
                streams.find(new StreamName(scope.name()));
            }
        });
        // Reports of what sweeps would delete go on after a start, although none of their streams is in memory.
        streams.nextMarked(Mark.WARNED, 0);
    }

    /**
     * Has the intervals of all streams without a policy of their own begin, although none of them may be in memory.
     */
    public void beginIntervals(SweepSchedule schedule) {
        Set<String> named = policies.namespacesWithRecord();
        EffectivePolicy ofOthers = policies.effectiveIn(null);
        for (String namespace : namespaces.snapshot().keySet()) {
            if (!isHeldAsAWhole(namespace)) {
                schedule.groupOf(named.contains(namespace) ? policies.effectiveIn(namespace) : ofOthers);
            }
        }
    }

    /** Notes the policies by which streams are read from now on. */
    public void follow(PolicySet newest) {
        policies = newest;
        streams.follow(newest);
    }

    /** Returns true if all streams are known to have followed these policies when they were last seen. */
    public boolean hasFollowed(PolicySet inForce) {
        return streams.lastSid() == 0 || edition(inForce).equals(streams.followed());
    }

    /** Notes that all streams follow these policies. */
    public void followed(PolicySet all) {
        if (all != followed) {
            followed = all;
            streams.saveFollowed(edition(all));
        }
    }

    /** Returns a text that tells sets of policies apart; the version counts the changes of policies and holds. */
    private static String edition(PolicySet set) {
        return set.version() + " " + set.policies().size() + " " + set.holds().size() + " " + set.settings();
    }

    /** Returns the number of events that holds keep from sweeps. */
    public long heldEvents() {
        if (policies.holds().isEmpty()) {
            return 0;
        }
        Set<StreamName> counted = new HashSet<>();
        long sum = 0;
        for (var namespace : namespaces.snapshot().entrySet()) {
            if (isHeldAsAWhole(namespace.getKey())) {
                sum += namespace.getValue().events();
            }
        }
        for (Hold hold : policies.holds().values()) {
            StreamName name = hold.covers().kind() == Scope.Kind.STREAM
                    ? new StreamName(hold.covers().name())
                    : null;
            if (name != null && !isHeldAsAWhole(name.namespace()) && counted.add(name)) {
                StreamState stream = streams.glance(name);
                sum += stream == null ? 0 : stream.totalEvents();
            }
        }
        return sum;
    }

    private boolean isHeldAsAWhole(String namespace) {
        return policies.holds().values().stream()
                .map(Hold::covers)
                .anyMatch(scope -> scope.kind() == Scope.Kind.ALL
                        || (scope.kind() == Scope.Kind.NAMESPACE && scope.name().equals(namespace)));
    }

    /**
     * Returns the streams for which sweeps only report what they would delete, one after the other; those that are not in
     * memory are copies, as in {@link StreamTable#glance}.
     */
    public Iterator<StreamState> warned() {
        return new StreamIterator(after -> streams.glanceMarked(Mark.WARNED, after));
    }

    /**
     * Returns all streams, one after the other, in the order of their creation; those that are not in memory are copies,
     * as in {@link StreamTable#glance}.
     */
    public Iterator<StreamState> glances() {
        SidRange sids = streams.sids();
        return new StreamIterator(after -> streams.glanceAfter(sids, after));
    }

    /** Returns the stream; null if it holds nothing. */
    public @Nullable StreamState stream(StreamName stream) {
        return streams.find(stream);
    }

    /** Returns the stream whose name is the Kafka key; null if there is none. */
    public @Nullable StreamState streamOfKey(byte @Nullable [] key) {
        String name = key == null ? "" : new String(key, StandardCharsets.UTF_8);
        return StreamName.problem(name) == null ? streams.find(new StreamName(name)) : null;
    }

    /** Returns the totals of the namespaces of this partition. */
    public Map<String, NamespaceTotals> namespaceTotals() {
        return namespaces.snapshot();
    }

    /**
     * Returns true if the record was produced before a command deleted the stream that had the name at that time. Such
     * a record changes nothing, not even in a stream that has the name now (O-10).
     *
     * @param timestampMs the Kafka timestamp of the record
     */
    public boolean isLate(StreamName name, long timestampMs, long nowMs) {
        Graves graves = streams.graves();
        return graves.mayCover(timestampMs) && graves.cover(name, streams.find(name), timestampMs, nowMs);
    }

    /** Returns the places of the records of logs from which events were made. */
    public LogPlaces logPlaces() {
        return logPlaces;
    }

    /** Returns the name of the stream with this number, also of one that is being emptied; null if there is none. */
    public @Nullable StreamName nameOf(int sid) {
        return streams.nameOf(sid);
    }

    /** Returns the times at which commands deleted streams. */
    public Graves graves() {
        return streams.graves();
    }

    /** Returns the ends of executions that wait beside the graves of their streams. */
    public WaitingEnds ends() {
        return ends;
    }

    /**
     * Starts or continues a recount of the namespaces and corrects figures that differ (I-3). Reads no store; each
     * stream, execution and namespace counts as one delete in the budget.
     *
     * @param differences receives a description of each wrong figure, for people
     * @return true if a round is over; false if the budget ended the slice
     */
    public boolean recountNamespaces(SweepBudget budget, Consumer<String> differences) {
        NamespaceRecount current = recount;
        if (current == null || !current.isValid()) {
            current = new NamespaceRecount(streams, namespaces);
            recount = current;
        }
        if (!current.slice(budget, differences)) {
            return false;
        }
        recount = null;
        return true;
    }

    /** Returns the changes that the event would make to the store. */
    public Arrival prepare(Event event, long timestampMs, long nowMs, PolicySet policies) {
        return arrivals.prepare(event, timestampMs, nowMs, policies);
    }

    /**
     * Returns the changes that the update would make to the store; empty if readers would not see the event to update
     * (M-2).
     */
    public Optional<Arrival> prepare(EventUpdate update, long timestampMs, long nowMs, PolicySet policies) {
        return arrivals.prepare(update, timestampMs, nowMs, policies);
    }

    /** Writes the prepared changes. The store must not have changed since they were prepared. */
    public StreamState put(Arrival arrival, PolicySet policies) {
        return put(arrival, policies, stream -> {});
    }

    /**
     * Writes the prepared changes and sends the records that belong to them. The store must not have changed since they
     * were prepared.
     *
     * @param sends sends the records; a failure in it leaves the work half done, see {@link #isTorn}
     */
    public StreamState put(Arrival arrival, PolicySet policies, Consumer<StreamState> sends) {
        return put(arrival, StreamState.NO_NOTICE, policies, sends);
    }

    private StreamState put(Arrival arrival, long noticeUntilMs, PolicySet policies, Consumer<StreamState> sends) {
        events.beginWriting();
        StreamState stream = write(arrival, noticeUntilMs, policies);
        sends.accept(stream);
        events.endWriting();
        return stream;
    }

    private StreamState write(Arrival arrival, long noticeUntilMs, PolicySet policies) {
        StoredEvent stored = arrival.event();
        StreamState stream = arrival.stream();
        if (stream == null) {
            stream = streams.create(stored.event().stream(), policies);
        }
        stream.giveNotice(noticeUntilMs);
        Segment segment = streams.segment(stream, stored.event().execution());
        if (!segment.execution().isTerminal() && segment.openSinceMs() == 0) {
            segment.beginWork(arrival.nowMs());
        }
        events.place(segment, stored, arrival.sizeBytes(), arrival.former(), arrival.nowMs());
        stream.stored(stored.seq(), stored.storedAt());
        settleFormer(arrival.former(), segment);
        if (arrival.stream() == null || arrival.former() != null || stream.isMoving()) {
            streams.save(stream, segment);
        } else {
            streams.saveSoon(stream, segment, arrival.nowMs());
        }
        return stream;
    }

    /**
     * Puts a deleted event back in its place, under a notice that covers its stream (T-3); its id must be free.
     *
     * @param noticeUntilMs the last millisecond of the notice, epoch milliseconds
     * @param sends sends the records that belong to the event; a failure in it leaves the work half done, see {@link
     *     #isTorn}
     */
    public StreamState putBack(
            StoredEvent deleted, long noticeUntilMs, long nowMs, PolicySet policies, Consumer<StreamState> sends) {
        Arrival arrival = arrivals.prepareReturn(deleted, nowMs, policies);
        if (arrival.stream() != null) {
            arrival.stream().skipSeq();
        }
        return put(arrival, noticeUntilMs, policies, stream -> {
            resumeWork(stream, arrival.event());
            sends.accept(stream);
        });
    }

    /** An execution that was never declared has been at work since its first event, not since the undo (O-6). */
    private void resumeWork(StreamState stream, StoredEvent back) {
        Segment segment = streams.segment(stream, back.event().execution());
        boolean isAtWork =
                !segment.execution().isDeclared() && !segment.execution().isTerminal();
        if (isAtWork && segment.openSinceMs() > back.storedAt()) {
            segment.beginWork(back.storedAt());
            streams.save(stream, segment);
        }
    }

    /**
     * Returns the deleted event as it would be stored now: another set of terminal statuses may protect it, or protect
     * it no longer (M-3).
     */
    public StoredEvent asReturned(StoredEvent deleted) {
        return arrivals.sortedByStatus(deleted);
    }

    /** Returns true if an event with this id is stored, visible or not. */
    public boolean holds(StreamState stream, String id) {
        return events.locationOf(stream, id) != null;
    }

    /**
     * Declares a deleted execution again, under a notice that covers its stream (T-3).
     *
     * @param openSinceMs the time since which it was at work, epoch milliseconds; 0 if it was terminal
     * @param noticeUntilMs the last millisecond of the notice, epoch milliseconds
     * @param sends sends the records that belong to the execution; a failure in it leaves the work half done, see
     *     {@link #isTorn}
     */
    public void putBack(
            ExecutionUpdate deleted,
            long openSinceMs,
            long noticeUntilMs,
            long nowMs,
            PolicySet policies,
            Consumer<ExecutionChange> sends) {
        events.beginWriting();
        ExecutionChange change = executions.putBack(deleted, openSinceMs == 0 ? nowMs : openSinceMs, nowMs, policies);
        change.stream().giveNotice(noticeUntilMs);
        streams.save(change.stream());
        ExecutionChange ended = ends.takeEffectOnReturned(change.stream(), deleted.execution(), nowMs, policies);
        sends.accept(ended == null ? change : ended);
        events.endWriting();
    }

    /** Notes that a record of the input is taken in, whatever becomes of it; see {@code TakenIn.took}. */
    public void takeIn(String topic, String topicId, long offset, boolean mayRepeat) {
        streams.takeIn(topic, topicId, offset, mayRepeat);
    }

    /** Writes the usage that {@link #put} has deferred. */
    public void saveUsage() {
        streams.saveUnsaved();
    }

    /** Settles the former execution of an event that moved to another one: the event may have been its last. */
    private void settleFormer(@Nullable Found former, Segment now) {
        if (former != null && former.segment() != now) {
            settle(former.segment());
        }
    }

    /** Declares or changes an execution; an end of its turn that waits takes effect, too. */
    public ExecutionChange apply(ExecutionUpdate update, long timestampMs, long nowMs, PolicySet policies) {
        events.beginWriting();
        ExecutionChange change = executions.apply(update, timestampMs, nowMs, policies);
        ExecutionChange ended = ends.follow(change.stream(), update, nowMs, policies);
        events.endWriting();
        return ended == null ? change : ended;
    }

    /** Has the end of an execution wait beside the grave of its stream. */
    public void await(ExecutionUpdate end, long timestampMs) {
        events.beginWriting();
        ends.await(end, timestampMs);
        events.endWriting();
    }

    /**
     * Lets the end that waits for the execution of a stored event take effect (O-10).
     *
     * @return the execution as it is then; null if no end takes effect
     */
    public @Nullable ExecutionChange end(StreamState stream, long execution, long nowMs, PolicySet policies) {
        if (stream.waitingEnds() == 0) {
            return null;
        }
        events.beginWriting();
        ExecutionChange ended = ends.takeEffect(stream, execution, nowMs, policies);
        events.endWriting();
        return ended;
    }

    /**
     * Gives the stream another policy. If the keys of its events depend on the change, the events are moved in slices.
     */
    public void changePolicy(StreamState stream, EffectivePolicy policy, boolean isHeld) {
        stream.setPolicy(policy, isHeld);
        if (follow(stream)) {
            streams.saveAll(stream);
        } else {
            streams.refile(stream);
        }
    }

    /** Returns the stream, as {@link StreamTable#glance} does. */
    public @Nullable StreamState glance(StreamName name) {
        return streams.glance(name);
    }

    /** Returns the names of all streams, or of those of a namespace other than the default one. */
    public Iterator<StreamName> names(@Nullable String namespace) {
        return streams.names(namespace);
    }

    /** Returns true if the events of the stream, and its entries in the indexes, are as its policy wants them. */
    public boolean isArranged(StreamState stream) {
        Arrangement target =
                stream.move() == null ? stream.arrangement() : stream.move().target();
        return target.equals(arrangement(stream.policy()))
                && stream.hasRows() == stream.policy().isMirrored()
                && !StreamTable.isMisfiled(stream);
    }

    /** Begins to lead the stream to what its policy wants; returns true if anything about the stream changed. */
    private boolean follow(StreamState stream) {
        EffectivePolicy policy = stream.policy();
        return mover.begin(stream, arrangement(policy), policy.isMirrored());
    }

    /**
     * Brings other terminal statuses into force: for new records at once, for each stream once {@link #changePolicy} has
     * been called for it.
     */
    public void changeStatuses(TerminalStatuses newest) {
        statuses.change(newest);
    }

    /** Begins to count the events of the stream that these terminal statuses would protect no longer. */
    public FreedEvents freed(StreamState stream, TerminalStatuses after) {
        return new FreedEvents(events, stream, after);
    }

    /**
     * Moves events of the stream into the arrangement that its policy asks for.
     *
     * @param listener receives the events and executions that another set of terminal statuses made protected or
     *     terminal
     * @return true if the move is done; false if the budget ended the slice
     */
    public boolean move(StreamState stream, long nowMs, SweepBudget budget, MoveListener listener) {
        return settling(stream, () -> mover.advance(stream, nowMs, budget, listener));
    }

    /**
     * Removes the events that age and own TTLs take from the stream. A shadow deletes nothing, see {@link
     * StreamState#shadow}.
     *
     * @return true if nothing more is due; false if the budget ended the slice
     */
    public boolean removeDue(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        return settling(stream, () -> sweep.removeDue(stream, nowMs, budget, listener));
    }

    /**
     * Removes the events that the caps take from the stream, oldest first. A shadow deletes nothing.
     *
     * @return true if nothing more can go; false if the budget ended the slice
     */
    public boolean removeOverCap(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        return settling(stream, () -> sweep.removeOverCap(stream, nowMs, budget, listener));
    }

    /**
     * Returns a forecast of the events that a sweep at {@code nowMs} would remove from the stream under the policy and
     * its notice, whatever the mode of the policy. Deletes nothing.
     *
     * @param isHeld true if a hold would cover the stream
     */
    public StreamForecast forecast(StreamState stream, EffectivePolicy policy, boolean isHeld, long nowMs) {
        StreamState shadow = stream.shadow();
        return forecast(stream, shadow, policy, isHeld, nowMs);
    }

    /** Returns the same forecast as if no notice covered the stream: every notice ends. */
    public StreamForecast forecastWithoutNotice(
            StreamState stream, EffectivePolicy policy, boolean isHeld, long nowMs) {
        StreamState shadow = stream.shadow();
        shadow.withdrawNotice();
        return forecast(stream, shadow, policy, isHeld, nowMs);
    }

    private StreamForecast forecast(
            StreamState stream, StreamState shadow, EffectivePolicy policy, boolean isHeld, long nowMs) {
        shadow.setPolicy(policy, isHeld);
        return stream.isMoving() || !arrangement(policy).equals(stream.arrangement())
                ? new RearrangedForecast(events, stream, shadow, nowMs)
                : new ShadowForecast(sweep, shadow, nowMs);
    }

    /** Returns the place of the event with this id; null if it is not stored. */
    public @Nullable Found find(StreamState stream, EventId id) {
        return arrivals.former(stream, id.value());
    }

    /** Returns the event as the decision sees it, including its execution. */
    public EventFacts facts(Found former) {
        return former.segment().facts(former.event());
    }

    /** Returns the whole event. */
    public StoredEvent read(Found found) {
        StreamState stream = found.segment().stream();
        byte[] value = events.value(stream, found.location(), found.event().id());
        return StoredEventCodec.decode(stream.stream(), value);
    }

    /** Returns the execution with this number as it was declared; null if it never was. */
    public @Nullable ExecutionChange declared(StreamState stream, long number) {
        Segment segment = stream.segment(number);
        return segment == null || !segment.execution().isDeclared()
                ? null
                : new ExecutionChange(stream, segment.execution(), stream.parent());
    }

    /** Returns a number for a run of deletes; no other run of this partition ever has the same one. */
    public long nextAuditNumber() {
        long number = streams.task().nextAudit();
        streams.saveTask(streams.task().withNextAudit(number + 1));
        return number;
    }

    /**
     * Finds out when the stream was completed, if this is not known yet; returns false if the budget ended the search.
     */
    public boolean findCompletion(StreamState stream, SweepBudget budget) {
        return completion.find(stream, budget);
    }

    /**
     * Returns the time at which the stream was completed: the latest completion of its executions, or of its events if
     * it has no executions; -1 if never. {@link #findCompletion} must come first.
     */
    public long completionMs(StreamState stream) {
        return Completion.of(stream);
    }

    /** Begins a walk through all present streams, in the order of their creation. */
    public StreamWalk walk() {
        return new StreamWalk(streams, 0);
    }

    /**
     * Begins a walk through all present streams from this number on, see {@link StreamWalk#lastSid}. The stream with
     * the number may be gone.
     */
    public StreamWalk walkFrom(int sid) {
        return new StreamWalk(streams, sid - 1);
    }

    /**
     * Begins a search for events among all that is stored, and all that is written until the search is closed.
     *
     * @param isMeant selects the streams to search
     * @param found receives the matches
     * @param at the place where the search continues
     */
    public EventSearch search(EventSieve sieve, Predicate<StreamName> isMeant, MatchQueue found, EventSearch.At at) {
        return new EventSearch(events, streams, sieve, isMeant, found, at);
    }

    /** Returns the events that an erasure has found. */
    public FoundEvents foundBy(String commandId) {
        return new FoundEvents(eventBytes, commandId);
    }

    /** Returns the number of all stored events. */
    public long storedEvents() {
        return namespaceTotals().values().stream()
                .mapToLong(NamespaceTotals::events)
                .sum();
    }

    /** Returns true if readers see the event under these policies (M-17). */
    public boolean isVisible(Found former, PolicySet policies, long nowMs) {
        return arrivals.displaced(former, policies, nowMs) == null;
    }

    /**
     * Returns true if it is still open whether readers see the event under these policies: its stream is moving into
     * another arrangement, or is about to, and the new order decides. The caller must wait for the end of the move
     * (A-7).
     */
    public boolean isUndecided(Found former, PolicySet policies, long nowMs) {
        return arrivals.isUndecided(former, policies, nowMs);
    }

    /**
     * Returns the places of the stream's events for the policy's {@code keepLast}, by their present order; caps are
     * left out.
     */
    public Function<EventHeader, Place> placesForKeepLast(StreamState stream, EffectivePolicy policy) {
        KeepLast keepLast = KeepLast.of(eventBytes, stream, policy);
        return event -> {
            Segment segment = stream.segment(event.execution());
            long anchorMs = event.anchorMs(stream.arrangement().anchor());
            Place place = segment == null ? Place.WITHIN_CAPS : Place.WITHIN_CAPS.inExecution(stream.rank(segment));
            return keepLast.place(place, new Position(event.execution(), anchorMs, event.seq()));
        };
    }

    /**
     * Removes one event, whatever its class.
     *
     * @param sends sends the records of the removal; a failure in it leaves the removal half done, see {@link #isTorn}
     */
    public void remove(Found former, RemovalCause cause, Consumer<Removed> sends) {
        Segment segment = former.segment();
        StreamState stream = segment.stream();
        String id = former.event().id();
        byte[] value = events.value(stream, former.location(), id);
        Removed removed = Removed.of(segment, former.event(), cause, value);
        events.beginWriting();
        events.remove(segment, former.event(), former.location());
        settle(stream);
        sends.accept(removed);
        events.endWriting();
    }

    /** Sends the records of finished removals; a failure leaves the work half done, see {@link #isTorn}. */
    public void send(Runnable sends) {
        events.beginWriting();
        sends.run();
        events.endWriting();
    }

    /** Logs the event once more, since SQL lacks its row or has another one. */
    public void repeat(Found found) {
        StreamState stream = found.segment().stream();
        String id = found.event().id();
        byte[] value = events.value(stream, found.location(), id);
        events.log().repeat(stream.stream(), found.location().key(stream.sid(), id), value);
    }

    /** Logs the removal of a row of SQL that no event has. */
    public void removeRow(StreamName stream, RowKey row) {
        events.log().removeRow(stream, row.instant(), row.eventId());
    }

    /** Returns true if the log of the events is to be made shorter. */
    public boolean isLogLong() {
        return events.log().isLong(this::stored);
    }

    /** Makes the log of the events shorter if it is long; returns true if there is more to do at once. */
    public boolean shortenLog(SweepBudget budget) {
        return events.log().snapshot(this::stored, streams.namesWithRows(), budget);
    }

    private long stored() {
        return namespaces.snapshot().values().stream()
                        .mapToLong(NamespaceTotals::events)
                        .sum()
                + parked.size();
    }

    /** Begins a prune of the stream. */
    public Pruning beginPrune(StreamState stream, PruneCondition condition, boolean isDryRun) {
        return prune.begin(stream, condition, isDryRun);
    }

    /** Continues a prune; returns true if the prune is done or its stream is gone. */
    public boolean prune(StreamState stream, Pruning pruning, SweepBudget budget, RemovalListener listener) {
        if (stream.sid() != pruning.sid() || streams.ofSid(stream.sid()) != stream) {
            pruning.leave();
            return true;
        }
        return pruning.isDryRun()
                ? prune.run(stream, pruning, budget, listener)
                : settling(stream, () -> prune.run(stream, pruning, budget, listener));
    }

    /** Returns true if a prune under this condition may take the event now, whatever it would take first. */
    public boolean mayPrune(Found found, PruneCondition condition) {
        return prune.mayTake(found, condition);
    }

    /** Forgets an execution whose events a prune has all taken; returns false if the execution must stay. */
    public boolean pruneEmptied(
            StreamState stream, long execution, PruneCondition condition, RemovalListener listener) {
        boolean isGone = prune.dropEmptied(stream, execution, condition, listener);
        settle(stream);
        return isGone;
    }

    /**
     * Removes the stream from all views at once; {@link #empty} removes its events and executions afterwards. From now
     * on, records that were produced before {@code nowMs} are too late, see {@link #isLate}.
     *
     * @return the note of the stream and its delete
     */
    public Retired retire(StreamState stream, RemovalCause cause, Origin origin, long nowMs) {
        Retired retired = new Retired(
                stream.stream(),
                stream.sid(),
                stream.lastStoredAt(),
                cause,
                origin,
                stream.totalEvents(),
                stream.root().execution(),
                stream.root().openSinceMs(),
                stream.parent(),
                stream.hasRows());
        List<Execution> atWork = stream.firstOpen(Grave.MOST_AT_WORK + 1);
        events.beginWriting();
        streams.remove(stream);
        stale.forget(stream.sid());
        streams.retired().put(retired);
        ends.bury(stream.stream(), origin.commandId(), atWork, nowMs);
        events.endWriting();
        return retired;
    }

    /**
     * Removes what is left of retired streams; returns true if nothing is left, false if the budget ended the slice.
     */
    public boolean empty(SweepBudget budget, RetirementListener listener) {
        return emptier.run(budget, listener);
    }

    /** Returns true if this execution of the stream was declared. */
    public boolean knowsExecution(StreamState stream, long execution) {
        Segment segment = stream.segment(execution);
        return segment != null && segment.execution().isDeclared();
    }

    /** Returns true if anything is left of retired streams. */
    public boolean hasRetired() {
        return streams.retired().first() != null;
    }

    /**
     * Counts the events that have been protected since before {@code beforeMs}; returns false if the budget ended the
     * slice (O-6).
     *
     * @param aheadMs how far beyond {@code beforeMs} the count looks for the next event, in milliseconds
     */
    public boolean countStale(long beforeMs, long aheadMs, SweepBudget budget) {
        return stale.advance(beforeMs, aheadMs, budget);
    }

    /** Returns the number of changes of streams; while the number stays the same, so do all events and executions. */
    public long changes() {
        return streams.changes();
    }

    /**
     * Adds up the stale protected events: those counted, and those of executions open since before {@code beforeMs}.
     *
     * @param mostStreams the most streams to name
     */
    public StaleCount staleEvents(long beforeMs, int mostStreams) {
        return new StaleCount(streams, stale, beforeMs, mostStreams);
    }

    /** Returns the notes of pending work, by name; a live view. */
    public Map<String, byte[]> pending() {
        return streams.notes().pending();
    }

    /** Returns the number of the next stream that begins; all streams that are here have lower ones. */
    public int nextSid() {
        return streams.task().nextSid();
    }

    /** Keeps a note of pending work; null removes the note. */
    public void savePending(String name, byte @Nullable [] value) {
        streams.notes().savePending(name, value);
    }

    /** Returns the note of finished work; null if there is none. */
    public byte @Nullable [] done(String name) {
        return streams.notes().done(name);
    }

    /** Keeps a note of finished work. */
    public void saveDone(String name, byte[] value, long nowMs) {
        streams.notes().saveDone(name, value, nowMs);
    }

    /** Forgets work that was finished before {@code beforeMs}, a few notes at a time. */
    public void forgetDone(long beforeMs) {
        streams.notes().forgetDone(beforeMs);
    }

    /**
     * Returns the offset, on the topic of accepted policies, of the newest hold that the task has confirmed; -1 if it
     * has confirmed none.
     */
    public long fence() {
        return streams.task().fence();
    }

    /** Keeps the task from deleting anything under a view of the policies older than this offset. */
    public void saveFence(long offset) {
        streams.saveTask(streams.task().withFence(offset));
    }

    /** Returns the Merkle tree over the audit of the partition. */
    public SavedTree auditTree() {
        return streams.tree();
    }

    /** Returns true if the usage of a stream disagrees with its events and can be mended now. */
    public boolean hasSuspects() {
        return streams.suspects().stream().anyMatch(suspect -> !suspect.isMoving());
    }

    /**
     * Recounts the events of suspect streams; returns true if no suspect is left, false if the budget ended the slice.
     */
    public boolean heal(SweepBudget budget, HealingListener listener) {
        return healing.slice(budget, listener);
    }

    /** Has the events of the stream recounted although no fault is known. */
    public void suspect(StreamState stream, String reason) {
        stream.suspect(reason);
    }

    /** Keeps retention from deleting anything from the stream; null ends the quarantine. */
    public void quarantine(StreamState stream, @Nullable Quarantine quarantine) {
        stream.setQuarantine(quarantine);
        stream.changeAll();
        streams.saveAll(stream);
    }

    /** Returns the streams from which nothing is deleted until an operator has looked at them; a live view. */
    public Collection<StreamState> quarantined() {
        return streams.quarantined().values();
    }

    /** Returns true if a failure has left an incomplete change in the stores; the transaction must then be aborted. */
    public boolean isTorn() {
        return events.isWriting();
    }

    /** Returns the records that cannot be taken in yet. */
    public ParkedRecords parked() {
        return parked;
    }

    /** Returns the events that plans name. */
    public PlanTable plans() {
        return plans;
    }

    /** Returns a digest of the stream's events; the caller computes it in slices and closes it. */
    public StreamDigest digest(StreamState stream) {
        return new StreamDigest(eventBytes, stream);
    }

    /** Returns the streams whose events are moving into another arrangement. */
    public List<StreamState> moving() {
        return List.copyOf(streams.moving());
    }

    /** Returns the number of streams that are moving into another arrangement. */
    public int movingStreams() {
        return streams.movingStreams();
    }

    /**
     * Returns the number of ended moves into another arrangement: the stream has arrived, is quarantined, or is gone.
     */
    public long movesEnded() {
        return streams.movesEnded();
    }

    public EventTable events() {
        return events;
    }

    public NamespaceCounts namespaces() {
        return namespaces;
    }

    private Arrangement arrangement(EffectivePolicy policy) {
        return Arrangement.of(policy, statuses.fingerprint());
    }

    /** Does the work, then saves the stream as it is, even after a failure; a shadow is not saved. */
    private boolean settling(StreamState stream, BooleanSupplier work) {
        try {
            return work.getAsBoolean();
        } finally {
            if (!stream.isShadow() && !events.isWriting()) {
                settle(stream);
            }
        }
    }

    /**
     * Saves the stream, or removes it once it holds neither an event nor an execution. A stream that has just gone may
     * be settled again.
     */
    private void settle(StreamState stream) {
        if (stream.isGone()) {
            return;
        }
        if (stream.executions() != null) {
            stream.executions().takeUnsettled().forEach(this::settle);
        }
        if (stream.isEmpty()) {
            events.forgetWaits(stream.sid());
            streams.remove(stream);
        } else {
            streams.save(stream);
        }
    }

    /** Saves the execution, or removes an undeclared one that no longer holds an event. */
    private void settle(Segment segment) {
        if (segment.number() > 0 && !segment.isKnown()) {
            streams.removeSegment(segment);
        } else {
            streams.saveAlone(segment);
        }
    }
}
