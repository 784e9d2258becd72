package dev.ebb.api.policies;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.Sha256;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView.BrakeView;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Applies a file of policies by its plan (T-7). Before any part of the file is sent, a second dry run asks all
 * partitions whether the file would delete an event that the plan does not have. The id of this dry run is derived from
 * the plan and the text of the file: a caller who asks again gets the same answer, another file does not, and the plan
 * is used up once. A refusal is not final: its reason may be gone, so the next request runs a new one.
 */
final class PlannedFile {

    private static final Duration WAIT = Duration.ofSeconds(50);

    /**
     * Time for which an answer may be repeated: longer than callers repeat a request, and too short for much to fall
     * due.
     */
    private static final Duration FRESH = Duration.ofMinutes(10);

    /** Most dry runs for one file: more than refusals by hand will ever be. */
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
     * @param plan the part of the plan that goes, and the part that is left out by now; null if unknown
     */
    record Passed(long dueSince, @Nullable PlanOutcome plan) {}

    /**
     * Returns if the file may be applied.
     *
     * @param file the text of the file, which must be that of the plan
     * @param inForce the policies to which the file would be applied
     * @throws ProblemException if the file must not be applied
     * @throws NotReadyException if the answer is not known yet
     */
    Passed hold(String planId, String file, boolean prune, String actor, PolicySet inForce) {
        Command asked = new Command.SweepNow(Scope.ALL, null, file, prune);
        CommandRequest request =
                new CommandRequest(id(planId, file, prune, inForce), actor, "", true, null, asked, planId);
        desk.submit(request);
        CommandResult result = desk.await(request.commandId(), WAIT)
                .filter(CommandResult::isFinal)
                .orElseThrow(() -> new NotReadyException(
                        "the file is still being compared with its plan; ask again", Duration.ofSeconds(1)));
        requireThis(request, result);
        Refusal refusal = result.refusal();
        if (refusal != null) {
            throw refused(refusal, result.detail());
        }
        requireFresh(result);
        if (!(result.outcome() instanceof Outcome.Swept swept) || swept.policyVersion() != inForce.version()) {
            throw refused(Refusal.OTHER_PLAN, "the policies in force have changed since the plan was made");
        }
        return new Passed(result.outcome().deletions().eventsDeleted(), result.plan());
    }

    /**
     * Returns the id of the first try for that file that was not refused; its length hardly depends on that of the
     * plan's id.
     */
    private String id(String planId, String file, boolean prune, PolicySet inForce) {
        // Its answer is about the policies of one edition, and a change that had waited leaves their version as it was.
        long lateChanges = inForce.edition().lateChanges();
        String asked = planId + '\n' + prune + '\n' + lateChanges + '\n' + file;
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

    /** Refuses the result of another command under that id, which says nothing about the file. */
    private static void requireThis(CommandRequest request, CommandResult known) {
        if (!known.dryRun()
                || !known.verb().equals(request.command().verb())
                || !known.fingerprint().equals(request.fingerprint())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "the file is not applied: the id '" + request.commandId() + "' of its check belongs to another"
                            + " command; make a new plan");
        }
    }

    private void requireFresh(CommandResult result) {
        if (result.updatedAt().plus(FRESH).isBefore(clock.instant())) {
            throw refused(Refusal.NO_PLAN, "the plan was used up at " + result.updatedAt() + "; make a new plan");
        }
    }

    /**
     * Returns true if the plan counts as the confirmation of a change that the brake holds back. The plan has named all
     * deletes except events that have fallen due since; of these there must be no more than the brake lets through
     * (O-8).
     *
     * @param dueSince number of events that have fallen due since the plan was made
     */
    boolean confirms(WaitingPolicy waiting, long dueSince) {
        BrakeView brake = status.status().policies().brake();
        long stored = waiting.finding() == null ? 0 : waiting.finding().stored();
        return dueSince <= brake.limits().allowed(stored);
    }

    private static ProblemException refused(Refusal refusal, String detail) {
        String what = "the file is not applied, because its plan does not fit (" + refusal + "): " + detail;
        return new ProblemException(
                refusal == Refusal.BUSY ? ProblemKind.TOO_MANY_REQUESTS : ProblemKind.REFUSED, what);
    }
}
