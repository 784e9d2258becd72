package dev.ebb.topology.command;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.retention.SweepBudget;

/** A piece of work that a command asks of a partition, done in slices and remembered over a crash. Not thread-safe. */
interface Work {

    /** What sort of work it is; with the id of its command it names the work among all of the partition. */
    String kind();

    /** The command that asks for it. */
    CommandRequest request();

    /** How it goes on after a slice. */
    enum Progress {
        /** There is more to do at once. */
        MORE,
        /** It waits for something in this partition: its turn comes again in the next slice. */
        LATER,
        /** It waits for an answer of another partition. */
        WAITING,
        /** It is done, and what it has to say is sent. */
        DONE
    }

    /** One slice of it. */
    Progress step(long nowMs, SweepBudget budget);

    /** It failed in a way that would come again: tells whoever waits for it, and is done. */
    void fail(String detail, long nowMs);

    /** How far it is, as it is written down: a record that shares nothing with the work. */
    Object state();
}
