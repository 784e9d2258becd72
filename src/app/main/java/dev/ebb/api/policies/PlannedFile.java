package dev.ebb.api.policies;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import java.time.Duration;
import java.util.Objects;

/**
 * A file of policies that is applied by its plan (T-7): before anything of it is sent, a second dry run asks all
 * partitions whether the file would delete an event that the plan does not have. Its id follows from that of the plan, so
 * that a caller who asks again hears the same answer, and the plan is used up once.
 */
final class PlannedFile {

    private static final Duration WAIT = Duration.ofSeconds(50);

    private final CommandDesk desk;

    PlannedFile(CommandDesk desk) {
        this.desk = desk;
    }

    /**
     * Returns if the file may be applied.
     *
     * @param file the text of the file, which must be that of the plan
     * @param inForce the policies to which it would be applied
     * @throws ProblemException if it may not
     * @throws NotReadyException if that is not known yet
     */
    void hold(String planId, String file, boolean prune, String actor, PolicySet inForce) {
        Command asked = new Command.SweepNow(Scope.ALL, null, file, prune);
        CommandRequest request = new CommandRequest("apply-" + planId, actor, "", true, null, asked, planId);
        desk.submit(request);
        CommandResult result = desk.await(request.commandId(), WAIT)
                .filter(CommandResult::isFinal)
                .orElseThrow(() -> new NotReadyException(
                        "the file is still being held against its plan; ask again", Duration.ofSeconds(1)));
        Refusal refusal = result.refusal();
        if (refusal != null) {
            throw refused(refusal, result.detail());
        }
        if (!Objects.equals(result.policyVersion(), inForce.version())) {
            throw refused(Refusal.OTHER_PLAN, "the policies in force have changed since the plan was made");
        }
    }

    private static ProblemException refused(Refusal refusal, String detail) {
        String what = "the file is not applied, for its plan does not fit (" + refusal + "): " + detail;
        return new ProblemException(ProblemKind.REFUSED, what);
    }
}
