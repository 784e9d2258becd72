package dev.ebb.oracle;

import dev.ebb.oracle.Allowance.Judgement;
import dev.ebb.oracle.Ends.End;
import dev.ebb.oracle.StreamState.Kept;
import dev.ebb.oracle.World.Change;
import dev.ebb.oracle.World.Input;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plays the changes of one partition of the mirror against the input: each row must come from a record, each tombstone
 * must have been allowed and explained at its place in this order, and nothing may be left.
 *
 * <p>Rows of new events wait for the commit, so they are played ahead: before a tombstone those of events that had come by
 * then, and before a row those of records before its own. An event that comes and goes within a transaction has no row at
 * all; its record and its explanation in the audit stand for it, and its delete must have been allowed like any other.
 */
final class Replay {

    private final int partition;
    private final World world;
    private final Policies policies;
    private final Allowance allowance;
    private final Explanations explanations;
    private final Intake intake;
    private final Ends ends;
    private final Ahead ahead;
    private final Consumer<String> differences;
    private final Map<String, StreamState> streams = new TreeMap<>();

    private final Map<String, Lives> lives = new HashMap<>();

    /** Events without a row that have come and are still to go, and the keys that stand for those of rows. */
    private final Map<Input, Row.Key> unseen = new IdentityHashMap<>();

    private long events;
    private long deletes;
    private long clockMs;

    Replay(
            int partition,
            World world,
            Policies policies,
            Explanations explanations,
            Intake intake,
            Ends ends,
            Consumer<String> differences) {
        this.partition = partition;
        this.world = world;
        this.policies = policies;
        this.allowance = new Allowance(world, policies);
        this.explanations = explanations;
        this.intake = intake;
        this.ends = ends;
        this.differences = differences;
        List<Change> changes = world.mirror().getOrDefault(partition, List.of());
        Map<String, List<Change>> byStream =
                changes.stream().collect(Collectors.groupingBy(change -> change.key().stream()));
        Stream.concat(
                        byStream.keySet().stream(),
                        ends.streams().stream().filter(name -> Names.partition(name, world.partitions()) == partition))
                .distinct()
                .forEach(name -> Unexplained.runs(
                        () -> "stream " + name,
                        differences,
                        () -> lives.put(
                                name,
                                new Lives(
                                        byStream.getOrDefault(name, List.of()), intake.waiting(name), ends.of(name)))));
        this.ahead = new Ahead(changes, row -> lives(row.key().stream()).sourceOf(row) != null, world.readAtMs());
    }

    void play() {
        for (Change change : world.mirror().getOrDefault(partition, List.of())) {
            if (!ahead.isPlayed(change)) {
                Unexplained.runs(() -> at(change), differences, () -> play(change));
            }
        }
        clockMs = world.readAtMs();
        for (String name : ends.streams()) {
            if (Names.partition(name, world.partitions()) == partition) {
                StreamState stream = stream(name);
                for (End end = ends.take(name); end != null; end = ends.take(name)) {
                    End next = end;
                    Unexplained.runs(() -> name + " " + next, differences, () -> endUnseen(stream, next));
                }
            }
        }
    }

    private Lives lives(StreamState stream) {
        return lives(stream.stream);
    }

    private Lives lives(String stream) {
        return lives.computeIfAbsent(stream, any -> new Lives(List.of(), List.of(), List.of()));
    }

    private StreamState stream(String name) {
        return streams.computeIfAbsent(name, StreamState::new);
    }

    private void play(Change change) {
        long before = clockMs;
        ahead.play(change);
        clockMs = ahead.clockMs(change);
        StreamState stream = stream(change.key().stream());
        if (change.row() == null) {
            catchUp(stream, change);
            tombstone(stream, change);
        } else {
            row(stream, change);
        }
        clockMs = before;
    }

    /** Plays all that had come and gone in the stream when the tombstone was sent. */
    private void catchUp(StreamState stream, Change tombstone) {
        End own = lives(stream).endOf(tombstone);
        if (own != null) {
            endAllBefore(stream, own);
            passToReplacing(stream, own);
        }
        playRowsBefore(stream, own, tombstone.timestampMs());
        for (Deque<Input> way : intake.waiting(stream.stream)) {
            for (Input input : nextUnseen(stream, way)) {
                way.remove(input);
                comeUnseen(stream, input);
            }
        }
        if (own != null && !ends.isTaken(stream.stream, own)) {
            ends.take(stream.stream);
        }
    }

