package dev.ebb.oracle;

import dev.ebb.oracle.StreamState.Kept;
import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Change;
import dev.ebb.oracle.World.Reason;
import dev.ebb.oracle.World.Report;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.generic.GenericRecord;

/** Judges if a deletion was allowed. */
final class Allowance {

    /** The id of a sweep names the moment that it fixed, also where a crash kept it from sending a report. */
    private static final Pattern SWEEP = Pattern.compile("sweep-\\d+-(\\d+)-.*");

    /** Time for which policies leave alone what an undo brings back: the setting undo.notice as it is by default. */
    static final long NOTICE_MS = 3_600_000;

    private final World world;
    private final Policies policies;
    private final Map<String, List<Audit>> restores;

    Allowance(World world, Policies policies) {
        this.world = world;
        this.policies = policies;
        this.restores = world.audits().stream()
                .filter(audit -> "RESTORE".equals(audit.action()))
                .collect(Collectors.groupingBy(Audit::stream));
    }

    /**
     * The judgement of a deletion.
     *
     * @param problem the reason why it was not allowed; null if it was
     * @param moment the moment of the policies by which it was allowed, or else the newest one that it can have gone by
     */
    record Judgement(String problem, long moment) {}

    Judgement judge(StreamState stream, Kept kept, Change tombstone, int partition) {
        Reason reason = tombstone.reason();
        return switch (reason.cause()) {
            case "DELETE", "PURGE", "PRUNE" -> byNewest(problemOfCommand(stream, kept, reason, partition), tombstone);
            case "TTL", "MAX_AGE", "MAX_COUNT", "MAX_BYTES" -> judgePolicy(stream, kept, tombstone, partition);
            default -> byNewest("no known cause", tombstone);
        };
    }

    private Judgement byNewest(String problem, Change tombstone) {
        return new Judgement(problem, moments(tombstone).stream().findFirst().orElseGet(policies::newest));
    }

    private String problemOfCommand(StreamState stream, Kept kept, Reason reason, int partition) {
        GenericRecord command = world.commands().get(reason.commandId());
        if (command == null) {
            return "nobody sent the command " + reason.commandId();
        }
        List<String> holds =
                policies.confirmedHolds(partition, stream.stream, world.begun().getOrDefault(reason.commandId(), 0L));
        if (!holds.isEmpty()) {
            return "held by " + holds + " before the command was begun";
        }
        return stream.isProtected(kept.row()) && !Fields.truth(command, "force")
                ? "protected, and the command " + reason.commandId() + " has no force"
                : null;
    }

    private Judgement judgePolicy(StreamState stream, Kept kept, Change tombstone, int partition) {
        List<String> holds = policies.confirmedHolds(partition, stream.stream, tombstone.timestampMs());
        if (!holds.isEmpty()) {
            return byNewest("held by " + holds + ", which the partition had confirmed", tombstone);
        }
        if (stream.isProtected(kept.row())) {
            String why = "protected by status " + kept.row().status() + " or its execution "
                    + kept.row().execution();
            return byNewest(why, tombstone);
        }
        Reason reason = tombstone.reason();
        Report report = world.reports().get(reason.sweepId());
        long nowMs = report == null ? decidedAtMs(tombstone) : report.sweepPointMs();
        Long noticeMs = noticeUntilMs(stream.stream, kept.row().id(), tombstone.timestampMs());
        if (noticeMs != null && nowMs <= noticeMs) {
            return byNewest("under the notice of an undo until " + noticeMs + " at " + nowMs, tombstone);
        }
        boolean isByCommand = report != null && report.isByCommand();
        String ofNewest = null;
        for (long moment : moments(tombstone)) {
            String problem = problem(stream, kept, tombstone, moment, nowMs, isByCommand);
            if (problem == null) {
                return new Judgement(null, moment);
            }
            ofNewest = Objects.requireNonNullElse(ofNewest, problem);
        }
        return byNewest(
                Objects.requireNonNullElse(ofNewest, "no such version of " + reason.scope() + " was in force"),
                tombstone);
    }

    /** Last millisecond of the notice under which the last undo before put it; null if none brought it back (T-3). */
    private Long noticeUntilMs(String stream, String id, long beforeMs) {
        return restores.getOrDefault(stream, List.of()).stream()
                .filter(audit -> audit.atMs() <= beforeMs && audit.ids().contains(id))
                .map(audit -> audit.atMs() + NOTICE_MS)
                .max(Long::compare)
                .orElse(null);
    }

