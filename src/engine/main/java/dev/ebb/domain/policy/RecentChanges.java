package dev.ebb.domain.policy;

import dev.ebb.domain.SharingMap;
import dev.ebb.domain.event.StreamName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Times at which the policies and holds of each scope last changed, for changes that can make something due. A policy
 * that was sent again unchanged has not changed. Immutable.
 */
public final class RecentChanges {

    /** No change is known. */
    static final RecentChanges NONE = new RecentChanges(SharingMap.empty(), 0);

    private static final Comparator<Change> NEWEST_FIRST = Comparator.comparingLong(Change::atMs)
            .thenComparingLong(Change::version)
            .reversed();

    /**
     * Maximum number of changes that a scope remembers: those of its policy, and holds that were released there. The
     * oldest is forgotten, and its deletes can still be undone: by a delete a change is new no longer than those after
     * it, which are in the same scope, and of which all but those of its one policy free what it may have freed.
     */
    private static final int MOST = 16;

    private final SharingMap<Scope, List<Change>> byScope;
    private final long newestMs;

    private RecentChanges(SharingMap<Scope, List<Change>> byScope, long newestMs) {
        this.byScope = byScope;
        this.newestMs = newestMs;
    }

    /**
     * A change that is in force.
     *
     * @param key the policy that was set or removed, or the hold that was released
     * @param version the version of the change
     * @param atMs the time at which the change was accepted, epoch milliseconds
     * @param freesOwnTtl true if the change may have ended what kept events whose own TTL had passed, see {@link
     *     PolicyEdit#freesOwnTtl}
     */
    public record Change(PolicyKey key, long version, long atMs, boolean freesOwnTtl) {

        /** Returns the change as people name it: the key, {@code @}, and the version. */
        @Override
        public String toString() {
            return key + "@" + version;
        }

        /**
         * Returns true if this change makes the other one of no account: it is of the same key, not older, and has ended
         * all that the other one may have ended.
         */
        private boolean replaces(Change other) {
            return key.equals(other.key)
                    && NEWEST_FIRST.compare(this, other) <= 0
                    && (freesOwnTtl || !other.freesOwnTtl);
        }
    }

    /** A change, and the scope in which it may make more due. */
    public record Touch(Scope scope, Change change) {}

    /**
     * Returns the changes with one more: the newest change of a key replaces the older ones of this key in the scope,
     * but not one that may have freed events whose own TTL had passed, if it may not; changes of other keys stay.
     */
    RecentChanges with(Scope scope, Change change) {
        List<Change> known = in(scope);
        if (known.stream().anyMatch(other -> other.replaces(change))) {
            return this;
        }
        // Whatever its time says: a clock may have been ahead when the others came.
        Stream<Change> others =
                known.stream().filter(other -> !change.replaces(other)).limit(MOST - 1);
        List<Change> all =
                Stream.concat(Stream.of(change), others).sorted(NEWEST_FIRST).toList();
        return new RecentChanges(byScope.with(scope, all), Math.max(newestMs, change.atMs()));
    }

    /** Returns the time of the newest change of all, epoch milliseconds; 0 if there was none. */
    public long newestMs() {
        return newestMs;
    }

    /**
     * Returns the changes in the scopes of a stream, the newest first.
     *
     * @param pattern the pattern of its namespace; null if it has none
     */
    List<Change> on(StreamName stream, @Nullable String pattern) {
        List<Change> found = new ArrayList<>(in(Scope.ALL));
        found.addAll(in(Scope.stream(stream.value())));
        found.addAll(in(Scope.namespace(stream.namespace())));
        if (pattern != null) {
            found.addAll(in(Scope.pattern(pattern)));
        }
        found.sort(NEWEST_FIRST);
        return found;
    }

    /** Returns all known changes, each in each of its scopes, in no particular order. */
    Stream<Change> all() {
        return byScope.values().stream().flatMap(List::stream);
    }

    private List<Change> in(Scope scope) {
        List<Change> known = byScope.get(scope);
        return known == null ? List.of() : known;
    }
}
