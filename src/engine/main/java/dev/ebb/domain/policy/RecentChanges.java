package dev.ebb.domain.policy;

import dev.ebb.domain.SharingMap;
import dev.ebb.domain.event.StreamName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Times at which the policies and holds of each scope last changed, as far as the change can make something due. A policy
 * that was sent again as it was has not changed. Immutable.
 */
public final class RecentChanges {

    /** No change is known. */
    static final RecentChanges NONE = new RecentChanges(SharingMap.empty(), 0);

    private static final Comparator<Change> NEWEST_FIRST =
            Comparator.comparingLong(Change::atMs).reversed();

    /** The most keys of one scope of which changes are remembered: its policy, and holds that were released there. */
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

    /** A change, and the scope in which more may be due by it. */
    public record Touch(Scope scope, Change change) {}

    /** The newest change of a key takes the place of its others in that scope; those of other keys stay beside it. */
    RecentChanges with(Scope scope, Change change) {
        List<Change> known = in(scope);
        if (known.stream().anyMatch(other -> other.key().equals(change.key()) && isNewer(other, change))) {
            return this;
        }
        List<Change> all = Stream.concat(Stream.of(change), known.stream().filter(other -> !other.key()
                        .equals(change.key())))
                .sorted(NEWEST_FIRST)
                .limit(MOST)
                .toList();
        return new RecentChanges(byScope.with(scope, all), Math.max(newestMs, change.atMs()));
    }

    /** Versions tell changes of one millisecond apart. */
    private static boolean isNewer(Change one, Change other) {
        return one.atMs() > other.atMs() || (one.atMs() == other.atMs() && one.version() > other.version());
    }

    /** Time of the newest change of all, epoch milliseconds; 0 if there was none. */
    public long newestMs() {
        return newestMs;
    }

    /**
     * The changes in the scopes of a stream, the newest first.
     *
     * @param pattern the pattern of its namespace; null if it has none
     */
    List<Change> on(StreamName stream, @Nullable String pattern) {
        List<Change> found = new ArrayList<>(in(Scope.ALL));
        found.addAll(in(Scope.stream(stream.value())));
        if (StreamName.problem(stream.namespace()) == null) {
            found.addAll(in(Scope.namespace(stream.namespace())));
        }
        if (pattern != null) {
            found.addAll(in(Scope.pattern(pattern)));
        }
        found.sort(NEWEST_FIRST);
        return found;
    }

    private List<Change> in(Scope scope) {
        List<Change> known = byScope.get(scope);
        return known == null ? List.of() : known;
    }
}
