package dev.ebb.serde.records;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.CommandParser;
import dev.ebb.serde.text.ParsedCommand;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** Commands as Avro records and back. Stateless. */
final class CommandRecords {

    private CommandRecords() {}

    /**
     * Returns the command of these values by the names of the fields; for an invalid command, the result names every
     * fault.
     */
    static DecodedCommand command(Map<String, Object> values) {
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
                .set("plan", request.plan())
                .build();
        Command.Kinds.of(command).plain(command).forEach(avro::put);
        return avro;
    }

    private static String text(Map<String, Object> values, CommandField<?> field) {
        return values.get(field.text()) instanceof String text ? text : "";
    }
}
