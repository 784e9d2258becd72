package dev.ebb.topology.plan;

import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.domain.policy.change.SpentDeletes;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of the brake on a file of policies that is only planned: the same count and the same limits as for the file
 * itself, and the deletes of the last hour (T-15). Stateless.
 */
public final class PlannedBrake {

    private PlannedBrake() {}

    /**
     * Returns the verdict for people; empty if there is nothing to tell.
     *
     * @param spent returns the deletes that count from the last hour, by namespace
     */
    public static String text(
            @Nullable BrakeFinding counted, BrakeLimits limits, Function<String, SpentDeletes> spent) {
        if (counted == null || counted.wouldDelete() == 0) {
            return "";
        }
        BrakeTally tally = BrakeTally.of(counted, limits, spent);
        String when = limits.horizonMs() == 0 ? " at once" : " within " + Durations.format(limits.horizonMs());
        return tally.verdict() == BrakeTally.Verdict.HOLD
                ? "the brake would hold it back until it is confirmed: it " + tally.finding() + when
                : "the brake would let it through: it " + tally.finding() + when;
    }
}
