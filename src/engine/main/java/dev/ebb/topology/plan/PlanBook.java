package dev.ebb.topology.plan;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanDigest;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.plan.PlanTally;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Notes of plans in the state of a partition: each plan as a whole in the partition that leads its command, and in each
 * partition its own part. A plan is used up in the transaction in which its command begins, so no crash lets it begin
 * twice. Not thread-safe.
 */
public final class PlanBook {

    /** Time for which a plan can be carried out. */
    public static final Duration LIFE = Duration.ofHours(24);

    /** Time for which a part is kept: parts are noted before their plan, and none may go before its plan. */
    private static final long PART_LIFE_MS = LIFE.multipliedBy(2).toMillis();

    /** Prefix of plans. Finished work is noted under ids of commands, none of which has a control character. */
    private static final String PLAN = "\u0001plan/";

    private static final int FORGOTTEN_AT_ONCE = 100;

    private final EventStore store;

    public PlanBook(EventStore store) {
        this.store = store;
    }

    /**
     * Note of a plan.
     *
     * @param request the dry run that made the plan
     * @param pointMs its sweep point, epoch milliseconds
     * @param policyVersion the version of the policies in force then
     * @param madeMs the end of the dry run, epoch milliseconds
     * @param planned its events
     * @param usedBy the command that carried it out, or is about to; null if none has
     * @param brake events that the brake counts for the file of a dry run; null if it counts none
     * @param policies digest of the policies in force then, without holds
     */
    public record Note(
            CommandRequest request,
            long pointMs,
            long policyVersion,
            long madeMs,
            PlanDigest planned,
            @Nullable String usedBy,
            @Nullable BrakeFinding brake,
            String policies) {

        /** Returns the command that carries the plan out. The file and the time of a dry run are for dry runs only. */
        public Command command() {
            return request.command() instanceof Command.SweepNow sweep
                    ? new Command.SweepNow(sweep.scope(), null)
                    : request.command();
        }

        long expiresMs() {
            return madeMs + LIFE.toMillis();
        }

        Note usedBy(String commandId) {
            return new Note(request, pointMs, policyVersion, madeMs, planned, commandId, brake, policies);
        }

        /** Returns true if the plan was made under these policies, whatever holds were placed or released since. */
        boolean isOf(PolicySet inForce) {
            return policies.equals(inForce.digestOfPolicies());
        }
    }

    /**
     * Part of a partition in a plan.
     *
     * @param madeMs the time at which something was last added, epoch milliseconds
     * @param pages number of pages, by the round of the dry run that wrote them
     */
    record Part(long madeMs, Map<Integer, Integer> pages) {

        static final Part EMPTY = new Part(0, Map.of());

        Part with(int round, int count, long nowMs) {
            Map<Integer, Integer> all = new TreeMap<>(pages);
            all.put(round, count);
            return new Part(nowMs, all);
        }
    }

    /**
     * Answer to a command that asks to carry out a plan.
     *
     * @param note the plan; null if the command is refused
     * @param refusal the reason of the refusal; null if there is none
     * @param detail the reason in words
     */
    public record Use(@Nullable Note note, @Nullable Refusal refusal, String detail) {

        private static Use refused(Refusal refusal, String detail) {
            return new Use(null, refusal, detail);
        }
    }

    /**
     * Notes the plan of a finished dry run, with the tally of the events that it has listed.
     *
     * @param inForce the policies in force
     * @param brake events that the brake counts for the file of the dry run; null if it counts none
     */
    public PlanOutcome made(
            CommandRequest dryRun,
            long pointMs,
            PolicySet inForce,
            PlanTally tally,
            @Nullable BrakeFinding brake,
            long nowMs) {
        String policies = inForce.digestOfPolicies();
        BrakeFinding sum = brake == null ? null : brake.of(List.of());
        Note note = new Note(dryRun, pointMs, inForce.version(), nowMs, tally.planned(), null, sum, policies);
        save(dryRun.commandId(), note, nowMs);
        return new PlanOutcome(
                dryRun.commandId(), dryRun.actor(), pointMs, note.expiresMs(), tally.planned(), null, Map.of());
    }

    /** Uses up the plan that a command names, or returns the reason why the plan cannot be carried out. */
    public Use use(CommandRequest request, String planId, long nowMs) {
        Note note = find(planId);
        if (note == null || nowMs > note.expiresMs()) {
            return Use.refused(
                    Refusal.NO_PLAN,
                    note == null
                            ? "there is no plan " + planId
                            : "the plan has expired at " + Instant.ofEpochMilli(note.expiresMs()));
        }
        if (note.usedBy() != null) {
            return Use.refused(Refusal.NO_PLAN, "the plan was carried out by command " + note.usedBy());
        }
        Use refused = refuse(request, note, nowMs);
        if (refused != null) {
            return refused;
        }
        if (!request.isDryRun()) {
            useUp(planId, note, request, nowMs);
        }
        return new Use(note, null, "");
    }

