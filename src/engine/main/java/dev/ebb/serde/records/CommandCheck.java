package dev.ebb.serde.records;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.serde.schemas.EbbSchemas;
import org.jspecify.annotations.Nullable;

/** Checks a command that did not arrive as a record against the rules for records of commands. Stateless. */
public final class CommandCheck {

    private static final FieldMap OURS = FieldMap.of(EbbSchemas.COMMAND, EbbSchemas.COMMAND);

    private CommandCheck() {}

    /** Returns all faults of the command; null if there are none. */
    public static @Nullable String problem(CommandRequest request) {
        DecodedCommand decoded =
                CommandRecords.command(OURS.values(EbbSchemas.COMMAND, CommandRecords.record(request)));
        return decoded instanceof DecodedCommand.Bad bad ? bad.rejection().detail() : null;
    }
}
