package dev.ebb.domain.retention;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySource;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.PolicyChange;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An audit record (O-3): a run of deletes or of returns, a repair, or a change of a policy. Texts are as they were
 * written, also by a newer version. Times are epoch milliseconds.
 *
 * @param auditId identifies the record; unique over all partitions
 * @param action the action: {@link #DELETE}, {@link #MIRROR_REPAIRED}, {@link #USAGE_REPAIRED}, {@link #ROWS_REMOVED}, {@link
 *     #LOG_RAISED}, {@link #SOURCE_RESET}, {@link #ERASED}, {@link #RESTORE}, {@link #DONE} or one of {@link PolicyChange.Action}
 * @param atMs the time of the action
 * @param scope the scope of the policy that applied or that changed; {@code event} for an own TTL, {@code command} for
 *     a command, {@code usage} for corrected figures
 * @param sweepId the sweep that deleted; null if there is none
 * @param commandId the command that asked for the action; null if there is none
 * @param stream the stream of the events; null if a policy changed
 * @param cause the cause of the deletes; null if there were none
 * @param policyVersion the version of the policy; -1 if it is built in, the version of the whole set for an own TTL;
 *     null if none is concerned
 * @param eventIds the ids of the events in the order in which they were deleted or came back, or of the repaired rows;
 *     at most 1000
 * @param bytes size of these events, in bytes
 * @param oldestAnchorMs the oldest anchor of these events; null if there are none
 * @param newestAnchorMs the newest anchor of these events; null if there are none
 * @param policy the policy after a change, or the account of an erasure, as JSON; null if there is none
 * @param actor the person who asked for the action; empty if there is none
 * @param reason the reason of that person, or of a repair; empty if not named
 * @param undoUntilMs the first millisecond at which the deletes can no longer be undone; null if they are final
 * @param undoes the sweep or command whose deletes an undo has taken back; null for every other action
 * @param total number of all events that a command has deleted or brought back, over all partitions, or of the events
 *     whose rows go; null unless the command is done and the number is known
 * @param commandRecord the place of that command among all commands, {@code partition/offset}, which tells it from
 *     another one of the same id; null if there is none
 */
public record AuditRecord(
        String auditId,
        String action,
        long atMs,
        String scope,
        @Nullable String sweepId,
        @Nullable String commandId,
        @Nullable String stream,
        @Nullable String cause,
        @Nullable Long policyVersion,
        List<String> eventIds,
        long bytes,
        @Nullable Long oldestAnchorMs,
        @Nullable Long newestAnchorMs,
        @Nullable String policy,
        String actor,
        String reason,
        @Nullable Long undoUntilMs,
        @Nullable String undoes,
        @Nullable Long total,
        @Nullable String commandRecord) {

    /** Action of a run of deletes. */
    public static final String DELETE = "DELETE";

    /** Action of a command that sent rows of the SQL mirror again. */
    public static final String MIRROR_REPAIRED = "MIRROR_REPAIRED";

    /** Action of a correction of the figures kept for a stream. */
    public static final String USAGE_REPAIRED = "USAGE_REPAIRED";

    /** Action of a start of a log that moves, before which all records go from the topic (F-8). */
    public static final String LOG_RAISED = "LOG_RAISED";

    /** Action of a person who moves the place from which a source is read (F-10). */
    public static final String SOURCE_RESET = "SOURCE_RESET";

    /** Action of a policy that wants no rows of a stream in SQL (F-13); no event is deleted. */
    public static final String ROWS_REMOVED = "ROWS_REMOVED";

    /** Action of a finished erasure. */
    public static final String ERASED = "ERASED";

    /** Action of an undo that brought back a run of events. */
    public static final String RESTORE = "RESTORE";

    /** Action of the end of a command that has deleted events or copies, brought events back, or repaired rows. */
    public static final String DONE = "DONE";

    /**
     * Maximum length of the detail of a repair, in characters; a stream may have many executions with wrong figures.
     */
    public static final int MOST_CHARACTERS = 2000;

    /** Maximum length of the note at the end of a shortened text, in characters. */
    private static final int NOTE_CHARACTERS = 40;

    public AuditRecord {
        eventIds = List.copyOf(eventIds);
    }

    /** Creates the record of a run of final deletes of one stream with one cause and policy version in one sweep. */
    public AuditRecord(
            String auditId,
            Origin origin,
            StreamName stream,
            RemovalCause cause,
            String scope,
            long policyVersion,
            List<String> eventIds,
            long bytes,
            long oldestAnchorMs,
            long newestAnchorMs,
            long deletedAtMs) {
        this(
                auditId,
                DELETE,
                deletedAtMs,
                scope,
                orNull(origin.sweepId()),
                orNull(origin.commandId()),
                stream.value(),
                cause.name(),
                policyVersion,
                eventIds,
                bytes,
                oldestAnchorMs,
                newestAnchorMs,
                null,
                origin.actor(),
                origin.reason(),
                null,
                null,
                null,
                orNull(origin.commandRecord()));
    }

    /** Returns this record of deletes that can be undone until then, epoch milliseconds. */
    public AuditRecord undoableUntil(long untilMs) {
        return new AuditRecord(
                auditId,
                action,
                atMs,
                scope,
                sweepId,
                commandId,
                stream,
                cause,
                policyVersion,
                eventIds,
                bytes,
                oldestAnchorMs,
                newestAnchorMs,
                policy,
                actor,
                reason,
                untilMs,
                undoes,
                total,
                commandRecord);
    }

    /**
     * Returns the record of a repair of rows of the SQL mirror by a command, which changed no event.
     *
     * @param eventIds the ids in the keys of the rows, whether sent or removed; at most 1000
     */
    public static AuditRecord ofMirrorRepair(
            String auditId, Origin origin, StreamName stream, List<String> eventIds, long atMs) {
        return withoutDelete(auditId, MIRROR_REPAIRED, atMs, "command", origin, stream, eventIds, null, null);
    }

    /**
     * Returns the record of the removal of all rows of a stream from SQL, since its policy wants none (F-13); no event
     * was changed.
     *
     * @param choice the scope whose policy says so
     * @param policy the record of that scope; null if there is none
     * @param events number of the events whose rows go
     */
    public static AuditRecord ofRows(
            String auditId,
            StreamName stream,
            PolicySource choice,
            @Nullable RetentionPolicy policy,
            long events,
            long atMs) {
        return new AuditRecord(
                auditId,
                ROWS_REMOVED,
                atMs,
                choice.scope().toString(),
                null,
                null,
                stream.value(),
                null,
                choice.version(),
                List.of(),
                0,
                null,
                null,
                null,
                policy == null ? "" : Objects.requireNonNullElse(policy.updatedBy(), ""),
                policy == null ? "" : Objects.requireNonNullElse(policy.reason(), ""),
                null,
                null,
                events,
                null);
    }

    /**
     * Returns the record of a correction of the figures kept for a stream, which disagreed with its events; no event
     * was changed.
     *
     * @param detail the figures before and after, for people; at most {@link #MOST_CHARACTERS} characters are kept
     */
    public static AuditRecord ofUsageRepair(String auditId, StreamName stream, String detail, long atMs) {
        String kept =
                detail.length() <= MOST_CHARACTERS ? detail : Shortened.to(MOST_CHARACTERS - NOTE_CHARACTERS, detail);
        Origin origin = Origin.ofPerson("", kept);
        return withoutDelete(auditId, USAGE_REPAIRED, atMs, "usage", origin, stream, List.of(), null, null);
    }

    /**
     * Returns the record of a place on the topic of a source that is about to move.
     *
     * @param action {@link #LOG_RAISED} or {@link #SOURCE_RESET}
     * @param scope names the source
     * @param origin the person, if there is one, and the former and the new place
     */
    public static AuditRecord ofSource(String action, String auditId, String scope, Origin origin, long atMs) {
        Origin told = Origin.ofPerson(origin.actor(), Shortened.to(MOST_CHARACTERS, origin.reason()));
        return withoutDelete(auditId, action, atMs, scope, told, null, List.of(), null, null);
    }

    /**
     * Returns the record of a finished erasure.
     *
     * @param scope names the case of the erasure
     * @param account the places where bytes of the events may remain, and until when, as JSON
     */
    public static AuditRecord ofErasure(String auditId, Origin origin, String scope, String account, long atMs) {
        return withoutDelete(auditId, ERASED, atMs, scope, origin, null, List.of(), null, account);
    }

    /**
     * Returns the record of the end of a command (T-17): without it a left-out record could not be noticed.
     *
     * @param undoes the command whose deletes it has taken back, and no others; null for any other command
     * @param total number of all events that the command has deleted or brought back; null if it ended while partitions
     *     were at work, so the number is not known
     */
    public static AuditRecord ofEnd(
            String auditId, Origin origin, @Nullable String undoes, @Nullable Long total, long atMs) {
        return new AuditRecord(
                auditId,
                DONE,
                atMs,
                "command",
                null,
                orNull(origin.commandId()),
                null,
                null,
                null,
                List.of(),
                0,
                null,
                null,
                null,
                origin.actor(),
                origin.reason(),
                null,
                undoes,
                total,
                orNull(origin.commandRecord()));
    }

    /**
     * Returns the record of a run of events of one stream that an undo has brought back.
     *
     * @param undoes the sweep or command that had deleted the events
     * @param eventIds the ids of the events in the order of their return; at most 1000
     * @param bytes size of these events, in bytes
     * @param oldestAnchorMs the oldest anchor of these events
     * @param newestAnchorMs the newest anchor of these events
     */
    public static AuditRecord ofRestore(
            String auditId,
            Origin origin,
            String undoes,
            StreamName stream,
            List<String> eventIds,
            long bytes,
            long oldestAnchorMs,
            long newestAnchorMs,
            long atMs) {
        return new AuditRecord(
                auditId,
                RESTORE,
                atMs,
                "command",
                null,
                orNull(origin.commandId()),
                stream.value(),
                null,
                null,
                eventIds,
                bytes,
                oldestAnchorMs,
                newestAnchorMs,
                null,
                origin.actor(),
                origin.reason(),
                null,
                orNull(undoes),
                null,
                orNull(origin.commandRecord()));
    }

    /**
     * Returns the record of a policy or hold that came into force or went out of force, or of the confirmation of such
     * a change.
     *
     * @param policy the policy or hold in force now, as JSON; null if there is none, and for a confirmation
     */
    public static AuditRecord ofPolicyChange(PolicyChange change, @Nullable String policy) {
        Origin origin = Origin.ofPerson(change.actor(), change.reason());
        String scope = change.key().toString();
        return withoutDelete(
                change.auditId(),
                change.action().name(),
                change.changedAtMs(),
                scope,
                origin,
                null,
                List.of(),
                change.version(),
                policy);
    }

    private static AuditRecord withoutDelete(
            String auditId,
            String action,
            long atMs,
            String scope,
            Origin origin,
            @Nullable StreamName stream,
            List<String> eventIds,
            @Nullable Long policyVersion,
            @Nullable String policy) {
        return new AuditRecord(
                auditId,
                action,
                atMs,
                scope,
                null,
                orNull(origin.commandId()),
                stream == null ? null : stream.value(),
                null,
                policyVersion,
                eventIds,
                0,
                null,
                null,
                policy,
                origin.actor(),
                origin.reason(),
                null,
                null,
                null,
                orNull(origin.commandRecord()));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Returns true if this is a record of the sweep or command, or of an undo of its deletes. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId) || sweepOrCommand.equals(undoes);
    }
}
