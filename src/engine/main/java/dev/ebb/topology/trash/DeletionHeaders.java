package dev.ebb.topology.trash;

import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Account of a deletion in the headers of its records in the trash, which are read without their values. Stateless. */
public final class DeletionHeaders {

    private DeletionHeaders() {}

    /** Returns the headers of a deletion. */
    public static Headers of(Deletion deletion) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CAUSE, deletion.cause().name());
        EbbHeaders.set(headers, EbbHeaders.SCOPE, deletion.scope());
        EbbHeaders.set(headers, EbbHeaders.POLICY_VERSION, deletion.policyVersion());
        deletion.formerChanges()
                .forEach(change -> headers.add(EbbHeaders.FORMER_CHANGE, change.getBytes(StandardCharsets.UTF_8)));
        EbbHeaders.set(headers, EbbHeaders.CHANGE, deletion.change());
        EbbHeaders.set(headers, EbbHeaders.SWEEP_ID, deletion.sweepId());
        EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, deletion.commandId());
        EbbHeaders.set(headers, EbbHeaders.DELETED_AT, deletion.deletedAtMs());
        EbbHeaders.set(headers, EbbHeaders.UNDO_UNTIL, deletion.untilMs());
        headers.setReadOnly();
        return headers;
    }

    /** Returns the headers of a deletion from the stream with this number. */
    static Headers ofStream(int sid, Headers headers) {
        RecordHeaders numbered = new RecordHeaders(headers.toArray());
        EbbHeaders.set(numbered, EbbHeaders.STREAM_NUMBER, sid);
        numbered.setReadOnly();
        return numbered;
    }

    /** Returns the number of the stream of the deletion; 0 if it is not known. */
    static int sid(Headers headers) {
        return (int) EbbHeaders.number(headers, EbbHeaders.STREAM_NUMBER, 0);
    }

    /** Returns the headers of a deletion for events of that execution, which an undo may find gone. */
    static Headers with(RemovedExecution execution, Headers headers) {
        RecordHeaders carrying = new RecordHeaders(headers.toArray());
        carrying.add(EbbHeaders.EXECUTION, execution.encodeNumbered());
        carrying.setReadOnly();
        return carrying;
    }

    /** Returns the bytes of the execution of a deleted event, its number first; null if it was never declared. */
    public static byte @Nullable [] execution(Headers headers) {
        Header carried = headers.lastHeader(EbbHeaders.EXECUTION);
        return carried == null ? null : carried.value();
    }

    /** @throws IllegalArgumentException if the headers are not those of a deletion */
    public static Deletion read(Headers headers) {
        return new Deletion(
                RemovalCause.valueOf(text(headers, EbbHeaders.CAUSE)),
                text(headers, EbbHeaders.SCOPE),
                EbbHeaders.number(headers, EbbHeaders.POLICY_VERSION, RemovalRule.BUILT_IN),
                text(headers, EbbHeaders.CHANGE),
                EbbHeaders.texts(headers, EbbHeaders.FORMER_CHANGE),
                text(headers, EbbHeaders.SWEEP_ID),
                text(headers, EbbHeaders.COMMAND_ID),
                EbbHeaders.number(headers, EbbHeaders.DELETED_AT, 0),
                EbbHeaders.number(headers, EbbHeaders.UNDO_UNTIL, 0));
    }

    private static String text(Headers headers, String name) {
        String text = EbbHeaders.text(headers, name);
        return text == null ? "" : text;
    }
}
