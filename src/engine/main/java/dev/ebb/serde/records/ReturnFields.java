package dev.ebb.serde.records;

import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.Notice;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.serde.schemas.EbbSchemas;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** The outcome of an undo in the record of a result, in fields of its own. Stateless. */
final class ReturnFields {

    private static final String EVENTS = "eventsReturned";
    private static final String NOT_RETURNED = "notReturned";
    private static final String NAMED = "notReturnedNamed";
    private static final String STREAMS = "returnedStreams";
    private static final String NOTICE = "noticeUntil";

    private static final BoundRecord<UndoOutcome.Left> LEFT = new BoundRecord<>(
            EbbSchemas.COMMAND_RESULT.getField(NAMED).schema().getElementType(),
            ReturnFields::write,
            ReturnFields::left);

    private ReturnFields() {}

    static void write(@Nullable UndoOutcome undo, GenericRecord avro) {
        UndoOutcome written = Objects.requireNonNullElse(undo, UndoOutcome.NOTHING);
        avro.put(EVENTS, undo == null ? null : undo.events());
        avro.put("bytesReturned", written.bytes());
        avro.put("streamsReturned", written.streams());
        avro.put("executionsReturned", written.executions());
        Map<String, Long> notReturned = new HashMap<>();
        written.notReturned().forEach((reason, events) -> notReturned.put(reason.name(), events));
        avro.put(NOT_RETURNED, notReturned);
        avro.put(NAMED, written.named().stream().map(LEFT::write).toList());
        avro.put(STREAMS, written.streamNames());
        Notice notice = written.notice();
        avro.put(NOTICE, notice == null ? null : notice.untilMs());
        avro.put("dueAfterNotice", notice == null ? 0 : notice.dueThen());
        avro.put("firstDueAt", notice == null ? null : notice.firstDueMs());
    }

    private static void write(UndoOutcome.Left left, GenericRecord avro) {
        avro.put("stream", left.stream());
        avro.put("id", left.id());
        avro.put("reason", left.reason().name());
    }

    /** Returns the outcome; null if the command was not an undo. */
    static @Nullable UndoOutcome read(Fields fields) {
        Long events = fields.number(EVENTS);
        if (events == null) {
            return null;
        }
        List<UndoOutcome.Left> named =
                fields.elements(NAMED).map(left -> LEFT.read(NAMED, left)).toList();
        return new UndoOutcome(
                events,
                fields.count("bytesReturned"),
                fields.count("streamsReturned"),
                fields.count("executionsReturned"),
                notReturned(fields),
                named,
                fields.elements(STREAMS)
                        .map(stream -> Objects.requireNonNull(FieldValue.text(STREAMS, stream)))
                        .toList(),
                notice(fields));
    }

    private static @Nullable Notice notice(Fields fields) {
        Long untilMs = fields.number(NOTICE);
        return untilMs == null
                ? null
                : new Notice(untilMs, fields.count("dueAfterNotice"), fields.number("firstDueAt"));
    }

    private static UndoOutcome.Left left(Fields fields) {
        return new UndoOutcome.Left(
                fields.givenText("stream"),
                fields.givenText("id"),
                FieldValue.constant(NotReturned.class, "reason", fields.given("reason")));
    }

    private static Map<NotReturned, Long> notReturned(Fields fields) {
        Map<NotReturned, Long> left = new EnumMap<>(NotReturned.class);
        fields.map(NOT_RETURNED)
                .forEach((reason, events) -> left.put(
                        FieldValue.constant(NotReturned.class, NOT_RETURNED, reason),
                        Objects.requireNonNull(FieldValue.number(NOT_RETURNED, events))));
        return left;
    }
}
