package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.retention.SweepBudget;

/** A piece of work that a command asks of a partition, done in slices and remembered over a crash. Not thread-safe. */
abstract class Work {

    /** The command that asks for the work. */
    final CommandRequest request;

    private final String kind;

    /** @param kind name of the {@link WorkKind} */
    Work(String kind, CommandRequest request) {
        this.kind = kind;
        this.request = request;
    }

    /** Name of the work, unique among all work of the partition. */
    final String name() {
        return CommandNotes.name(kind, request.commandId());
    }

    /** State of the work after a slice. */
    enum Progress {
        /** More work remains, to be done at once. */
        MORE,
        /** The work waits for something in this partition: its turn comes again in the next slice. */
        LATER,
        /** The work waits for an answer of another partition. */
        WAITING,
        /** The work is done, and its result is sent. */
        DONE
    }

    /** Works for one slice. */
    abstract Progress step(long nowMs, SweepBudget budget);

    /** Ends work after a failure that would come again, and tells the one that waits for the result. */
    abstract void fail(String detail, long nowMs);

    /** Progress of the work, which is written down at once. */
    abstract Object state();
}
