package dev.ebb.api.http;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.wire.PathSegment;
import io.javalin.http.Context;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The names in a path. Each name is one percent-encoded segment, so that a '/' inside a name is written {@code %2F};
 * {@link PathSegment} says how a name of one or two dots is written.
 */
public final class PathNames {

    private PathNames() {}

    public static StreamName stream(Context ctx) {
        String name = named(ctx, "stream");
        require("stream", StreamName.problem(name));
        return new StreamName(name);
    }

    public static EventId event(Context ctx) {
        String id = named(ctx, "id");
        require("id", EventId.problem(id));
        return new EventId(id);
    }

    public static String commandId(Context ctx) {
        String commandId = named(ctx, "commandId");
        require("id of the command", EventId.problem(commandId));
        return commandId;
    }

    public static Scope scope(Context ctx) {
        try {
            return Scope.parse(named(ctx, "scope"));
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    public static String caseId(Context ctx) {
        String caseId = named(ctx, "case");
        require("case", NameRule.problem(caseId));
        return caseId;
    }

    public static String sourceName(Context ctx) {
        String name = named(ctx, "name");
        require("name of the source", NameRule.problem(name));
        return name;
    }

    /** Returns a name that was noted elsewhere: any text that is not blank. */
    public static String text(Context ctx, String name) {
        String text = named(ctx, name);
        require(name, text.isBlank() ? "is empty" : null);
        return text;
    }

    public static RejectedRecord.Id rejected(Context ctx) {
        RejectedRecord.Id id = RejectedRecord.Id.parse(named(ctx, "id"));
        require("id", id == null ? "must be a partition and an offset such as 0-17" : null);
        return Objects.requireNonNull(id);
    }

    private static String named(Context ctx, String parameter) {
        return PathSegment.name(ctx.pathParam(parameter));
    }

    private static void require(String what, @Nullable String problem) {
        if (problem != null) {
            throw ProblemException.badRequest("the " + what + " in the path " + problem);
        }
    }
}
