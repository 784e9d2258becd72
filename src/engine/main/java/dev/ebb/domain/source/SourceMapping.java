package dev.ebb.domain.source;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventRules;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.time.DateBound;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of the records of one source (F-2, F-4, F-5). Knows no Kafka and no format, reads no clock and keeps no
 * state; a record that does not fit is a value, not an exception. As thread-safe as its reader.
 *
 * @param source the source
 * @param reader reads the records in the formats of the source
 */
public record SourceMapping(Source source, SourceReader reader) {

    private static final byte[] NOTHING = {};
    private static final long NEVER_IN_THE_FUTURE = Long.MAX_VALUE / 2;

    /**
     * Returns the meaning of a record.
     *
     * @param nowMs the present time, epoch milliseconds: a time more than an hour ahead of it is a fault
     */
    public SourceOutcome map(SourceRecord record, long nowMs) {
        try {
            return source.isTable() ? row(record, nowMs) : entry(record, nowMs);
        } catch (SourceFaultException e) {
            return faulty(e.at(source.name(), record), record);
        } catch (UnreadablePartException e) {
            String part = new SourcePath(e.part(), List.of()).toString();
            String message = String.valueOf(e.getMessage());
            return faulty(
                    new SourceFault(RejectReason.SOURCE_CONVERTER, source.name(), record.at(), part, message), record);
        }
    }

    private SourceOutcome faulty(SourceFault fault, SourceRecord record) {
        byte[] key = record.key();
        EventId id =
                source.isTable() && key != null && key.length <= SourcePlace.MAX_KEY_BYTES ? SourceId.ofKey(key) : null;
        return new SourceOutcome.Faulty(fault, id);
    }

    private SourceOutcome row(SourceRecord record, long nowMs) {
        byte[] key = record.key();
        if (key == null) {
            throw fault(RejectReason.SOURCE_PATH, "key", "must be there in a table, found nothing");
        }
        if (key.length > SourcePlace.MAX_KEY_BYTES) {
            // The place of the record, which is the identity of the event, has to fit into the event.
            throw fault(
                    RejectReason.SOURCE_NAME,
                    "key",
                    "must have at most " + SourcePlace.MAX_KEY_BYTES + " bytes, has " + key.length);
        }
        EventId id = SourceId.ofKey(key);
        Long judged = TombstoneHeader.judgedOffset(record);
        if (judged != null) {
            return new SourceOutcome.Own(id, judged);
        }
        SourceContent content = reader.read(record);
        if (content.isDropped()) {
            return new SourceOutcome.Dropped();
        }
        return content.isGone() ? gone(id, content) : new SourceOutcome.Taken(event(id, content, nowMs));
    }

    private SourceOutcome gone(EventId id, SourceContent content) {
        return new SourceOutcome.Gone(id, source.isStreamNamedByKey() ? stream(content) : null);
    }

    private SourceOutcome entry(SourceRecord record, long nowMs) {
        SourceContent content = reader.read(record);
        if (content.isDropped()) {
            return new SourceOutcome.Dropped();
        }
        SourceTemplate id = source.fields().id();
        return new SourceOutcome.Taken(event(id == null ? SourceId.ofPlace(record) : id(id, content), content, nowMs));
    }

    private Event event(EventId id, SourceContent content, long nowMs) {
        SourceFields fields = source.fields();
        SourceRecord record = content.record();
        SourceStatus status = fields.status();
        SourceTime expiresAt = fields.expiresAt();
        Long endMs = expiresAt == null ? null : expiresAt.ms(content, DateBound.END);
        Event event = new Event(
                stream(content),
                id,
                text(fields.type(), content),
                status == null ? null : status.of(content),
                time(fields.occurredAt(), content),
                time(fields.completedAt(), content),
                endMs == null ? OwnTtl.NONE : OwnTtl.of(null, endMs, false),
                0,
                fields.correlationId() == null ? null : PlainText.at(fields.correlationId(), content),
                metadata(fields.metadata(), content),
                null,
                payload(record));
        check(event, record, nowMs);
        return event;
    }

    private byte[] payload(SourceRecord record) {
        byte[] value = record.value();
        return source.keep() == Source.Keep.REFERENCE || value == null ? NOTHING : value;
    }

    private StreamName stream(SourceContent content) {
        SourceTemplate template = source.fields().stream();
        String name = required(template, content);
        String problem = StreamName.problem(name);
        if (problem != null) {
            throw fault(RejectReason.SOURCE_NAME, "stream", problem);
        }
        return new StreamName(name);
    }

    private static EventId id(SourceTemplate template, SourceContent content) {
        String id = required(template, content);
        String problem = EventId.problem(id);
        if (problem != null) {
            throw fault(RejectReason.SOURCE_NAME, "id", problem);
        }
        return new EventId(id);
    }

    private static String required(SourceTemplate template, SourceContent content) {
        String text = template.text(content);
        if (text == null) {
            throw fault(
                    RejectReason.SOURCE_PATH,
                    String.valueOf(template.missing(content)),
                    "must be there, found nothing");
        }
        SourcePath empty = template.empty(content);
        if (empty != null) {
            // Records without the value would come together under the name that is left.
            throw fault(RejectReason.SOURCE_NAME, empty.toString(), "must not be empty");
        }
        return text;
    }

    private static String text(@Nullable SourceTemplate template, SourceContent content) {
        String text = template == null ? null : template.text(content);
        return text == null ? "" : text;
    }

    private static @Nullable Long time(@Nullable SourceTime time, SourceContent content) {
        return time == null ? null : time.ms(content, DateBound.BEGINNING);
    }

    private static Map<String, String> metadata(Map<String, SourcePath> paths, SourceContent content) {
        if (paths.isEmpty()) {
            return Map.of();
        }
        Map<String, String> metadata = new HashMap<>();
        paths.forEach((name, path) -> {
            String text = PlainText.at(path, content);
            if (text != null) {
                metadata.put(name, text);
            }
        });
        return metadata;
    }

    /** Checks the event by the rules for all events, whose words name values in some cases and so are not passed on. */
    private static void check(Event event, SourceRecord record, long nowMs) {
        if (record.timestampMs() < 0 && event.occurredAt() == null) {
            throw fault(
                    RejectReason.SOURCE_TYPE, "record.timestamp", "must be there without an occurredAt, found none");
        }
        long timestampMs = event.occurredAt() == null ? record.timestampMs() : event.occurredAt();
        Rejection texts = EventRules.problem(event, timestampMs, NEVER_IN_THE_FUTURE);
        if (texts != null) {
            throw fault(RejectReason.SOURCE_NAME, "event", texts.detail());
        }
        if (EventRules.problem(event, timestampMs, nowMs) != null) {
            throw fault(
                    RejectReason.SOURCE_TYPE,
                    event.occurredAt() == null ? "record.timestamp" : "occurredAt or completedAt",
                    "must not be more than an hour in the future");
        }
    }

    private static SourceFaultException fault(RejectReason reason, String path, String message) {
        return new SourceFaultException(reason, path, message);
    }
}
