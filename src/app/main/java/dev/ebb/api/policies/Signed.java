package dev.ebb.api.policies;

import dev.ebb.api.door.Guard;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** Signs a request of a caller with a token: its actor is the name of the token, whatever name was sent. */
public final class Signed {

    private Signed() {}

    static RetentionPolicy policy(Context ctx, RetentionPolicy policy) {
        @Nullable String name = Guard.caller(ctx).name();
        return name == null ? policy : policy.toBuilder().updatedBy(name).build();
    }

    public static Hold hold(Context ctx, Hold hold) {
        @Nullable String name = Guard.caller(ctx).name();
        return name == null ? hold : new Hold(hold.caseId(), hold.covers(), hold.reason(), name, hold.placedAtMs());
    }
}
