package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.simulation.AccidentLedger.Gone;
import dev.ebb.simulation.AccidentWorld.InForce;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What may be gone after an accident (T-12), event by event: nothing that was protected, held or not due without an audit
 * record of a command that says so; and what went within its window waits, byte for byte (T-1). It knows nothing of how Ebb
 * decides; only ages, counts, holds and commands.
 */
final class AccidentLaw {

    /** Status of work in progress, which a wrong setting calls terminal. */
    static final String WORK = "running";

    private static final long SECOND_MS = 1000;

    private final AccidentWorld world;
    private final Map<String, CommandRequest> commands = new HashMap<>();
    private final Map<String, List<Picture>> plans = new HashMap<>();

    /** The events that may have come to a stream before others went, or have replaced others. */
    private List<Event> arriving = List.of();

    /** The policies that came into force in the step, some of which may be gone again. */
    private List<PolicySet> between = List.of();

    /** Number of the changes of policies that were looked at. */
    private int known;

    /** The changes that a person has confirmed. */
    private final Set<Integer> confirmed = new HashSet<>();

    private final HourLaw hour;
    private final ClockLaw clock;

    /** The events that were protected when each change came into force: what ends that later is not the change. */
    private final Map<Integer, Set<Key>> protectedAt = new HashMap<>();

    /** Those of executions that were never declared then: no settings free them. */
    private final Map<Integer, Set<Key>> undeclaredAt = new HashMap<>();

    /**
     * The events just before and after each change came into force, as they were: no brake counts what an undo brings
     * back later, or what its producer gives a shorter TTL later.
     */
    private final Map<Integer, List<Map<Key, StoredEvent>>> storedAt = new HashMap<>();

    /**
     * @param most the most events that a change of policies, or a time far ahead, may take without a confirmation
     * @param maxGapMs the longest time by which the clock may be ahead at a start
     */
    AccidentLaw(AccidentWorld world, long most, long maxGapMs) {
        this.world = world;
        this.hour = new HourLaw(world.history, most);
        this.clock = new ClockLaw(maxGapMs, most);
    }

    /** Notes a start of everything at another time. */
    void started(long newestMs) {
        clock.started(world, newestMs);
    }

    /** An event, whatever has become of it. */
    record Key(StreamName stream, String id, long storedAt) {

        static Key of(StoredEvent stored) {
            return new Key(stored.event().stream(), stored.event().id().value(), stored.storedAt());
        }

        /** Returns true if both are forms of one event; of what waits and what is stored that is never one and the same. */
        boolean isFormOf(Key other) {
            return stream.equals(other.stream) && id.equals(other.id);
        }
    }

