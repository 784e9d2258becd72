package dev.ebb.domain.policy;

import dev.ebb.domain.SharingMap;
import dev.ebb.domain.event.StreamName;
import org.jspecify.annotations.Nullable;

/**
 * Times at which the policies and holds of each scope last changed, as far as the change can make something due. A policy
 * that was sent again as it was has not changed. Immutable.
 */
public final class RecentChanges {

    /** No change is known. */
    static final RecentChanges NONE = new RecentChanges(SharingMap.empty(), 0);

    private final SharingMap<Scope, Change> newest;
    private final long newestMs;

    private RecentChanges(SharingMap<Scope, Change> newest, long newestMs) {
        this.newest = newest;
        this.newestMs = newestMs;
    }

    /**
     * A change that is in force.
     *
     * @param key the policy that was set or removed, or the hold that was released
     * @param version its version
     * @param atMs time at which it was accepted, epoch milliseconds
     */
    public record Change(PolicyKey key, long version, long atMs) {

        /** The change as people name it: the key, and the version behind an {@code @}. */
        @Override
        public String toString() {
            return key + "@" + version;
        }
    }

    RecentChanges with(Scope scope, Change change) {
        return new RecentChanges(newest.with(scope, change), Math.max(newestMs, change.atMs()));
    }

    /** Time of the newest change of all, epoch milliseconds; 0 if there was none. */
    public long newestMs() {
        return newestMs;
    }

    /**
     * The newest change in the scopes of a stream; null if there was none.
     *
     * @param pattern the pattern of its namespace; null if it has none
     */
    @Nullable
    Change newestOn(StreamName stream, @Nullable String pattern) {
        Change found = later(newest.get(Scope.ALL), newest.get(Scope.stream(stream.value())));
        if (StreamName.problem(stream.namespace()) == null) {
            found = later(found, newest.get(Scope.namespace(stream.namespace())));
        }
        return pattern == null ? found : later(found, newest.get(Scope.pattern(pattern)));
    }

    private static @Nullable Change later(@Nullable Change one, @Nullable Change other) {
        return one == null || (other != null && other.atMs() > one.atMs()) ? other : one;
    }
}
