package dev.ebb.api.door;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.plan.PlanOutcome;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/**
 * Needs two people for some acts that let data go, so that one mistake, or one stolen token, is not enough. Applies to
 * requests to this API; names of callers come from tokens.
 *
 * @param isNeeded false if one person is enough
 */
public record SecondPerson(boolean isNeeded) {

    /**
     * Ends the request if its caller is the first person as well.
     *
     * @param first the name of the first person
     * @param what what the first person did, such as "asked for this change", for the message
     */
    public void require(Context ctx, String first, String what) {
        if (!isMet(ctx, first)) {
            throw new ProblemException(
                    ProblemKind.FORBIDDEN,
                    "'" + Guard.caller(ctx).name() + "' " + what
                            + ", and api.second.person asks for another person here");
        }
    }

    /** Returns true if the caller of the request is another person than the first, or one person is enough. */
    public boolean isMet(Context ctx, String first) {
        String caller = Guard.caller(ctx).name();
        return !isNeeded || (caller != null && !caller.equals(first));
    }

    /** Returns true if another person has made the plan that the caller carries out, or one person is enough. */
    public boolean hasPlanned(Context ctx, @Nullable PlanOutcome plan) {
        return !isNeeded || (plan != null && !plan.madeBy().isEmpty() && isMet(ctx, plan.madeBy()));
    }
}
