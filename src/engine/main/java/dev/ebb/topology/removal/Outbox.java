package dev.ebb.topology.removal;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.UndoTerms;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.rocks.Guarantee;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.receipt.AuditTree;
import dev.ebb.topology.source.SourceReturn;
import dev.ebb.topology.source.SourceTargets;
import dev.ebb.topology.trash.Trash;
import dev.ebb.topology.trash.TrashBook;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.HoldConfirmations;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.PromptCommit;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Rejects;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Outbox of all records that leave a task of the events: one method for each kind of record, each with its sink. Each
 * method throws {@code TooBigToSendException} for a record that its topic would not accept. Not thread-safe.
 */
public final class Outbox {

    private static final byte[] NO_KEY = {};

    private final ProcessorContext<Addressed, byte[]> context;
    private final RecordLimits limits;
    private final RecordWriter writer;
    private final MirrorRows rows;
    private final int partition;
    private final PromptCommit commits;
    private final AuditTree tree;
    private final boolean isMirrored;
    private final Trash trash;
    private final AuditRows auditRows;
    private final SourceTargets sources;

    /**
     * @param sources the topics to which deletes of events of sources send tombstones
     * @param terms the terms under which deletes can be undone
     * @param book counts deletes that can be undone
     */
    public Outbox(
            ProcessorContext<Addressed, byte[]> context,
            RecordWriter writer,
            MirrorRows rows,
            RecordLimits limits,
            AuditTree tree,
            SourceTargets sources,
            UndoTerms terms,
            TrashBook book) {
        this.context = context;
        this.tree = tree;
        this.sources = sources;
        this.limits = limits;
        this.writer = writer;
        this.rows = rows;
        this.partition = context.taskId().partition();
        this.commits = new PromptCommit(context);
        this.isMirrored = rows.hasEvents();
        this.auditRows = new AuditRows(
                !isMirrored && Guarantee.isExactlyOnce(context.appConfigs()),
                (key, value, timestampMs) ->
                        forward(Nodes.AUDIT_MIRROR_SINK, key, value, timestampMs, new RecordHeaders()));
        this.trash = new Trash(
                terms,
                book,
                (key, value, timestampMs, headers) -> forward(Nodes.TRASH_SINK, key, value, timestampMs, headers));
    }

    /** Returns the limits on the size of records that are sent here. */
    public RecordLimits limits() {
        return limits;
    }

    /** Returns the trash of the partition. */
    public Trash trash() {
        return trash;
    }

    /** Returns the row of an event as it is now, for the mirror topic; none if the topic is off. */
    public MirrorRow row(StoredEvent event) {
        if (!isMirrored) {
            return MirrorRow.NONE;
        }
        byte[] key = rows.eventKey(
                event.storedAt(),
                event.event().stream().value(),
                event.event().id().value());
        return new MirrorRow(key, rows.eventRow(event));
    }

    /**
     * Sends the row of an event, which is in the log already; while its stream loses its rows in SQL, the removal of the
     * row (F-13).
     */
    public void mirror(StreamState stream, MirrorRow row, long timestampMs) {
        if (stream.mayHaveRows()) {
            mirror(row.key(), stream.hasRows() ? row.value() : null, new RecordHeaders(), timestampMs);
        } else {
            commits.sent();
        }
    }

    private void mirror(byte[] key, byte @Nullable [] row, Headers headers, long timestampMs) {
        if (isMirrored) {
            forward(Nodes.MIRROR_SINK, key, row, timestampMs, headers);
        } else {
            commits.sent();
        }
    }

    /** Saves the counts, and sends what waits for the commit; must be called before the transaction ends. */
    public void flush() {
        auditRows.flush();
        trash.book().flush();
        commits.ends();
    }

    /** @param reason headers that give the reason; equal ones should be one object */
    void mirrorDelete(StreamName stream, EventHeader event, Headers reason, long nowMs) {
        byte[] key = isMirrored ? rows.eventKey(event.storedAt(), stream.value(), event.id()) : NO_KEY;
        mirror(key, null, reason, nowMs);
    }

    /**
     * Removes a row that SQL has and should not have.
     *
     * @param row the key of the row in SQL
     * @param reason the headers that name the command
     */
    public void mirrorDelete(StreamName stream, RowKey row, Headers reason, long nowMs) {
        mirror(rows.eventKey(row.instant(), stream.value(), row.eventId()), null, reason, nowMs);
    }

    /** Sends the removal of the row of an execution that is gone. */
    public void mirrorExecutionDelete(StreamName stream, long execution, long nowMs) {
        byte[] key = rows.executionKey(stream, execution);
        forward(Nodes.EXECUTION_MIRROR_SINK, key, null, nowMs, new RecordHeaders());
    }

    /** Sends the row of an execution as it is now. */
    public void mirrorExecution(StreamName stream, ExecutionChange change, long timestampMs) {
        byte[] key = rows.executionKey(stream, change.execution().number());
        byte[] row = rows.executionRow(stream, change.execution(), change.parent());
        forward(Nodes.EXECUTION_MIRROR_SINK, key, row, timestampMs, new RecordHeaders());
    }

