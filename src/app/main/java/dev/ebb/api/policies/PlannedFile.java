package dev.ebb.api.policies;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.Sha256;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView.BrakeView;
import dev.ebb.wire.commands.PlanView;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of policies that is applied by its plan (T-7): before anything of it is sent, a second dry run asks all
 * partitions whether the file would delete an event that the plan does not have. Its id follows from the plan and the text
 * of the file, so that a caller who asks again hears the same answer, another file does not, and the plan is used up once. A
 * refusal is no last word: whatever was in the way may be gone, so the next request asks anew.
 */
final class PlannedFile {

    private static final Duration WAIT = Duration.ofSeconds(50);

    /** Time for which an answer may be heard again: longer than callers repeat, and short beside what falls due. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    /** More refusals of one file than anyone will cause by hand. */
    private static final int MOST_TRIES = 1000;

    private final CommandDesk desk;
    private final StatusSource status;
    private final Clock clock;

    PlannedFile(CommandDesk desk, StatusSource status, Clock clock) {
        this.desk = desk;
        this.status = status;
        this.clock = clock;
    }

    /**
     * A file that may be applied.
     *
     * @param dueSince number of events that have fallen due since the plan was made and would go as well
     * @param plan what of the plan goes, and what is left out by now; null if that is not known
     */
    record Passed(long dueSince, @Nullable PlanView plan) {}

    /**
     * Returns if the file may be applied.
     *
     * @param file the text of the file, which must be that of the plan
     * @param inForce the policies to which it would be applied
     * @throws ProblemException if it may not
     * @throws NotReadyException if that is not known yet
     */
    Passed hold(String planId, String file, boolean prune, String actor, PolicySet inForce) {
        Command asked = new Command.SweepNow(Scope.ALL, null, file, prune);
        CommandRequest request = new CommandRequest(id(planId, file, prune), actor, "", true, null, asked, planId);
        desk.submit(request);
        CommandResult result = desk.await(request.commandId(), WAIT)
                .filter(CommandResult::isFinal)
                .orElseThrow(() -> new NotReadyException(
                        "the file is still being held against its plan; ask again", Duration.ofSeconds(1)));
        requireThis(request, result);
        Refusal refusal = result.refusal();
        if (refusal != null) {
            throw refused(refusal, result.detail());
        }
        requireFresh(result);
        if (!Objects.equals(result.policyVersion(), inForce.version())) {
            throw refused(Refusal.OTHER_PLAN, "the policies in force have changed since the plan was made");
        }
        PlanOutcome plan = result.plan();
        return new Passed(result.counts().eventsDeleted(), plan == null ? null : PlanView.of(plan));
    }

    /** Id of the first try for that file that was not refused, of about one length whatever that of the plan is. */
    private String id(String planId, String file, boolean prune) {
        String asked = planId + '\n' + prune + '\n' + file;
        String first = "apply-" + HexFormat.of().formatHex(Sha256.of(asked.getBytes(StandardCharsets.UTF_8)));
        String id = first;
        for (int tries = 1; tries < MOST_TRIES && isRefused(id); tries++) {
            id = first + "-" + tries;
        }
        return id;
    }

    private boolean isRefused(String commandId) {
        return desk.find(commandId).filter(result -> result.refusal() != null).isPresent();
    }

    /** Another command under that id says nothing of the file. */
    private static void requireThis(CommandRequest request, CommandResult known) {
        if (!known.isDryRun()
                || !known.verb().equals(request.command().verb())
                || !known.fingerprint().equals(request.fingerprint())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "the file is not applied: the id '" + request.commandId() + "' of its check belongs to another"
                            + " command; make a new plan");
        }
    }

    private void requireFresh(CommandResult result) {
        if (clock.millis() - result.updatedMs() > FRESH.toMillis()) {
            throw refused(
                    Refusal.NO_PLAN,
                    "the plan was used up at " + Instant.ofEpochMilli(result.updatedMs()) + "; make a new plan");
        }
    }

    /**
     * Returns true if the plan stands for the confirmation of a change that the brake holds back: the plan has named what
     * goes, but for events that have fallen due since, of which the brake would let as many go by themselves (O-8).
     *
     * @param dueSince the number of these events
     */
    boolean confirms(WaitingPolicy waiting, long dueSince) {
        BrakeView brake = status.status().policies().brake();
        long stored = waiting.finding() == null ? 0 : waiting.finding().stored();
        return dueSince <= new BrakeLimits(brake.sharePercent(), brake.minimumEvents()).allowed(stored);
    }

    private static ProblemException refused(Refusal refusal, String detail) {
        String what = "the file is not applied, for its plan does not fit (" + refusal + "): " + detail;
        return new ProblemException(ProblemKind.REFUSED, what);
    }
}
