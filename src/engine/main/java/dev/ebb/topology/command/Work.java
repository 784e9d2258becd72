package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.retention.SweepBudget;

/** A piece of work that a command asks of a partition, done in slices and remembered over a crash. Not thread-safe. */
interface Work {

    /** Kind of the work; with the id of its command it names the work among all of the partition. */
    String kind();

    /** The command that asks for it. */
    CommandRequest request();

    /** State of the work after a slice. */
    enum Progress {
        /** There is more to do at once. */
        MORE,
        /** The work waits for something in this partition: its turn comes again in the next slice. */
        LATER,
        /** The work waits for an answer of another partition. */
        WAITING,
        /** The work is done, and its result is sent. */
        DONE
    }

    /** Works for one slice. */
    Progress step(long nowMs, SweepBudget budget);

    /** Ends work after a failure that would come again, and tells the one that waits for the result. */
    void fail(String detail, long nowMs);

    /** Progress of the work as it is written down: a record that shares nothing with the work. */
    Object state();
}
