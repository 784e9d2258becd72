package dev.ebb.topology.observe;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import java.util.List;

/** Observer of tasks, for metrics and logs. Called on stream threads: implementations must be thread-safe and quick. */
public interface RetentionObserver {

    /** Effect that a record would have had if it had not come too late. */
    enum LateRecord {
        /** Record that would have stored an event; it goes to the rejected topic. */
        EVENT,
        /** Record that would have updated an event. */
        UPDATE,
        /** Record that would have declared or changed an execution. */
        EXECUTION
    }

    /**
     * An event was stored.
     *
     * @param isNew false if it replaced one of the same id
     * @param delayMs time from its Kafka timestamp until it was stored, in milliseconds
     */
    default void ingested(StreamName stream, boolean isNew, long delayMs) {}

    /** A stored event was updated. */
    default void updated(StreamName stream) {}

    /** An update found no event that a reader might see. */
    default void orphaned(StreamName stream) {}

    /**
     * A record was produced before a command deleted its stream, or is an end of an execution that ended nothing: the
     * present stream has started the execution anew, or no event of it came in time. It changed nothing (O-10).
     */
    default void late(StreamName stream, LateRecord record) {}

    /** A record went to the rejected topic. */
    default void rejected(RejectReason reason) {}

    /** A record failed in an unforeseen way; it goes to the rejected topic, now or when it comes again. */
    default void recordFailed(String topic, int partition, long offset, Throwable failure) {}

    /** The producer or the broker refused a record for that topic; its transaction was aborted. */
    default void unsent(String topic) {}

    /** A record was sent to the partition of its stream. */
    default void rekeyed() {}

    /** An event asked to be kept for ever where the policy does not allow it. */
    default void ttlRefused(StreamName stream) {}

    /**
     * An event was removed.
     *
     * @param bytes its size
     * @param latenessMs time from the moment it was due until its removal, in milliseconds; -1 if a cap took it
     */
    default void deleted(StreamName stream, RemovalCause cause, RemovalRule rule, long bytes, long latenessMs) {}

    /**
     * An undo has brought an event back.
     *
     * @param bytes its size
     */
    default void returned(StreamName stream, long bytes) {}

    /** A checkpoint of the audit was written. */
    default void checkpointed() {}

    /** A sweep that found something has ended, or a report was made of what a sweep would delete (M-16). */
    default void swept(SweepReport report) {}

    /**
     * The events that sweeps would delete were recounted.
     *
     * @param events number of events of the partition that stay only because the mode of their policy is {@code warn}
     */
    default void warned(int partition, long events) {}

    /** A sweep failed; its task fails with it and the sweep is tried again. */
    default void sweepFailed(int partition, Exception failure) {}

    /** Work on one stream failed: it is quarantined, and everything else goes on. */
    default void streamFailed(int partition, StreamName stream, Exception failure) {}

    /**
     * A damaged event of a deleted stream has gone without everything that belongs to a deletion.
     *
     * @param what the missing part, for people
     */
    default void eventDamaged(int partition, StreamName stream, String what) {}

    /**
     * A waiting record is lost: it is missing from the store, or damaged there; the records behind it go on.
     *
     * @param which a name of the record for people
     */
    default void parkedLost(int partition, String which) {}

    /**
     * An undo has refused records on the topic of the trash: the task of the partition has not sent them, or had taken
     * them out before.
     */
    default void trashForged(int partition, long records) {}

    /** An audit of the trash has failed; until the next one succeeds, missing records are not noticed. */
    default void trashUnread(int partition, String problem) {}

    /**
     * A command has ended, in the partition that leads it. Not called for a command that could not be read.
     *
     * @param result its result
     */
    default void commandEnded(CommandResult result) {}

    /**
     * A command was refused, and the refusal is not saved with the state: there was no room for the command, or it could
     * not be read. The same command may come again.
     *
     * @param result the refusal
     */
    default void commandRefused(int partition, CommandResult result) {}

    /** A command failed: its sender is informed, and everything else goes on. */
    default void commandFailed(int partition, String commandId, Exception failure) {}

    /**
     * The events of a stream were recounted.
     *
     * @param finding the reason for the recount
     * @param differences the figures that were wrong; empty if none were
     */
    default void usageRecounted(int partition, StreamName stream, String finding, List<String> differences) {}

    /**
     * All figures of the namespaces of a partition were recounted in idle slices.
     *
     * @param differences the figures that were wrong, for people; they are corrected. Empty if none were, which is the
     *     rule
     */
    default void figuresRecounted(int partition, List<String> differences) {}

    /** A task reports its status; about once a second. */
    default void taskStatus(TaskStatus status) {}

    /**
     * A task is as its last status says, except for the times of its sweeps; about once a second in place of the
     * status, since the cost of a resting task is that of its reports.
     *
     * @param sweepPointMs as in {@link TaskStatus}
     * @param sweepCompletedMs as in {@link TaskStatus}
     * @param nextSweepMs as in {@link TaskStatus}
     */
    default void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {}

    /**
     * The state of a task knows that many records of its audit, which a committed checkpoint covers: the topics of the
     * audit had them.
     */
    default void auditKnown(int partition, long records) {}

    /** The stores of a task are restored, and it begins to work on this instance. */
    default void taskStarted(int partition) {}

    /** A task has left this instance. */
    default void taskClosed(int partition) {}
}