    /** Plays the rows of events that were stored by then, some of which waited for the commit, up to those behind that end. */
    private void playRowsBefore(StreamState stream, End end, long untilMs) {
        Change row = ahead.newRow(stream.stream, untilMs);
        while (row != null && !isBehind(stream, end, row)) {
            play(row);
            row = ahead.newRow(stream.stream, untilMs);
        }
    }

    /** Plays the deletes before that one which the audit tells of. */
    private void endAllBefore(StreamState stream, End end) {
        while (ends.next(stream.stream) < end.place()) {
            endUnseen(stream, ends.take(stream.stream));
        }
    }

    /** Plays what came before the event that has replaced another one. */
    private void passToReplacing(StreamState stream, End end) {
        for (Deque<Input> way : intake.waiting(stream.stream)) {
            way.stream().filter(end::isReplacedBy).findFirst().ifPresent(input -> passTo(stream, way, input));
        }
    }

    /**
     * Returns true if the row came behind the deletes that have been played, though the clock of a tombstone may be ahead of
     * that by which events are stored: one before it, on its way, takes the place of an event that is still there, or is an
     * update whose row is still to come, since rows of updates never wait.
     */
    private boolean isBehind(StreamState stream, End end, Change row) {
        Input source = source(stream, row);
        if (source == null) {
            return false;
        }
        for (Input before : intake.wayTo(source, stream.stream)) {
            End former = lives(stream).formerOf(before);
            if ((former != null && former.equals(end)) || awaitsEnd(stream, before)) {
                return true;
            }
            if (before.equals(source)) {
                return false;
            }
            if (Intake.kind(before).equals(Intake.UPDATE)
                    && ahead.rowOf(stream.stream, Intake.id(before), before.timestampMs()) != null) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if an event took the place of another one of its id, which is still to go. */
    private boolean awaitsEnd(StreamState stream, Input input) {
        End former = lives(stream).formerOf(input);
        return former != null && !ends.isTaken(stream.stream, former);
    }

    /** The events without a row that stand before the next one with a row; updates, which may belong to later, are left. */
    private List<Input> nextUnseen(StreamState stream, Deque<Input> way) {
        List<Input> next = new ArrayList<>();
        for (Input input : way) {
            if (awaitsEnd(stream, input)) {
                return next;
            }
            if (lives(stream).isUnseen(input)) {
                next.add(input);
            } else if (Intake.kind(input).equals(Intake.EVENT)) {
                return next;
            }
        }
        return next;
    }

    private void comeUnseen(StreamState stream, Input input) {
        String fault = Validity.fault(input, clockMs);
        if (fault != null) {
            differences.accept(
                    "event " + input.at() + " was stored for a moment although it is one to reject: " + fault);
        }
        Kept former = stream.alive.get(Intake.id(input));
        long storedAt = stream.storedAtOfUnseen();
        boolean isTaken = former != null && former.row().storedAt() == storedAt;
        events++;
        Row row = Expected.ofEvent(input, null, isTaken ? storedAt + 1 : storedAt);
        stream.putUnseen(row);
        unseen.put(input, row.key());
    }

    /** Plays a delete without a tombstone; one of an event that never was there stays unexplained. */
    private void endUnseen(StreamState stream, End end) {
        Input input = lives(stream).beginningOf(end);
        if (input == null) {
            return;
        }
        for (Deque<Input> way : intake.waiting(stream.stream)) {
            if (way.contains(input)) {
                passTo(stream, way, input);
                way.remove(input);
                comeUnseen(stream, input);
            }
        }
        passToReplacing(stream, end);
        playRowsBefore(stream, end, end.atMs());
        Row.Key key = unseen.remove(input);
        if (key != null) {
            Change change = new Change(-1, end.atMs(), key, null, end.reason());
            long livedMs = end.atMs() - stream.comeByMs(end.id());
            if (livedMs > Ahead.WAITING_MS) {
                differ(change, "was there for at least " + livedMs + " ms and had no row");
            }
            tombstone(stream, change);
        }
    }

    /** Plays what the records before that one have left. */
    private void passTo(StreamState stream, Deque<Input> way, Input input) {
        while (!way.isEmpty() && !way.peekFirst().equals(input)) {
            Input before = way.peekFirst();
            Change row = lives(stream).rowOf(before);
            if (row != null && !ahead.isPlayed(row)) {
                play(row);
            }
            if (!before.equals(way.peekFirst())) {
                continue; // its row was played, which took it away
            }
            way.removeFirst();
            if (lives(stream).isUnseen(before)) {
                comeUnseen(stream, before);
            } else if (Intake.kind(before).equals(Intake.EVENT)) {
                left(before);
            } else {
                passOver(stream, before);
            }
        }
    }

    Map<String, StreamState> streams() {
        return streams;
    }

    long events() {
        return events;
    }

    long deletes() {
        return deletes;
    }

    private void row(StreamState stream, Change change) {
        Input input = source(stream, change);
        if (input == null) {
            rowWithoutInput(stream, change);
            return;
        }
        Deque<Input> way = intake.wayTo(input, stream.stream);
        endFormers(stream, way, input);
        passTo(stream, way, input);
        way.remove(input);
        String fault = Validity.fault(input, clockMs);
        if (fault != null) {
            differ(change, "was stored although its record " + input.at() + " is one to reject: " + fault);
        }
        Kept former = stream.alive.get(change.key().id());
        boolean isEvent = Intake.kind(input).equals(Intake.EVENT);
        if (isEvent
                && (former == null || former.row().storedAt() != change.row().storedAt())) {
            events++;
        }
        String differs = expected(stream, change, input).differs(change.row());
        if (!differs.isEmpty()) {
            differ(change, "is not what " + input.at() + " makes of it: " + differs);
        }
        put(stream, change);
    }

    /** Plays the deletes which let the event come, and those before it on its way. */
    private void endFormers(StreamState stream, Deque<Input> way, Input input) {
        End last = null;
        for (Input each : way) {
            End former = lives(stream).formerOf(each);
            if (former != null && (last == null || last.place() < former.place())) {
                last = former;
            }
            if (each.equals(input)) {
                break;
            }
        }
        if (last != null) {
            endAllBefore(stream, last);
            if (!ends.isTaken(stream.stream, last)) {
                endUnseen(stream, ends.take(stream.stream));
            }
        }
    }

    private void put(StreamState stream, Change change) {
        String problem = stream.put(change.row());
        if (problem != null) {
            differ(change, problem);
        }
    }

    private Input source(StreamState stream, Change change) {
        Input event = lives(stream).sourceOf(change);
        for (Deque<Input> way : intake.waiting(stream.stream)) {
            Input found = event == null
                    ? Intake.first(way, input -> fits(stream, change, input), input -> leavesTrace(stream, input))
                    : Intake.first(way, event::equals, input -> true);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Returns true if it is known what the event has left. */
    private boolean leavesTrace(StreamState stream, Input input) {
        return lives(stream).rowOf(input) != null || lives(stream).isUnseen(input);
    }

    private boolean fits(StreamState stream, Change change, Input input) {
        if (Intake.kind(input).equals(Intake.EXECUTION)
                || input.timestampMs() != change.timestampMs()
                || !Intake.id(input).equals(change.key().id())) {
            return false;
        }
        Kept former = stream.alive.get(change.key().id());
        return Intake.kind(input).equals(Intake.EVENT)
                ? !leavesTrace(stream, input)
                : former != null && makes(stream, input, change);
    }

    private boolean makes(StreamState stream, Input input, Change change) {
        return expected(stream, change, input).differs(change.row()).isEmpty();
    }

    private Row expected(StreamState stream, Change change, Input input) {
        Kept former = stream.alive.get(change.key().id());
        if (Intake.kind(input).equals(Intake.UPDATE)) {
            return Expected.ofUpdate(input, former.row());
        }
        boolean isReplaced =
                former != null && former.row().storedAt() == change.key().storedAt();
        return Expected.ofEvent(
                input, isReplaced ? former.row() : null, change.key().storedAt());
    }

    /** A record that changed no event: an execution, or an update of what is not there or not seen any more (M-2). */
    private void passOver(StreamState stream, Input input) {
        if (stream.isLate(input.timestampMs())) {
            return;
        }
        if (Intake.kind(input).equals(Intake.EXECUTION)) {
            stream.apply(input.value(), input.timestampMs());
            return;
        }
        Kept kept = stream.alive.get(Intake.id(input));
        if (kept == null || kept.isUnseen()) {
            return;
        }
        boolean canBeHidden = policies.recent(clockMs).stream()
                .map(moment -> policies.rules(moment, stream.stream))
                .anyMatch(rules -> clockMs > rules.dueMs(kept.row(), stream.anchorMs(rules, kept.row())));
        if (stream.isProtected(kept.row()) || !canBeHidden) {
            differences.accept("update " + input.at() + " of " + stream.stream + " " + Intake.id(input)
                    + " changed nothing although the event is there");
        }
    }

    private void rowWithoutInput(StreamState stream, Change change) {
        Kept former = stream.alive.get(change.key().id());
        boolean isAlive = former != null && former.row().key().equals(change.key());
        boolean isSentAgain = isAlive
                && explanations.isRepaired(change.key())
                && former.row().differs(change.row()).isEmpty();
        boolean hasNewTtl = isAlive && hasSetTtl(change.key()) && sameButTtl(former.row(), change.row());
        if (!isSentAgain && !hasNewTtl) {
            differ(change, "came from no record: " + (isAlive ? "changed" : "resurrected or invented"));
        }
        put(stream, change);
    }

    private boolean hasSetTtl(Row.Key key) {
        return world.commands().values().stream()
                .anyMatch(command -> "set-ttl".equals(Fields.text(command, "verb"))
                        && key.stream().equals(Fields.text(command, "stream"))
                        && key.id().equals(Fields.text(command, "eventId")));
    }

    private static boolean sameButTtl(Row one, Row other) {
        return one.withTtl(other.ttlSeconds(), other.noExpiration(), other.expiresAt())
                .differs(other)
                .isEmpty();
    }

    private void tombstone(StreamState stream, Change change) {
        boolean isAlive = stream.outlived.containsKey(change.key())
                || (stream.alive.containsKey(change.key().id())
                        && stream.alive.get(change.key().id()).row().key().equals(change.key()));
        if (!isAlive) {
            if (!explanations.isRepaired(change.key())) {
                differ(change, "was deleted although it was not there: twice, or never stored");
            }
            return;
        }
        Kept kept = kept(stream, change.key());
        Judgement judgement = allowance.judge(stream, kept, change, partition);
        if (judgement.problem() != null && applyExecutions(stream)) {
            judgement = allowance.judge(stream, kept, change, partition);
        }
        if (judgement.problem() != null) {
            differ(change, "was deleted and must not have been: " + judgement.problem());
        }
        long anchorMs = stream.anchorMs(policies.rules(judgement.moment(), stream.stream), kept.row());
        boolean isExact = !kept.isUnseen() || anchorMs != kept.row().storedAt();
        if (!explanations.explain(kept.row(), change.reason(), anchorMs, isExact)) {
            differ(change, "was deleted without an audit record: " + change.reason());
        }
        deletes++;
        stream.remove(change.key());
        if (isOfWholeStream(change)) {
            stream.deleted(change.timestampMs());
        }
    }

    /** The tombstone of a stream's event comes behind the delete of the stream, which may be some time before. */
    private boolean isOfWholeStream(Change change) {
        var command = world.commands().get(change.reason().commandId());
        return command != null && Set.of("delete", "purge").contains(Fields.text(command, "verb"));
    }

    private static Kept kept(StreamState stream, Row.Key key) {
        Kept kept = stream.outlived.get(key);
        return kept == null ? stream.alive.get(key.id()) : kept;
    }

    /** Updates of executions leave no trace among the events: what came before this moment is not known exactly. */
    private boolean applyExecutions(StreamState stream) {
        boolean hasApplied = false;
        for (Deque<Input> way : intake.waiting(stream.stream)) {
            while (!way.isEmpty() && Intake.kind(way.peekFirst()).equals(Intake.EXECUTION)) {
                passOver(stream, way.removeFirst());
                hasApplied = true;
            }
        }
        return hasApplied;
    }

    /** The rest of the input must be of the kind that changes no event. */
    void finish() {
        for (StreamState stream : streams.values()) {
            stream.outlived
                    .keySet()
                    .forEach(key -> differences.accept(
                            key + " was not deleted although another event has its id, and is stored twice"));
        }
    }

    void left(Input input) {
        StreamState stream = stream(Intake.stream(input));
        if (Intake.kind(input).equals(Intake.EVENT)) {
            differences.accept("event " + input.at() + " " + stream.stream + " " + Intake.id(input)
                    + " was neither stored nor rejected");
        } else {
            passOver(stream, input);
        }
    }

    private void differ(Change change, String what) {
        differences.accept(at(change) + " " + what);
    }

    private String at(Change change) {
        return change.key().stream() + " " + change.key().id() + " (stored "
                + change.key().storedAt() + ", mirror-" + partition + "@" + change.offset() + ")";
    }
}