    /**
     * The state between two steps.
     *
     * @param open events of executions that are not terminal
     * @param undeclared those of executions that were never declared
     * @param held streams that a hold covers which their partition has confirmed
     * @param doubted streams of partitions whose instance knows that its clock is wrong
     * @param policies the policies by which some instance may act
     * @param ofPartitions the policies by which each partition acts
     * @param trustedMs the time that no clock which jumps can set
     */
    record Picture(
            Map<Key, StoredEvent> events,
            Set<Key> open,
            Set<Key> undeclared,
            Set<StreamName> held,
            Set<StreamName> doubted,
            List<PolicySet> policies,
            List<PolicySet> ofPartitions,
            long trustedMs) {

        static Picture of(AccidentWorld world) {
            List<StoredEvent> stored = world.stored();
            Set<StreamName> streams =
                    stored.stream().map(one -> one.event().stream()).collect(Collectors.toCollection(HashSet::new));
            AccidentPlay.STREAMS.forEach(name -> streams.add(new StreamName(name)));
            return new Picture(
                    stored.stream().collect(Collectors.toMap(Key::of, one -> one)),
                    stored.stream()
                            .filter(world::isOfOpenExecution)
                            .map(Key::of)
                            .collect(Collectors.toSet()),
                    stored.stream()
                            .filter(world::isOfUndeclaredExecution)
                            .map(Key::of)
                            .collect(Collectors.toSet()),
                    streams.stream().filter(world::isHeld).collect(Collectors.toSet()),
                    streams.stream().filter(world::isClockDoubted).collect(Collectors.toSet()),
                    world.views(),
                    world.viewsOfPartitions(),
                    world.world.nowMs);
        }

        long count(StreamName stream) {
            return events.keySet().stream()
                    .filter(key -> key.stream().equals(stream))
                    .count();
        }

        boolean isHeld(StreamName stream) {
            return held.contains(stream);
        }

        boolean isProtected(StoredEvent stored) {
            return stored.isProtected() || open.contains(Key.of(stored));
        }

        Set<Key> protectedEvents() {
            return events.values().stream()
                    .filter(this::isProtected)
                    .map(Key::of)
                    .collect(Collectors.toSet());
        }

        PolicySet newest() {
            return policies.get(0);
        }

        /** Returns true if other policies of the stream are in force in the other state. */
        boolean isChanged(StreamName stream, Picture other) {
            return isOther(newest(), other.newest(), stream);
        }

        private static boolean isOther(PolicySet one, PolicySet other, StreamName stream) {
            return one.isHeld(stream) != other.isHeld(stream)
                    || !one.effective(stream).equals(other.effective(stream));
        }
    }

    /** Notes a command that is about to be sent. */
    void sent(CommandRequest request) {
        commands.put(request.commandId(), request);
    }

    /** Notes the states before and behind a dry run that has made a plan: sweeps may go on beside it. */
    void planned(String planId, Picture before, Picture after) {
        plans.put(planId, List.of(before, after));
    }

    /** Checks what a plan has taken: it was there when the plan was made, and due then if the plan is of a sweep (T-6). */
    private void checkPlan(StoredEvent gone, CommandRequest request) {
        List<Picture> then = request.plan() == null ? null : plans.get(request.plan());
        if (then != null) {
            assertThat(then.stream().flatMap(picture -> picture.events().keySet().stream()))
                    .as("events that " + request + " could know")
                    .contains(Key.of(gone));
            assertThat(!(request.command() instanceof Command.SweepNow)
                            || !dueUnder(gone, then.get(0), then.get(1)).isEmpty())
                    .as(gone + " was not due when " + request + " was planned")
                    .isTrue();
        }
    }

    /**
     * Checks a step.
     *
     * @param audits of the step
     * @param touched tells events whose own records came in the step
     * @param mayHaveCome the events that were sent and may have been taken in in the step
     * @param isConfirmed true if a person has confirmed what the brake held back in the step
     */
    void check(
            Picture before,
            Picture after,
            List<AuditRecord> audits,
            Predicate<Key> touched,
            List<Event> mayHaveCome,
            boolean isConfirmed) {
        arriving = mayHaveCome;
        between = world.history.subList(known, world.history.size()).stream()
                .map(InForce::policies)
                .toList();
        note(before, after, isConfirmed);
        clock.look(before, after);
        Map<Key, StoredEvent> gone = new HashMap<>(before.events());
        gone.keySet().removeAll(after.events().keySet());
        for (StoredEvent stored : gone.values()) {
            AuditRecord audit = audit(Key.of(stored), audits);
            CommandRequest request = audit.commandId() == null ? null : commands.get(audit.commandId());
            boolean isTouched = touched.test(Key.of(stored));
            boolean isByPolicy = request == null || request.command() instanceof Command.SweepNow;
            clock.gone(Key.of(stored), isByPolicy && !isTouched && isByAge(audit));
            if (isByPolicy) {
                checkPolicies(stored, audit, before, after, isTouched);
                if (!isTouched) {
                    checkBrake(stored, audit, before.trustedMs());
                }
            } else {
                checkCommand(stored, request, before, after, isTouched);
            }
            if (request != null) {
                checkPlan(stored, request);
            }
            checkHeld(stored, before, after);
            checkTrash(stored, audit, request, before, after, isTouched);
        }
    }

