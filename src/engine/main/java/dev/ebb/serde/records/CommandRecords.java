package dev.ebb.serde.records;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.CommandField;
import dev.ebb.serde.text.CommandParser;
import dev.ebb.serde.text.ParsedCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Commands as Avro records and back. Stateless. */
final class CommandRecords {

    private CommandRecords() {}

    /** The command of a record; for an invalid record every fault is named. */
    static DecodedCommand command(IndexedRecord avro, FieldMap map) {
        Map<String, Object> values = values(avro, map);
        ParsedCommand parsed = CommandParser.parse(values);
        return parsed.request()
                .<DecodedCommand>map(DecodedCommand.Good::new)
                .orElseGet(() -> new DecodedCommand.Bad(
                        text(values, CommandField.COMMAND_ID),
                        text(values, CommandField.VERB),
                        new Rejection(RejectReason.BAD_COMMAND, parsed.detail())));
    }

    static GenericRecord record(CommandRequest request) {
        Command command = request.command();
        GenericRecord avro = new GenericRecordBuilder(EbbSchemas.COMMAND)
                .set("commandId", request.commandId())
                .set("verb", command.verb())
                .set("actor", request.actor())
                .set("reason", request.reason())
                .set("dryRun", request.isDryRun())
                .set("maxDeletes", request.maxDeletes())
                .build();
        if (command instanceof Command.OfStream one) {
            avro.put("stream", one.stream().value());
        }
        put(avro, command);
        return avro;
    }

    private static void put(GenericRecord avro, Command command) {
        if (command instanceof Command.DeleteStream delete) {
            avro.put("force", delete.isForced());
        } else if (command instanceof Command.PurgeStreams purge) {
            put(avro, purge.filter(), "completedBefore");
        } else if (command instanceof Command.PruneStream prune) {
            put(avro, prune.condition());
        } else if (command instanceof Command.PruneStreams prune) {
            put(avro, prune.filter(), "streamCompletedBefore");
            put(avro, prune.condition());
            avro.put("includeOpen", prune.includesOpen());
        } else if (command instanceof Command.DeleteEvent delete) {
            avro.put("eventId", delete.id().value());
            avro.put("force", delete.isForced());
        } else if (command instanceof Command.SetTtl ttl) {
            put(avro, ttl);
        } else if (command instanceof Command.RepairMirror repair) {
            avro.put("rows", repair.rows().stream().map(RowKey::toString).toList());
            avro.put("executions", repair.executions());
        } else if (command instanceof Command.SweepNow sweep) {
            avro.put("scope", sweep.scope().toString());
            avro.put("at", sweep.atMs());
            avro.put("policies", sweep.policies());
            avro.put("prunePolicies", sweep.prunesPolicies());
        } else if (command instanceof Command.OfParked parked) {
            avro.put("stream", parked.stream() == null ? null : parked.stream().value());
            avro.put("schema", parked.schema());
            avro.put("record", parked instanceof Command.DropParked drop ? drop.record() : null);
        }
    }

    private static void put(GenericRecord avro, StreamFilter filter, String completedBefore) {
        List<StreamName> streams = filter.streams();
        avro.put(
                "streams",
                streams == null ? null : streams.stream().map(StreamName::value).toList());
        avro.put(completedBefore, filter.completedBeforeMs());
        avro.put("namespace", filter.namespace());
        avro.put("limit", filter.limit());
        avro.put("all", filter.isAll());
    }

    private static void put(GenericRecord avro, PruneCondition condition) {
        avro.put("keepLast", condition.keepLast());
        avro.put("completedBefore", condition.completedBeforeMs());
    }

    private static void put(GenericRecord avro, Command.SetTtl ttl) {
        avro.put("eventId", ttl.id().value());
        avro.put("ttlMs", ttl.ttlMs());
        avro.put("expiresAt", ttl.ttl().expiresAt());
        avro.put("noExpiration", ttl.ttl().noExpiration());
        avro.put("inherit", ttl.ttlMs() == null && !ttl.ttl().isAsked());
    }

    /** All values that are not null, also those of unknown fields, which the parser refuses by name. */
    private static Map<String, Object> values(IndexedRecord avro, FieldMap map) {
        Map<String, Object> values = new HashMap<>();
        for (Schema.Field field : EbbSchemas.COMMAND.getFields()) {
            put(values, field.name(), map.get(avro, field));
        }
        for (Schema.Field field : map.unknown()) {
            put(values, field.name(), avro.get(field.pos()));
        }
        return values;
    }

    private static void put(Map<String, Object> values, String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value instanceof CharSequence text ? text.toString() : value);
        }
    }

    private static String text(Map<String, Object> values, CommandField field) {
        return values.get(field.text()) instanceof String text ? text : "";
    }
}