    /**
     * The moments by which the decision may have gone, the newest first. Several have the same version if a change
     * waited and came into force behind a newer one.
     */
    private List<Long> moments(Change tombstone) {
        Reason reason = tombstone.reason();
        Report report = world.reports().get(reason.sweepId());
        if (report != null) {
            return policies.under(report.policyVersion());
        }
        return reason.cause().equals("TTL")
                ? policies.under(reason.policyVersion())
                : policies.candidates(reason.scope(), reason.policyVersion(), tombstone.timestampMs());
    }

    static long decidedAtMs(Change tombstone) {
        Matcher sweep = SWEEP.matcher(tombstone.reason().sweepId());
        return sweep.matches() ? Long.parseLong(sweep.group(1)) : tombstone.timestampMs();
    }

    /** The steps of the decision (M-12 to M-15), asked backwards: does each of them let it go for that cause? */
    private String problem(
            StreamState stream, Kept kept, Change tombstone, long moment, long nowMs, boolean isByCommand) {
        Reason reason = tombstone.reason();
        Rules rules = policies.rules(moment, stream.stream);
        long version = policies.version(moment);
        String rightNow = " at " + nowMs + " by version " + version;
        Rules.Source source = source(rules, reason.cause(), version);
        if (!source.equals(new Rules.Source(reason.scope(), reason.policyVersion()))) {
            return source + " says so" + rightNow + ", not " + reason.scope() + " " + reason.policyVersion();
        }
        List<String> holds = policies.holds(moment, stream.stream);
        if (!holds.isEmpty()) {
            return "held by " + holds + rightNow;
        }
        if (!rules.isEnforced() || (!isByCommand && !rules.isWindowOpen(nowMs))) {
            return "mode warn or a closed window" + rightNow;
        }
        long anchorMs = stream.anchorMs(rules, kept.row());
        if (rules.isGuardedByAge(anchorMs, nowMs) || stream.isAmongLast(rules, kept)) {
            return "guarded by minAge or keepLast" + rightNow;
        }
        if (rules.isInfinite(kept.row())) {
            return "kept for ever" + rightNow;
        }
        long dueMs = rules.dueMs(kept.row(), anchorMs);
        return switch (reason.cause()) {
            case "TTL", "MAX_AGE" -> problemOfTime(kept, reason, dueMs, nowMs, rightNow);
            case "MAX_COUNT" ->
                stream.alive.size() > rules.maxCount()
                        ? problemOfCap(stream, rules, kept, tombstone.timestampMs(), nowMs)
                        : stream.alive.size() + " events are not more than " + rules.maxCount() + rightNow;
            default ->
                stream.bytes() > rules.maxBytes()
                        ? problemOfCap(stream, rules, kept, tombstone.timestampMs(), nowMs)
                        : stream.bytes() + " bytes are not more than " + rules.maxBytes() + rightNow;
        };
    }

    private static Rules.Source source(Rules rules, String cause, long version) {
        return switch (cause) {
            case "TTL" -> new Rules.Source("event", version);
            case "MAX_AGE" -> rules.source("maxAge");
            case "MAX_COUNT" -> rules.source("maxCount");
            default -> rules.source("maxBytes");
        };
    }

    private static String problemOfTime(Kept kept, Reason reason, long dueMs, long nowMs, String rightNow) {
        if (kept.row().hasOwnTtl() != reason.cause().equals("TTL")) {
            return "its own TTL says something else" + rightNow;
        }
        return nowMs > dueMs ? null : "not due until " + dueMs + ": " + (dueMs + 1 - nowMs) + " ms early" + rightNow;
    }

    private static String problemOfCap(StreamState stream, Rules rules, Kept kept, long atMs, long nowMs) {
        if (stream.isCurrentExecution(kept.row())) {
            return "of the current execution";
        }
        for (Kept other : stream.eligible(rules)) {
            boolean isFirst = other.isThereBefore(atMs)
                    && stream.isBefore(rules, other, kept)
                    && !stream.isCurrentExecution(other.row())
                    && nowMs <= rules.dueMs(other.row(), stream.anchorMs(rules, other.row()))
                    && !rules.isGuardedByAge(stream.anchorMs(rules, other.row()), nowMs);
            if (isFirst) {
                return "not the oldest: " + other.row().id() + " goes before it";
            }
        }
        return null;
    }
}