    /**
     * Notes the changes that came into force between two states.
     *
     * @param isConfirmed true if a person has confirmed what the brake held back
     */
    void note(Picture before, Picture after, boolean isConfirmed) {
        if (isConfirmed) {
            clock.confirmed();
        }
        for (; known < world.history.size(); known++) {
            if (isConfirmed) {
                confirmed.add(known);
            }
            Set<Key> kept = new HashSet<>(before.protectedEvents());
            kept.addAll(after.protectedEvents());
            protectedAt.put(known, kept);
            Set<Key> undeclared = new HashSet<>(before.undeclared());
            undeclared.addAll(after.undeclared());
            undeclaredAt.put(known, undeclared);
            storedAt.put(known, List.of(before.events(), after.events()));
        }
    }

    /**
     * Counts what a change of policies has taken at once: without a confirmation it is no more than the brake lets through.
     * An event counts if its age was over when the change was sent, and not over before it, and if it was not protected
     * then.
     *
     * @param sinceMs the time before the step in which the event went
     */
    private void checkBrake(StoredEvent gone, AuditRecord audit, long sinceMs) {
        List<InForce> history = world.history;
        for (int i = history.size() - 1; i > 0; i--) {
            InForce now = history.get(i);
            if (!isByAge(audit) && audit.atMs() < now.atMs()) {
                continue; // a cap takes only events that no age takes, so it went by earlier policies
            }
            if (isByAge(audit) && audit.atMs() >= sinceMs && audit.atMs() < now.askedMs()) {
                continue; // it went earlier in the same step
            }
            if (isByAnotherRecord(audit, now.policies())) {
                continue; // it went before the change was in force
            }
            // A clock that goes back may let a cap take what its age would have let go at the time of the change.
            if (!isAged(gone, now.policies(), audit.atMs()) || now.policies().isHeld(gone.event().stream())) {
                return;
            }
            PolicySet former = history.get(i - 1).policies();
            // The brake asks with the clock of the change, which may have gone back since.
            long latestMs = Math.max(audit.atMs(), now.latestMs());
            boolean wasProtected = protectedAt.get(i).contains(Key.of(gone));
            boolean canBeFreed = wasProtected && !undeclaredAt.get(i).contains(Key.of(gone));
            boolean isFreed = canBeFreed && !isWorkTerminal(former) && isWorkTerminal(now.policies());
            // An update may have taken away since the own TTL by which the event had been the producer's.
            boolean wasFree = !isFreed
                    && !former.isHeld(gone.event().stream())
                    && (isAged(gone, former, latestMs)
                            || formsAt(i, gone).stream().anyMatch(form -> isAged(form, former, now.latestMs())));
            boolean wasKept = wasProtected && !isFreed;
            if (!wasFree && !wasKept && wasAged(gone, i) && !confirmed.contains(i)) {
                hour.took(i, Key.of(gone));
            }
        }
    }

    /** Returns true if the record of a policy that has taken an event is none of these policies. */
    private static boolean isByAnotherRecord(AuditRecord audit, PolicySet policies) {
        if (audit.cause().equals(RemovalCause.TTL.name()) || audit.policyVersion() < 0) {
            return false;
        }
        VersionedPolicy known = policies.policies().get(Scope.parse(audit.scope()));
        return known == null || known.version() != audit.policyVersion();
    }

    /** Returns the forms that the event had before and after the step of the change. */
    private List<StoredEvent> formsAt(int change, StoredEvent gone) {
        return storedAt.get(change).stream()
                .flatMap(events -> Stream.ofNullable(events.get(Key.of(gone))))
                .toList();
    }

    /** Returns true if the age of the event was over when the change was sent, in each form that the event had then. */
    private boolean wasAged(StoredEvent gone, int change) {
        InForce now = world.history.get(change);
        List<StoredEvent> forms = formsAt(change, gone);
        return !forms.isEmpty()
                && Stream.concat(Stream.of(gone), forms.stream())
                        .allMatch(form -> isAged(form, now.policies(), now.askedMs()));
    }

