package dev.ebb.oracle;

import dev.ebb.oracle.StreamState.Kept;
import dev.ebb.oracle.World.Input;
import dev.ebb.oracle.World.Rejected;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Says what must be, from what was read, and names what is not so. Knows no service: a world can be made by hand. */
final class Judge {

    private static final int MAX_DIFFERENCES = 300;
    private static final int MAX_OF_A_KIND = 30;

    /** Words with figures in them. */
    private static final Pattern VARIABLE = Pattern.compile("\\S*[0-9]\\S*");

    /** Longest time that an event may stay after it was due: a sweep a second, and a busy machine. */
    private static final long GRACE_MS = 15_000;

    private static final String HELD = "HELD";
    private static final String STREAM_DELETED = "STREAM_DELETED";
    private static final String TOO_BIG = "TOO_BIG";

    private final World world;
    private final Policies policies;
    private final Explanations explanations;
    private final Map<Integer, Replay> replays = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> kinds = new HashMap<>();
    private long unnamed;

    private Judge(World world) {
        this.world = world;
        this.policies = new Policies(world.accepted(), world.confirmations());
        this.explanations = new Explanations(world.audits());
    }

    static Verdict judge(World world) {
        return new Judge(world).judge();
    }

    private Verdict judge() {
        world.faults().forEach(this::differ);
        mustBePolicies();
        Intake intake = intake();
        Ends ends = new Ends(world.audits());
        for (int partition = 0; partition < world.partitions(); partition++) {
            Replay replay = new Replay(partition, world, policies, explanations, intake, ends, this::differ);
            replays.put(partition, replay);
            replay.play();
        }
        intake.all()
                .toList()
                .forEach(input -> Unexplained.runs(input::at, this::differ, () -> replays.get(
                                Names.partition(Intake.stream(input), world.partitions()))
                        .left(input)));
        replays.values().forEach(Replay::finish);
        explanations.differences().forEach(this::differ);
        replays.values().forEach(replay -> replay.streams()
                .values()
                .forEach(stream ->
                        Unexplained.runs(() -> "stream " + stream.stream, this::differ, () -> mustBeStill(stream))));
        compare("stores", world.stores());
        compare("SQL", world.sql());
        if (unnamed > 0) {
            differences.add("and " + unnamed + " more");
        }
        return new Verdict(sum(Replay::events), sum(Replay::deletes), List.copyOf(differences));
    }

    private long sum(java.util.function.ToLongFunction<Replay> number) {
        return replays.values().stream().mapToLong(number).sum();
    }

    /** All records but the rejected ones, each of which must be as it was and one that cannot be used. */
    private Intake intake() {
        Map<String, Rejected> rejected = new HashMap<>();
        List<Rejected> rekeyed = new ArrayList<>();
        for (Rejected record : world.rejected()) {
            if (record.topic().endsWith("rekey")) {
                rekeyed.add(record);
            } else if (record.topic().endsWith("events")
                    && rejected.put(record.partition() + "@" + record.offset(), record) != null) {
                differ("events-" + record.partition() + "@" + record.offset() + " was rejected twice");
            }
        }
        Intake intake = new Intake(world.partitions());
        for (Input input : world.inputs()) {
            Unexplained.runs(input::at, this::differ, () -> sort(input, rejected, rekeyed, intake));
        }
        rejected.values()
                .forEach(record -> differ("rejected is events-" + record.partition() + "@" + record.offset()
                        + ", which never was on the topic"));
        rekeyed.forEach(record -> differ("rejected is a re-keyed record that never was on the topic"));
        return intake;
    }

    private void sort(Input input, Map<String, Rejected> rejected, List<Rejected> rekeyed, Intake intake) {
        Rejected set = rejected.remove(input.partition() + "@" + input.offset());
        Rejected aside = set != null ? set : takeSame(rekeyed, input);
        if (aside != null) {
            mustBeBad(input, aside);
        } else if (input.value() == null) {
            differ(input.at() + " cannot be read and was not rejected");
        } else {
            intake.add(input);
        }
    }

    /** Finds policies in force that are invalid, and policies set aside that differ from their declaration (M-11). */
    private void mustBePolicies() {
        for (World.Accepted record : world.accepted()) {
            Unexplained.runs(() -> "policies.accepted@" + record.offset(), this::differ, () -> mustBeMeant(record));
        }
        for (Rejected record : world.rejected()) {
            if (record.topic().endsWith("policies")) {
                World.Declared declared = world.declared().remove(record.offset());
                if (declared == null || !record.isOf(declared.key(), declared.bytes())) {
                    differ("policies@" + record.offset() + " was rejected twice, or not unchanged");
                }
            }
        }
    }

