package dev.ebb.topology.wire;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import java.util.Optional;
import java.util.function.Function;

/**
 * Records on the topic of results by which each partition confirms that it acts on the holds in force. Each
 * partition has one such record, whose policy version is the offset of the newest hold on the topic of accepted
 * policies. Stateless.
 */
public final class HoldConfirmations {

    public static final String VERB = "hold";

    private static final String PREFIX = "holds-of-partition-";

    private HoldConfirmations() {}

    public static String idOf(int partition) {
        return PREFIX + partition;
    }

    /** Returns the confirmation of all holds up to that offset of the topic of accepted policies. */
    public static CommandResult of(int partition, long offset, long nowMs) {
        Outcome confirmed = new Outcome.Confirmed(offset);
        return new CommandResult(
                idOf(partition), VERB, CommandResult.State.DONE, null, "", false, confirmed, nowMs, "");
    }

    /**
     * Returns true if a confirmation has that id. No command may have it, since the result of the command would replace
     * the confirmation.
     */
    public static boolean isIdOfOne(String commandId) {
        return commandId.startsWith(PREFIX);
    }

    /**
     * Returns true if every partition has confirmed all holds up to that offset of the topic of accepted policies.
     *
     * @param results finds the newest result under an id
     */
    public static boolean areAll(long offset, int partitions, Function<String, Optional<CommandResult>> results) {
        for (int partition = 0; partition < partitions; partition++) {
            Outcome known =
                    results.apply(idOf(partition)).map(CommandResult::outcome).orElse(Outcome.nothing());
            if (!(known instanceof Outcome.Confirmed confirmed) || confirmed.policyVersion() < offset) {
                return false;
            }
        }
        return true;
    }
}