    private static boolean isByAge(AuditRecord audit) {
        return "MAX_AGE".equals(audit.cause()) || "TTL".equals(audit.cause());
    }

    /** The event without the marks that the statuses in force give it: settings may have changed since it went. */
    static StoredEvent asSent(StoredEvent stored) {
        return new StoredEvent(stored.event().withCompletedAt(null), stored.storedAt(), stored.seq(), true);
    }

    /** Returns true if work in progress may have lost its protection in the step. */
    private static boolean mayBeFreed(Picture before, Picture after) {
        return Stream.concat(before.policies().stream(), after.policies().stream())
                .anyMatch(AccidentLaw::isWorkTerminal);
    }

    /** Returns true if settings in force say that work in progress is finished. */
    private static boolean isWorkTerminal(PolicySet policies) {
        return policies.settings().statuses().isTerminal(WORK);
    }

    private static AuditRecord audit(Key key, List<AuditRecord> audits) {
        List<AuditRecord> said = audits.stream()
                .filter(audit -> key.stream().value().equals(audit.stream())
                        && audit.eventIds().contains(key.id()))
                .toList();
        assertThat(said).as("audit of " + key).isNotEmpty();
        return said.get(0);
    }

    private static void checkHeld(StoredEvent gone, Picture before, Picture after) {
        StreamName stream = gone.event().stream();
        assertThat(before.isHeld(stream) && after.isHeld(stream))
                .as(Key.of(gone) + " was held")
                .isFalse();
    }

    private void checkPolicies(StoredEvent gone, AuditRecord audit, Picture before, Picture after, boolean isTouched) {
        assertThat(audit.commandId() == null || commands.containsKey(audit.commandId()))
                .as("the command of " + audit)
                .isTrue();
        assertThat(before.isProtected(gone) && !isTouched && !mayBeFreed(before, after))
                .as(Key.of(gone) + " was protected")
                .isFalse();
        assertThat(world.ledger.isUnderNotice(Key.of(gone), audit.atMs()))
                .as(Key.of(gone) + " was under notice: " + audit)
                .isFalse();
        StreamName stream = gone.event().stream();
        assertThat(before.doubted().contains(stream) && after.doubted().contains(stream) && !isTouched)
                .as(Key.of(gone) + " went by a clock that is known to be wrong: " + audit)
                .isFalse();
        // Its own record may have brought a TTL in this step, or taken the one that it had.
        boolean isByOwnTtl = isTouched && "TTL".equals(audit.cause());
        boolean isByAge = isTouched && "MAX_AGE".equals(audit.cause()) && isOld(gone, before, after);
        assertThat(isByOwnTtl || isByAge || !dueUnder(gone, before, after).isEmpty())
                .as(Key.of(gone) + " was not due: " + audit)
                .isTrue();
    }

    private void checkCommand(
            StoredEvent gone, CommandRequest request, Picture before, Picture after, boolean isTouched) {
        assertThat(request.isDryRun()).as("a dry run took " + gone).isFalse();
        assertThat(mayBeMeant(request.command(), gone.event()))
                .as(request + " is not about " + Key.of(gone))
                .isTrue();
        boolean isFree = isTouched || mayBeFreed(before, after);
        assertThat(before.isProtected(gone) && !isForced(request.command()) && !isFree)
                .as(Key.of(gone) + " was protected from " + request)
                .isFalse();
    }

    /** Its own record may have come in the step, and have made it one that the command is about. */
    private boolean mayBeMeant(Command command, Event gone) {
        Stream<Event> own = arriving.stream()
                .filter(event ->
                        event.stream().equals(gone.stream()) && event.id().equals(gone.id()));
        return Stream.concat(Stream.of(gone), own).anyMatch(event -> says(command, event));
    }

