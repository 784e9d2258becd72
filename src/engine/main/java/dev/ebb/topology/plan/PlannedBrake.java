package dev.ebb.topology.plan;

import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.domain.policy.change.SpentDeletes;
import dev.ebb.domain.time.Durations;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Verdict of the brake on a file of policies that is only planned: the same count and the same limits as for the file
 * itself, and the deletes of the last hour (T-15).
 *
 * @param isHeldBack true if the brake would hold the file back until a person confirms it
 * @param text the verdict for people; empty if there is nothing to tell
 */
public record PlannedBrake(boolean isHeldBack, String text) {

    /**
     * Returns the verdict on a count.
     *
     * @param spent returns the deletes that count from the last hour, by namespace
     */
    public static PlannedBrake of(
            @Nullable BrakeFinding counted, BrakeLimits limits, Function<String, SpentDeletes> spent) {
        if (counted == null || counted.wouldDelete() == 0) {
            return new PlannedBrake(false, "");
        }
        BrakeTally tally = BrakeTally.of(counted, limits, spent);
        boolean isHeldBack = tally.verdict() == BrakeTally.Verdict.HOLD;
        String when = limits.horizonMs() == 0 ? " at once" : " within " + Durations.format(limits.horizonMs());
        String would = isHeldBack ? "hold it back until it is confirmed" : "let it through";
        return new PlannedBrake(isHeldBack, "the brake would " + would + ": it " + tally.finding() + when);
    }
}
