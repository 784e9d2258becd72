package dev.ebb.topology.plan;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.policy.Scope;
import java.util.Objects;

/**
 * Check whether a command may carry out the plan of a dry run: each of its fields must equal that of the dry run, or be
 * left out where the plan knows it.
 */
final class PlanFit {

    private PlanFit() {}

    static boolean fits(Command asked, Command planned) {
        if (planned instanceof Command.SweepNow sweep) {
            return asked instanceof Command.SweepNow now && fits(now, sweep);
        }
        if (planned instanceof Command.EraseEvents erase) {
            return asked instanceof Command.EraseEvents now && fits(now, erase);
        }
        return asked.equals(planned) || asked.equals(bare(planned)) || asksForNothing(asked, planned);
    }

    /** Compares two sweeps. A file of policies must be the same to the letter, since that file was reviewed. */
    private static boolean fits(Command.SweepNow asked, Command.SweepNow planned) {
        return Objects.equals(asked.policies(), planned.policies())
                && asked.prunesPolicies() == planned.prunesPolicies()
                && (asked.scope().equals(planned.scope()) || asked.scope().equals(Scope.ALL));
    }

    private static boolean fits(Command.EraseEvents asked, Command.EraseEvents planned) {
        return (asked.where().isEmpty() || asked.where().equals(planned.where()))
                && (asked.namespace() == null || asked.namespace().equals(planned.namespace()))
                && (asked.caseId().isEmpty() || asked.caseId().equals(planned.caseId()))
                && (!asked.isForced() || planned.isForced());
    }

    /** Returns a command on one stream with nothing but the stream. */
    private static Command bare(Command planned) {
        if (planned instanceof Command.DeleteStream delete) {
            return new Command.DeleteStream(delete.stream(), false);
        }
        if (planned instanceof Command.DeleteEvent delete) {
            return new Command.DeleteEvent(delete.stream(), delete.id(), false);
        }
        return planned instanceof Command.PruneStream prune
                ? new Command.PruneStream(prune.stream(), new PruneCondition(null, null))
                : planned;
    }

    private static boolean asksForNothing(Command asked, Command planned) {
        return asked.getClass() == planned.getClass()
                && asked instanceof Command.OfStreams many
                && many.filter().isEmpty()
                && !many.filter().isAll()
                && (!(asked instanceof Command.PruneStreams prune)
                        || (prune.condition().isEmpty() && !prune.includesOpen()));
    }
}
