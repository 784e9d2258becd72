package dev.ebb.api.door;

import dev.ebb.api.http.ApiRoute;
import dev.ebb.domain.command.Command;
import dev.ebb.wire.commands.CommandRoute;
import io.javalin.http.HandlerType;
import java.util.Set;

/**
 * Places that are kept free for small, urgent requests, beyond the limits on all others: a caller whose crowd of requests
 * fills its places must still be able to place a hold, and an operator to delete one stream. Each reserve is small, so
 * that threads are always left for refusals.
 */
enum Reserve {
    /** The usual places. */
    NONE(0, 0),
    /** A delete of one stream or event. */
    OF_DELETES(4, 8),
    /** A hold that is placed or released; the places of small deletes as well, so that a crowd of these keeps none out. */
    OF_HOLDS(8, 16);

    private static final String HOLD = "/v1/holds/{case}";
    private static final Set<CommandRoute> DELETES =
            Set.of(CommandRoute.of(Command.DeleteStream.KIND), CommandRoute.of(Command.DeleteEvent.KIND));

    private final int ofOne;
    private final int ofAll;

    Reserve(int ofOne, int ofAll) {
        this.ofOne = ofOne;
        this.ofAll = ofAll;
    }

    /** Returns the reserve from which requests of the route may take. */
    static Reserve of(ApiRoute route) {
        if (route.path().equals(HOLD) && !route.method().equals(HandlerType.GET)) {
            return OF_HOLDS;
        }
        boolean isDelete = route.method().equals(HandlerType.DELETE)
                && DELETES.stream().anyMatch(delete -> delete.path().equals(route.path()));
        return isDelete ? OF_DELETES : NONE;
    }

    /** Returns the most requests of one caller beyond its limit, at the same time and in a burst. */
    int ofOne() {
        return ofOne;
    }

    /** Returns the most requests of all callers together beyond their limit. */
    int ofAll() {
        return ofAll;
    }
}
