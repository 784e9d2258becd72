package dev.ebb.topology.erase;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.BrakeTally;
import dev.ebb.domain.policy.change.SpentDeletes;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Brake on erasures, whose deletes are final (T-15): an erasure that would delete more than a change of policies may,
 * alone or together with others of the last hour, is refused before anything goes, unless its
 * events were seen or their number was named. Stateless.
 */
public final class EraseBrake {

    private EraseBrake() {}

    /** Reason why an erasure must not begin. */
    public record Refused(Refusal refusal, String detail) {}

    /** Returns true if the erasure is counted first. A plan has been seen; carrying it out confirms it. */
    public static boolean mustCount(CommandRequest request, BrakeLimits limits) {
        return request.isUnseenErasure() && (limits.isOn() || request.maxDeletes() != null);
    }

    /**
     * Returns the reason why the erasure must not begin; null if it may.
     *
     * @param spent returns the deletes of other erasures that count from the last hour, by namespace
     */
    public static @Nullable Refused verdict(
            CommandRequest request, BrakeFinding counted, BrakeLimits limits, Function<String, SpentDeletes> spent) {
        Long most = request.maxDeletes();
        if (most != null) {
            return counted.wouldDelete() <= most
                    ? null
                    : new Refused(
                            Refusal.TOO_MANY,
                            "it " + counted.of(List.of()) + "; at most " + most + " may go. Nothing was erased");
        }
        BrakeTally tally = BrakeTally.of(counted, limits, spent);
        return tally.verdict() != BrakeTally.Verdict.HOLD
                ? null
                : new Refused(
                        Refusal.UNCONFIRMED,
                        "it " + tally.finding() + ", more than " + limits.sharePercent() + " %"
                                + (request.command() instanceof Command.EraseEvents ? ", and cannot be undone" : "")
                                + ". Nothing was erased. Look at a dry run and carry out its plan, or name the number:"
                                + " maxDeletes=" + counted.wouldDelete());
    }
}
