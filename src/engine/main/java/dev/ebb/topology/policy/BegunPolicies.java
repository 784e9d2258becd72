package dev.ebb.topology.policy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyComparison;
import org.jspecify.annotations.Nullable;

/** Policies by which some work has begun (O-2); after a restart only their version is known. Not thread-safe. */
public final class BegunPolicies {

    private @Nullable PolicySet begun;
    private @Nullable Long version;

    /** @param version the version of the policies; null if the work has not begun */
    public BegunPolicies(@Nullable Long version) {
        this.version = version;
    }

    /** Returns the version of the policies; null if the work has not begun. */
    public @Nullable Long version() {
        return version;
    }

    /** Returns true if the stream is under other rules than when the work began; if it has not begun, it begins now. */
    @SuppressWarnings("ReferenceEquality") // any change makes another set
    public boolean differ(PolicySet newest, StreamName stream) {
        PolicySet first = begun;
        if (first != null) {
            return first != newest && PolicyComparison.differs(first, newest, stream);
        }
        boolean isResumed = version != null && version != newest.version();
        begun = newest;
        version = newest.version();
        return isResumed;
    }
}
