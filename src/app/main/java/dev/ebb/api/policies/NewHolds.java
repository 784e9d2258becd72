package dev.ebb.api.policies;

import dev.ebb.api.names.KnownNames;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.wire.ProblemView.Fault;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks of holds before they are placed, one by one or with a file. Stateless. */
public final class NewHolds {

    /** Parameter with which a hold is placed although it covers nothing now. */
    public static final String ANYWAY = "anyway";

    private NewHolds() {}

    /** Returns true if the case is in force and covers something else, which only its release can end. */
    public static boolean coversOther(Hold hold, PolicySet current) {
        Hold before = current.holds().get(hold.caseId());
        return before != null && !before.covers().equals(hold.covers());
    }

    /** Returns a fault for each hold that covers nothing now: its author believes that something is kept (O-23). */
    public static List<Fault> gaps(List<Hold> holds, KnownNames names, Context ctx) {
        Map<Scope, String> gaps =
                names.lastingGaps(ctx, holds.stream().map(Hold::covers).toList());
        List<Fault> faults = new ArrayList<>();
        for (Hold hold : holds) {
            String gap = gaps.get(hold.covers());
            if (gap != null) {
                faults.add(new Fault(
                        hold.key().toString(),
                        "the hold covers nothing: " + gap
                                + ". Correct its scope, or place it all the same with --yes, in REST with "
                                + ANYWAY));
            }
        }
        return faults;
    }

    /** Returns a warning for each hold that covers nothing now and is placed all the same (O-23). */
    public static List<Fault> warnings(List<Hold> holds, KnownNames names, Context ctx) {
        List<Fault> warnings = new ArrayList<>();
        for (Hold hold : holds) {
            String gap = names.gap(ctx, hold.covers());
            if (gap != null) {
                warnings.add(new Fault(hold.key().toString(), "the hold covers nothing now: " + gap));
            }
        }
        return warnings;
    }

    /** Returns the sentence that refuses a hold whose case covers something else. */
    public static String otherCover(Hold hold, PolicySet current) {
        Hold before = current.holds().getOrDefault(hold.caseId(), hold);
        return "the case '" + hold.caseId() + "' covers " + before.covers()
                + "; release it first, or place another case";
    }
}