    private void mustBeMeant(World.Accepted record) {
        String fault = PolicyValidity.fault(record.key(), record.value());
        if (fault != null) {
            differ("in force is a policy that cannot be meant, " + record.key() + ": " + fault);
        }
    }

    private static Rejected takeSame(List<Rejected> rekeyed, Input input) {
        for (Rejected record : rekeyed) {
            if (Objects.equals(record.bytes(), input.bytes())) {
                rekeyed.remove(record);
                return record;
            }
        }
        return null;
    }

    private void mustBeBad(Input input, Rejected aside) {
        boolean isRekeyed = aside.topic().endsWith("rekey");
        if (!aside.isOf(isRekeyed ? aside.key() : input.key(), input.bytes())) {
            differ(input.at() + " was rejected, but not unchanged");
        }
        boolean isForOtherReasons = aside.reason().equals(HELD)
                || aside.reason().equals(TOO_BIG)
                || (aside.reason().equals(STREAM_DELETED) && mayBeLate(input));
        if (!isForOtherReasons && Validity.fault(input, input.timestampMs()) == null) {
            differ(input.at() + " was rejected as " + aside.reason() + " although nothing is wrong with it");
        }
    }

    /** Returns true if a command has deleted its stream, at a time that is not told exactly (O-10). */
    private boolean mayBeLate(Input input) {
        return input.value() != null
                && Intake.kind(input).equals(Intake.EVENT)
                && world.commands().values().stream()
                        .anyMatch(command -> "purge".equals(Fields.text(command, "verb"))
                                || ("delete".equals(Fields.text(command, "verb"))
                                        && Intake.stream(input).equals(Fields.text(command, "stream"))));
    }

    /** Nothing that had to go is alive. */
    private void mustBeStill(StreamState stream) {
        Rules rules = policies.rules(policies.newest(), stream.stream);
        boolean isStill = policies.holds(policies.newest(), stream.stream).isEmpty()
                && rules.isEnforced()
                && rules.isWindowOpen(world.readAtMs());
        if (!isStill) {
            return;
        }
        boolean isOver = stream.alive.size() > rules.maxCount() || stream.bytes() > rules.maxBytes();
        for (Kept kept : stream.alive.values()) {
            long anchorMs = stream.anchorMs(rules, kept.row());
            long latestMs = world.readAtMs() - GRACE_MS;
            boolean isFree = !stream.isProtected(kept.row())
                    && !rules.isInfinite(kept.row())
                    && !rules.isGuardedByAge(anchorMs, latestMs)
                    && (isOver || latestMs > rules.dueMs(kept.row(), anchorMs))
                    && !stream.isAmongLast(rules, kept);
            if (isFree && latestMs > rules.dueMs(kept.row(), anchorMs)) {
                differ(kept.row().key() + " is alive although it was due at " + rules.dueMs(kept.row(), anchorMs));
            } else if (isFree && isOver && !stream.isCurrentExecution(kept.row())) {
                differ(kept.row().key() + " is alive although its stream holds " + stream.alive.size() + " events and "
                        + stream.bytes() + " bytes");
            }
        }
    }

    private void compare(String place, List<Row> found) {
        Map<Row.Key, Row> rows = new HashMap<>();
        for (Row row : found) {
            if (rows.put(row.key(), row) != null) {
                differ(place + ": twice " + row.key());
            }
        }
        for (Replay replay : replays.values()) {
            for (StreamState stream : replay.streams().values()) {
                stream.alive
                        .values()
                        .forEach(kept -> compare(
                                place, kept.row(), rows.remove(kept.row().key())));
            }
        }
        rows.keySet().forEach(key -> differ(place + ": " + key + " is there and must not be"));
    }

    private void compare(String place, Row expected, Row found) {
        if (found == null) {
            differ(place + ": " + expected.key() + " is missing");
        } else if (!expected.differs(found).isEmpty()) {
            differ(place + ": " + expected.key() + " differs: " + expected.differs(found));
        }
    }

    /** Names some of each kind, so that one fault does not hide another. */
    private void differ(String difference) {
        String kind = VARIABLE.matcher(difference).replaceAll("");
        if (kinds.merge(kind, 1, Integer::sum) <= MAX_OF_A_KIND && differences.size() < MAX_DIFFERENCES) {
            differences.add(difference);
        } else {
            unnamed++;
        }
    }
}
