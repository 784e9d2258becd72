package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.simulation.AccidentLaw.Key;
import dev.ebb.simulation.AccidentLaw.Picture;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the time of a start may take (T-14): if it is further ahead of the newest time that there was than the clock may
 * be, no more events than the brake lets through, unless a person has confirmed something. A smaller step is a time like
 * any other. Not thread-safe.
 */
final class ClockLaw {

    private final long maxGapMs;
    private final long most;
    private final Set<Key> owed = new HashSet<>();
    private final Set<Key> taken = new HashSet<>();

    /** The state at the start. */
    private @Nullable Picture start;

    /** @param most the most events that may go without a confirmation */
    ClockLaw(long maxGapMs, long most) {
        this.maxGapMs = maxGapMs;
        this.most = most;
    }

    /**
     * Notes a start.
     *
     * @param newestMs the newest time before it
     */
    void started(AccidentWorld world, long newestMs) {
        owed.clear();
        taken.clear();
        Picture picture = Picture.of(world);
        start = picture;
        long nowMs = picture.trustedMs();
        if (nowMs - newestMs <= maxGapMs) {
            return;
        }
        picture.events().values().stream()
                .filter(stored -> isTakenByTime(stored, picture, newestMs, nowMs))
                .map(Key::of)
                .filter(key -> !world.ledger.isUnderNotice(key, nowMs))
                .forEach(owed::add);
    }

    private static boolean isTakenByTime(StoredEvent stored, Picture picture, long newestMs, long nowMs) {
        List<PolicySet> policies = picture.policies();
        StreamName stream = stored.event().stream();
        return !picture.isProtected(stored)
                && policies.stream().noneMatch(one -> one.isHeld(stream) || AccidentLaw.isAged(stored, one, newestMs))
                && policies.stream().allMatch(one -> AccidentLaw.isAged(stored, one, nowMs));
    }

    /** A person has confirmed a clock or a change, and is told of nothing else any more. */
    void confirmed() {
        owed.clear();
    }

    /** Other policies of a stream are in force than at the start: what they take is for the brake. */
    void look(Picture before, Picture after) {
        Picture since = start;
        if (since != null) {
            owed.removeIf(key -> before.isChanged(key.stream(), since) || after.isChanged(key.stream(), since));
        }
    }

    /**
     * Counts what has gone.
     *
     * @param isByAge true if a policy has taken it by its age, and nothing else has touched it
     */
    void gone(Key key, boolean isByAge) {
        if (owed.remove(key) && isByAge) {
            taken.add(key);
            assertThat(taken.size())
                    .as("events that a time far ahead took without a confirmation")
                    .isLessThanOrEqualTo((int) most);
        }
    }
}