    /** The policies under which the event may be due; too many rather than too few. */
    private List<PolicySet> dueUnder(StoredEvent stored, Picture before, Picture after) {
        List<PolicySet> all = new ArrayList<>(before.policies());
        all.addAll(after.policies());
        all.addAll(between);
        return all.stream()
                .filter(policies -> isDue(stored, policies, before, after.trustedMs()))
                .toList();
    }

    /** Returns true if some policy would take it by its age if it had no TTL of its own. */
    private static boolean isOld(StoredEvent stored, Picture before, Picture after) {
        long ageMs = after.trustedMs() - stored.storedAt();
        return Stream.of(before, after)
                .flatMap(picture -> picture.policies().stream())
                .anyMatch(policies -> isOver(
                        policies.effective(stored.event().stream()).maxAge().value(), ageMs));
    }

    private boolean isDue(StoredEvent stored, PolicySet policies, Picture before, long atMs) {
        StreamName stream = stored.event().stream();
        EffectivePolicy policy = policies.effective(stream);
        long room = before.count(stream) + arriving.size();
        return isAged(stored, policies, atMs)
                || isOver(policy.get(PolicyField.MAX_COUNT).value(), room);
    }

    static boolean isAged(StoredEvent stored, PolicySet policies, long atMs) {
        EffectivePolicy policy = policies.effective(stored.event().stream());
        long ageMs = atMs - stored.storedAt();
        return isOfOwnTtl(stored)
                ? isOwnTtlOver(stored, atMs) || isOver(policy.maxTtl().value(), ageMs)
                : isOver(policy.maxAge().value(), ageMs);
    }

    private static boolean isOver(Limit limit, long number) {
        return !limit.isNone() && number > limit.value();
    }

    private static boolean isOfOwnTtl(StoredEvent stored) {
        return stored.ttl().ttlSeconds() != null;
    }

    private static boolean isOwnTtlOver(StoredEvent stored, long atMs) {
        Long ttlSeconds = stored.ttl().ttlSeconds();
        return ttlSeconds != null && atMs - stored.storedAt() > ttlSeconds * SECOND_MS;
    }

    /** What went within its window waits, byte for byte; what is final does not (T-1). */
    private void checkTrash(
            StoredEvent gone,
            AuditRecord audit,
            @Nullable CommandRequest request,
            Picture before,
            Picture after,
            boolean isTouched) {
        Gone kept = world.ledger.of(Key.of(gone));
        boolean isKept = kept != null && kept.deletion().deletedAtMs() >= before.trustedMs();
        boolean isErased = request != null && request.command() instanceof Command.EraseEvents;
        boolean isByTtlAlone = "TTL".equals(audit.cause()) && isOwnTtlOver(gone, audit.atMs());
        if (isErased || (isByTtlAlone && !isTouched && !isFreed(gone, before, after))) {
            String by = audit.commandId() == null ? audit.sweepId() : audit.commandId();
            boolean isKeptByThis = isKept && kept.deletion().author().equals(by);
            assertThat(isKeptByThis).as(gone + " is final by " + audit).isFalse();
        } else if (!isTouched
                && (isByTtlAlone
                        ? wasKeptFromTtl(gone, audit, before, after)
                        : mustWait(gone, audit, request, before, after))) {
            assertThat(isKept).as(gone + " waits in the trash after " + audit).isTrue();
            assertThat(asSent(kept.event())).as("what waits").isEqualTo(asSent(gone));
            assertThat(kept.deletion().cause().name()).isEqualTo(audit.cause());
            assertThat(kept.deletion().deletedAtMs()).isEqualTo(audit.atMs());
            assertThat(kept.deletion().commandId()).isEqualTo(audit.commandId() == null ? "" : audit.commandId());
        }
    }

    /** Returns true if a change may have ended what kept the event although its own TTL had passed (T-1). */
    private static boolean isFreed(StoredEvent gone, Picture before, Picture after) {
        return Stream.concat(before.policies().stream(), after.policies().stream())
                .flatMap(policies -> policies.changesOn(gone.event().stream()).stream())
                .anyMatch(Change::freesOwnTtl);
    }