    /** Returns the topics to which deletes of events of sources send tombstones. */
    public SourceTargets sources() {
        return sources;
    }

    /**
     * Deletes the record from which the event was made: with a null value under its key, byte for byte, in its
     * partition (F-6). Sends nothing unless the event is of a source that wants it.
     */
    void tombstone(Removed removed, RemovalRule rule, long policyVersion, Origin origin, long nowMs) {
        SourceTargets.Target target = targetOf(removed);
        SourcePlace place =
                target == null ? null : SourcePlace.of(removed.stored().event());
        if (target != null && place != null) {
            Addressed address = new Addressed(place.key(), place.partition(), target.topic());
            Headers headers = Tombstones.headers(removed, rule, policyVersion, origin, place);
            forward(Nodes.TOMBSTONES_SINK, address, null, nowMs, headers);
        }
    }

    /** Returns the target that the removal of the event sends a tombstone to; null if there is none. */
    private SourceTargets.@Nullable Target targetOf(Removed removed) {
        SourceTargets.Target target = removed.cause().reachesTopic() ? sources.of(removed.stream()) : null;
        SourcePlace place =
                target == null ? null : SourcePlace.of(removed.stored().event());
        return target != null && place != null && target.takes(place) ? target : null;
    }

    /**
     * Returns true if no undo can bring the event back, because the bytes of its row are on the topic of its source
     * alone, and go from there, at once or with the start of the log (F-9).
     */
    boolean isFinal(Removed removed) {
        SourceTargets.Target target = targetOf(removed);
        Source source = target == null ? cutLogOf(removed) : target.source();
        return source != null && source.keep() == Source.Keep.REFERENCE;
    }

    private @Nullable Source cutLogOf(Removed removed) {
        Source log = removed.cause().reachesTopic() ? sources.cutLogOf(removed.stream()) : null;
        return log == null || SourcePlace.of(removed.stored().event()) == null ? null : log;
    }

    /** Returns false while a newer version of the row may be on its way, which a row that comes back would hide. */
    public boolean mayReturn(StoredEvent event) {
        SourceTargets.Target target = sources.of(event.event().stream());
        return target == null
                || SourcePlace.of(event.event()) == null
                || target.state() == SourceTargets.State.READY
                || target.state() == SourceTargets.State.REFUSED;
    }

    /**
     * Sends the row of an event that comes back to the topic of its source, under its key (F-9). Sends nothing unless
     * its delete went there, and its bytes were kept.
     */
    public void returnRow(StoredEvent back, Origin undo, long nowMs) {
        Event event = back.event();
        SourceTargets.Target target = sources.of(event.stream());
        SourcePlace place = target == null ? null : SourcePlace.of(event);
        if (target != null
                && place != null
                && target.takes(place)
                && target.source().keep() == Source.Keep.PAYLOAD) {
            Addressed address = new Addressed(
                    place.key(), place.partition(), target.source().topic());
            Headers headers = SourceReturn.headers(place, undo.commandId());
            forward(Nodes.TOMBSTONES_SINK, address, event.payload(), nowMs, headers);
        }
    }

    /** Sends the whole event to the archive (O-3). */
    void archive(Removed removed, RemovalRule rule, Origin origin, long nowMs) {
        boolean isByCommand = removed.cause().isCommand();
        ArchivedEvent copy = new ArchivedEvent(
                removed.stored(),
                nowMs,
                removed.cause(),
                isByCommand ? "" : rule.scope(),
                isByCommand ? null : (Long) rule.policyVersion(),
                orNull(origin.sweepId()),
                orNull(origin.commandId()));
        byte[] key = copy.recordKey().getBytes(StandardCharsets.UTF_8);
        forward(Nodes.ARCHIVE_SINK, key, writer.archived(copy), nowMs, new RecordHeaders());
    }

    /** Removes a copy: after the compaction of its topic nothing of the copy is left. */
    public void eraseCopy(Copies.Copy copy, long nowMs) {
        switch (copy.kind()) {
            case ARCHIVE -> forward(Nodes.ARCHIVE_SINK, copy.key(), null, nowMs, new RecordHeaders());
            case TRASH -> trash.takeOut(copy.key(), copy.offset(), deletionOf(copy), "", nowMs);
        }
        Copies.Waiting waiting = copy.waiting();
        if (waiting != null) {
            trash.book().takeOff(copy.stream(), waiting.deletion(), waiting.bytes());
        }
    }

    private static @Nullable Deletion deletionOf(Copies.Copy copy) {
        Copies.Waiting waiting = copy.waiting();
        return waiting == null ? null : waiting.deletion();
    }

