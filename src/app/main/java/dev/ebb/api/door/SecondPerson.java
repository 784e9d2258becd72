package dev.ebb.api.door;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import io.javalin.http.Context;

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
        String caller = Guard.caller(ctx).name();
        if (isNeeded && (caller == null || caller.equals(first))) {
            throw new ProblemException(
                    ProblemKind.FORBIDDEN,
                    "'" + caller + "' " + what + ", and api.second.person asks for another person here");
        }
    }
}