    /**
     * Returns true if a hold kept the event when its own TTL was over, and was released so shortly before (T-1). A late
     * view that saw neither hold nor release did not keep it.
     */
    private boolean wasKeptFromTtl(StoredEvent gone, AuditRecord audit, Picture before, Picture after) {
        StreamName stream = gone.event().stream();
        long undoMs = undoMs(gone, before, after);
        List<InForce> history = world.history;
        for (int i = history.size() - 1; i > 0 && audit.atMs() - history.get(i).atMs() < undoMs; i--) {
            boolean isReleased = history.get(i - 1).policies().isHeld(stream)
                    && !history.get(i).policies().isHeld(stream);
            boolean wasBefore = history.get(i).atMs() <= audit.atMs()
                    && history.get(i).policies().version() <= audit.policyVersion();
            if (isReleased && wasBefore && isOwnTtlOver(gone, history.get(i).atMs())) {
                return true;
            }
        }
        return false;
    }

    private boolean mustWait(
            StoredEvent gone, AuditRecord audit, @Nullable CommandRequest request, Picture before, Picture after) {
        long undoMs = undoMs(gone, before, after);
        if (request != null && !(request.command() instanceof Command.SweepNow)) {
            return undoMs > 0;
        }
        return undoMs > 0
                && dueUnder(gone, before, after).stream()
                        .allMatch(policies -> audit.atMs() - madeDueMs(gone, policies, before, audit.atMs()) < undoMs);
    }

    /** The shortest time that any policies give. */
    private static long undoMs(StoredEvent gone, Picture before, Picture after) {
        return Stream.concat(before.policies().stream(), after.policies().stream())
                .map(policies -> policies.effective(gone.event().stream())
                        .get(PolicyField.UNDO)
                        .value())
                .mapToLong(undo -> undo.isNone() ? 0 : undo.value())
                .min()
                .orElse(0);
    }

    /** Time of the change by which the event was due under those policies; 0 if it always was, as far as is known. */
    private long madeDueMs(StoredEvent gone, PolicySet policies, Picture before, long atMs) {
        List<InForce> history = world.history;
        int i = history.size() - 1;
        while (i > 0 && history.get(i).policies().version() > policies.version()) {
            i--;
        }
        while (i > 0) {
            PolicySet former = history.get(i - 1).policies();
            if (former.isHeld(gone.event().stream()) || !isDue(gone, former, before, atMs)) {
                return history.get(i).atMs();
            }
            i--;
        }
        return 0;
    }

    /**
     * What has come back stays for long enough to be looked at, whatever is in force (T-3): a sweep that comes at once
     * takes none of it.
     *
     * @param returned what is back
     */
    void mayStay(Set<Key> returned, AccidentWorld there) {
        if (returned.isEmpty()) {
            return;
        }
        there.run(2 * SECOND_MS);
        assertThat(Picture.of(there).events().keySet())
                .as("what was back, and went again at once")
                .containsAll(returned);
    }

    private static boolean says(Command command, Event event) {
        if (command instanceof Command.DeleteEvent delete) {
            return delete.stream().equals(event.stream()) && delete.id().equals(event.id());
        }
        if (command instanceof Command.OfStream one) {
            return one.stream().equals(event.stream());
        }
        if (command instanceof Command.EraseEvents erase) {
            return isMeant(erase, event);
        }
        return command instanceof Command.PurgeStreams;
    }

    static boolean isMeant(Command.EraseEvents erase, Event event) {
        return "42".equals(event.metadata().get("user")) && erase.isAbout(event.stream());
    }

    private static boolean isForced(Command command) {
        return (command instanceof Command.DeleteStream stream && stream.isForced())
                || (command instanceof Command.DeleteEvent event && event.isForced())
                || (command instanceof Command.EraseEvents erase && erase.isForced());
    }
}