    /** Sends a question, an order or an answer to a partition on behalf of a command. */
    public void errand(Errand errand, int toPartition, long nowMs) {
        byte[] key = errand.commandId().getBytes(StandardCharsets.UTF_8);
        Addressed address = new Addressed(key, toPartition);
        forward(Nodes.COMMANDS_SINK, address, writer.errand(errand), nowMs, new RecordHeaders());
        commits.want(nowMs);
    }

    /** Sends an answer to the policy gate. */
    public void assessment(Errand answer, long nowMs) {
        byte[] key = answer.commandId().getBytes(StandardCharsets.UTF_8);
        forward(Nodes.ASSESSMENTS_SINK, key, writer.errand(answer), nowMs, new RecordHeaders());
        commits.want(nowMs);
    }

    /**
     * Confirms that this partition acts on all holds up to that offset of the topic of accepted policies, wherever it
     * moves.
     */
    public void holdsConfirmed(long offset, long nowMs) {
        result(HoldConfirmations.of(partition, offset, nowMs), nowMs);
    }

    /**
     * Returns the reason why a command cannot be passed on; null if it can. The correct key may be longer than the
     * original one.
     */
    @Nullable
    public Rejection problemOfPassingOn(InputRecord command, byte[] key) {
        long bytes = RecordLimits.bytes(key, command.value(), command.headers());
        int most = limits.sentBytes(Nodes.COMMANDS_SINK);
        return bytes <= most
                ? null
                : new Rejection(
                        RejectReason.TOO_BIG,
                        "the record has " + bytes + " bytes under the key of its stream, at most " + most
                                + " can be sent to its partition");
    }

    /** Sends a command to the partition of its stream. */
    public void passOn(InputRecord command, byte[] key, int toPartition) {
        Addressed address = new Addressed(key, toPartition);
        forward(Nodes.COMMANDS_SINK, address, command.value(), command.timestampMs(), command.headers());
    }

    /** Sends the result of a command, or its progress. */
    public void result(CommandResult result, long nowMs) {
        byte[] key = result.commandId().getBytes(StandardCharsets.UTF_8);
        forward(Nodes.RESULTS_SINK, key, writer.result(result), nowMs, new RecordHeaders());
        commits.want(nowMs);
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Sends a record of the audit, and its row; the end of a command has none, since SQL shows what it did. */
    public void audit(AuditRecord audit) {
        byte[] key = Objects.requireNonNullElse(audit.stream(), audit.auditId()).getBytes(StandardCharsets.UTF_8);
        byte[] record = writer.audit(audit);
        byte[] row = audit.action().equals(AuditRecord.DONE) ? null : rows.auditRow(audit);
        AuditTree.Leaf leaf = tree.leaf(record);
        forward(Nodes.AUDIT_SINK, key, record, audit.atMs(), leaf.headers());
        tree.add(leaf);
        if (row != null) {
            auditRows.add(rows.auditKey(audit.auditId()), row, audit.atMs());
        }
    }

    /** Returns the time of the next checkpoint of the audit; {@link Long#MAX_VALUE} if all of it has a checkpoint. */
    public long nextCheckpointMs() {
        return tree.nextMs();
    }

    /** Returns the number of audit records that the last checkpoint covers. */
    public long closedAuditRecords() {
        return tree.closedLeaves();
    }

    /** Sends a checkpoint of the audit if it is time for one; returns true if it was. */
    public boolean checkpoint(long nowMs) {
        AuditTree.Closed closed = tree.close(nowMs);
        if (closed != null) {
            forward(Nodes.CHECKPOINTS_SINK, closed.key(), closed.note(), nowMs, closed.headers());
        }
        return closed != null;
    }

    public void report(SweepReport report) {
        byte[] key = report.sweepId().getBytes(StandardCharsets.UTF_8);
        forward(Nodes.REPORTS_SINK, key, writer.report(report), report.completedMs(), new RecordHeaders());
    }

    /** Sends the record to the rejected topic: unchanged, or without the parts that do not fit. */
    public void reject(InputRecord record, Rejection rejection) {
        context.forward(Rejects.of(record, rejection, partition, limits), Nodes.REJECTED_SINK);
    }

    /** Sends the record to the partition in which its stream lives. */
    public void rekey(InputRecord record, StreamName stream, int partitionOfStream) {
        byte[] key = stream.value().getBytes(StandardCharsets.UTF_8);
        Addressed address = new Addressed(key, partitionOfStream);
        forward(Nodes.REKEY_SINK, address, record.value(), record.timestampMs(), record.headers());
    }

    /** Returns the commits that readers wait for. */
    public PromptCommit commits() {
        return commits;
    }

    private void forward(
            String sink, byte @Nullable [] key, byte @Nullable [] value, long timestampMs, Headers headers) {
        forward(sink, new Addressed(key, partition), value, timestampMs, headers);
    }

    private void forward(String sink, Addressed key, byte @Nullable [] value, long timestampMs, Headers headers) {
        limits.require(sink, key.key(), value, headers);
        context.forward(new Record<>(key, value, timestampMs, headers), sink);
        commits.sent();
    }
}
