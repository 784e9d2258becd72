package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RejectedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Results of commands as Avro records and back. Stateless. */
final class ResultRecords {

    private static final Schema PART =
            EbbSchemas.COMMAND_RESULT.getField("parts").schema().getElementType();
    private static final FieldMap OUR_PART = FieldMap.of(PART, PART);

    private ResultRecords() {}

    static GenericRecord record(CommandResult result) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.COMMAND_RESULT);
        Refusal refusal = result.refusal();
        avro.put("commandId", result.commandId());
        avro.put("verb", result.verb());
        avro.put("state", result.state().name());
        avro.put("startedAt", result.startedMs());
        avro.put("updatedAt", result.updatedMs());
        avro.put("refusal", refusal == null ? null : refusal.name());
        avro.put("detail", result.detail());
        avro.put("dryRun", result.isDryRun());
        put(avro, result.counts());
        avro.put("wouldDelete", result.wouldDelete());
        avro.put("wouldDeleteBytes", result.wouldDeleteBytes());
        avro.put("parts", result.parts().stream().map(ResultRecords::record).toList());
        avro.put("partsLeftOut", result.partsLeftOut());
        avro.put("sweepPoint", result.sweepPointMs());
        avro.put("policyVersion", result.policyVersion());
        avro.put("fingerprint", result.fingerprint());
        return avro;
    }

    /** @throws RejectedException if a field is missing or cannot be understood */
    static CommandResult result(IndexedRecord avro, FieldMap map) {
        Fields fields = new Fields(avro, map, EbbSchemas.COMMAND_RESULT);
        String refusal = fields.text("refusal");
        return new CommandResult(
                fields.required("commandId"),
                fields.required("verb"),
                constant(CommandResult.State.class, "state", fields.required("state")),
                refusal == null ? null : constant(Refusal.class, "refusal", refusal),
                Objects.requireNonNullElse(fields.text("detail"), ""),
                Boolean.TRUE.equals(FieldValue.truth("dryRun", fields.get("dryRun"))),
                counts(fields),
                parts(fields.get("parts")),
                fields.count("partsLeftOut"),
                fields.number("sweepPoint"),
                fields.number("policyVersion"),
                fields.count("startedAt"),
                fields.count("updatedAt"),
                Objects.requireNonNullElse(fields.text("fingerprint"), ""));
    }

    private static void put(GenericRecord avro, CommandCounts counts) {
        avro.put("streamsProcessed", counts.streamsProcessed());
        avro.put("streamsDeleted", counts.streamsDeleted());
        avro.put("executionsDeleted", counts.executionsDeleted());
        avro.put("eventsDeleted", counts.eventsDeleted());
        avro.put("protectedEventsDeleted", counts.protectedEventsDeleted());
        avro.put("bytesDeleted", counts.bytesDeleted());
        Map<String, Long> skipped = new HashMap<>();
        counts.streamsSkipped().forEach((reason, streams) -> skipped.put(reason.name(), streams));
        avro.put("streamsSkipped", skipped);
        avro.put("rowsSent", counts.rowsSent());
        avro.put("rowsRemoved", counts.rowsRemoved());
        avro.put("recordsDropped", counts.recordsDropped());
    }

    private static GenericRecord record(CommandResult.Part part) {
        GenericRecord avro = new GenericData.Record(PART);
        avro.put("stream", part.stream());
        avro.put("cause", part.cause().name());
        avro.put("events", part.events());
        avro.put("bytes", part.bytes());
        return avro;
    }

    private static CommandCounts counts(Fields fields) {
        boolean isDryRun = Boolean.TRUE.equals(FieldValue.truth("dryRun", fields.get("dryRun")));
        return new CommandCounts(
                fields.count("streamsProcessed"),
                fields.count("streamsDeleted"),
                fields.count("executionsDeleted"),
                fields.count("eventsDeleted"),
                fields.count("protectedEventsDeleted"),
                fields.count("bytesDeleted"),
                skipped(fields.get("streamsSkipped")),
                fields.count("rowsSent"),
                fields.count("rowsRemoved"),
                fields.count("recordsDropped"),
                warned(fields.count("wouldDelete"), isDryRun ? fields.count("eventsDeleted") : 0),
                warned(fields.count("wouldDeleteBytes"), isDryRun ? fields.count("bytesDeleted") : 0));
    }

    /** The part of a count that mode {@code warn} kept; at least 0, since a former version wrote neither count. */
    private static long warned(long wouldDelete, long ofDryRun) {
        return Math.max(0, wouldDelete - ofDryRun);
    }

    private static Map<Refusal, Long> skipped(@Nullable Object value) {
        Map<Refusal, Long> skipped = new EnumMap<>(Refusal.class);
        if (value instanceof Map<?, ?> map) {
            map.forEach((reason, streams) -> skipped.put(
                    constant(Refusal.class, "streamsSkipped", String.valueOf(reason)),
                    Objects.requireNonNullElse(FieldValue.number("streamsSkipped", streams), 0L)));
        }
        return skipped;
    }

    private static List<CommandResult.Part> parts(@Nullable Object value) {
        List<CommandResult.Part> parts = new ArrayList<>();
        if (value instanceof Collection<?> records) {
            for (Object part : records) {
                if (part instanceof IndexedRecord avro) {
                    parts.add(part(avro));
                }
            }
        }
        return parts;
    }

    private static CommandResult.Part part(IndexedRecord avro) {
        Schema theirs = avro.getSchema();
        Fields fields = new Fields(avro, OUR_PART.isFor(theirs) ? OUR_PART : FieldMap.of(PART, theirs), PART);
        return new CommandResult.Part(
                fields.required("stream"),
                constant(RemovalCause.class, "cause", fields.required("cause")),
                fields.count("events"),
                fields.count("bytes"));
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String field, String name) {
        try {
            return Enum.valueOf(type, name);
        } catch (IllegalArgumentException e) {
            throw new RejectedException(
                    RejectReason.UNDECODABLE, field + " is '" + name + "', which is not known here");
        }
    }

    /** The fields of one record by our names for them. */
    private record Fields(IndexedRecord avro, FieldMap map, Schema ours) {

        @Nullable
        Object get(String name) {
            return map.get(avro, ours.getField(name));
        }

        @Nullable
        String text(String name) {
            return FieldValue.text(name, get(name));
        }

        String required(String name) {
            String text = text(name);
            if (text == null) {
                throw new RejectedException(RejectReason.UNDECODABLE, name + " is missing");
            }
            return text;
        }

        @Nullable
        Long number(String name) {
            return FieldValue.number(name, get(name));
        }

        long count(String name) {
            return Objects.requireNonNullElse(number(name), 0L);
        }
    }
}