    private void useUp(String planId, Note note, CommandRequest request, long nowMs) {
        save(planId, note.usedBy(request.commandId()), nowMs);
    }

    /**
     * Uses up the plan of a file of policies, if a second dry run was compared with it and has found no further events.
     * A hold placed since is no obstacle: the events that it keeps are left out. A hold released since shows in the
     * number.
     *
     * @param more number of events that would go now and are not in the plan
     * @param inForce the policies in force
     * @return the reason why the file must not be applied; null if it may
     */
    public @Nullable String confirm(String planId, CommandRequest request, long more, PolicySet inForce, long nowMs) {
        Note note = find(planId);
        if (note == null || note.usedBy() != null) {
            return "the plan was carried out meanwhile";
        }
        if (more > 0) {
            return more + (more == 1 ? " event" : " events") + " more would go than the plan has";
        }
        if (!note.isOf(inForce)) {
            return "the policies in force have changed since the plan was made";
        }
        useUp(planId, note, request, nowMs);
        return null;
    }

    private static @Nullable Use refuse(CommandRequest request, Note note, long nowMs) {
        if (!PlanFit.fits(request.command(), note.request().command())) {
            String verb = note.request().command().verb();
            String detail = verb.equals(request.command().verb())
                    ? "the plan has other filters, or is for other policies; leave the filters out, or repeat them"
                            + " unchanged"
                    : "the plan is for another command: " + verb;
            return Use.refused(Refusal.OTHER_PLAN, detail);
        }
        if (note.pointMs() > nowMs) {
            String detail = "its sweep point " + Instant.ofEpochMilli(note.pointMs()) + " lies in the future";
            return Use.refused(Refusal.NOT_READY, detail);
        }
        Long most = request.maxDeletes();
        long events = note.planned().events();
        return most == null || events <= most
                ? null
                : Use.refused(Refusal.TOO_MANY, "the plan has " + events + " events, " + most + " allowed");
    }

    /** Returns the plan; null if it is not known here. */
    public @Nullable Note find(String planId) {
        byte[] value = store.done(PLAN + planId);
        return value == null ? null : JsonState.read(new String(value, StandardCharsets.UTF_8), Note.class);
    }

    private void save(String planId, Note note, long nowMs) {
        store.saveDone(PLAN + planId, bytes(note), nowMs);
    }

    /** Returns the plan as it was carried out. Events that no partition knew anything about count as gone. */
    public @Nullable PlanOutcome outcome(String planId, PlanTally tally) {
        Note note = find(planId);
        if (note == null) {
            return null;
        }
        long left = tally.leftOut().values().stream().mapToLong(Long::longValue).sum();
        long unknown = note.planned().events() - tally.done().events() - left;
        PlanTally all = tally.plus(PlanTally.left(LeftOut.GONE, Math.max(0, unknown)));
        String madeBy = note.request().actor();
        return new PlanOutcome(
                planId, madeBy, note.pointMs(), note.expiresMs(), note.planned(), all.done(), all.leftOut());
    }

    /** Returns the part of this partition; null if there is none. */
    public @Nullable Part part(String planId) {
        byte[] value = store.plans().part(planId);
        return value == null ? null : JsonState.read(new String(value, StandardCharsets.UTF_8), Part.class);
    }

    void savePart(String planId, int round, int pages, long nowMs) {
        Part known = part(planId);
        Part part = (known == null ? Part.EMPTY : known).with(round, pages, nowMs);
        store.plans().savePart(planId, bytes(part));
    }

    /** Makes the notes under an id be forgotten like an old plan: the work that left them has failed. */
    public void noteRest(String id, long nowMs) {
        if (part(id) == null) {
            savePart(id, 0, 0, nowMs);
        }
    }

    /** Forgets some of this partition's part of a plan; returns true if nothing is left. */
    public boolean forgetPart(String planId) {
        boolean isGone = store.plans().forget(planId, FORGOTTEN_AT_ONCE);
        if (isGone && part(planId) != null) {
            store.plans().savePart(planId, null);
        }
        return isGone;
    }

    /** Forgets parts that are too old to be used, as far as the budget goes; returns true if none is left. */
    public boolean forgetOld(long nowMs, SweepBudget budget) {
        for (String planId : store.plans().parts()) {
            Part part = part(planId);
            boolean isOld = part != null && part.madeMs() + PART_LIFE_MS < nowMs;
            while (isOld) {
                isOld = !forgetPart(planId);
                budget.spendDelete();
                if (budget.isSpent()) {
                    return false;
                }
            }
        }
        return true;
    }

    private static byte[] bytes(Object note) {
        return JsonState.write(note).getBytes(StandardCharsets.UTF_8);
    }
}
