package dev.ebb.serde.text;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a command from named values, as in its record and in the bodies of requests, and names all their faults. Values
 * are texts, whole numbers, truth values and lists of texts; {@code false} counts as not given. Stateless.
 */
public final class CommandParser {

    private CommandParser() {}

    /** Returns the command of these values by the names of the fields of {@code schemas/Command.avsc}. */
    public static ParsedCommand parse(Map<String, Object> values) {
        CommandValues given = new CommandValues(values);
        given.read(CommandField.COMMAND_ID, true);
        given.read(CommandField.ACTOR, false);
        given.read(CommandField.REASON, false);
        given.read(CommandField.DRY_RUN, false);
        Optional<CommandKind<?>> kind = kind(given);
        Command command = kind.map(known -> command(known, given)).orElse(null);
        given.read(CommandField.MAX_DELETES, false);
        given.read(CommandField.PLAN, false);
        boolean isOfDelete = given.isGiven(CommandField.DRY_RUN) && !given.isGiven(CommandField.POLICIES);
        if (given.isGiven(CommandField.PLAN) && isOfDelete) {
            given.fault(CommandField.PLAN, "is for the command that deletes; a dry run makes a new plan");
        }
        refuseUnknown(given);
        return command == null || !given.faults().isEmpty()
                ? new ParsedCommand(Optional.empty(), given.faults())
                : new ParsedCommand(Optional.of(request(given, command)), List.of());
    }

    private static CommandRequest request(CommandValues given, Command command) {
        return new CommandRequest(
                given.get(CommandField.COMMAND_ID),
                given.get(CommandField.ACTOR),
                given.get(CommandField.REASON),
                given.get(CommandField.DRY_RUN),
                given.find(CommandField.MAX_DELETES),
                command,
                given.find(CommandField.PLAN));
    }

    private static Optional<CommandKind<?>> kind(CommandValues given) {
        given.read(CommandField.VERB, false);
        String verb = given.find(CommandField.VERB);
        Optional<CommandKind<?>> kind = verb == null ? Optional.empty() : Command.Kinds.of(verb);
        if (verb == null) {
            given.fault(CommandField.VERB, "is missing; it is one of " + names(Command.Kinds.LIST));
        } else if (kind.isEmpty()) {
            String all = names(Command.Kinds.LIST);
            given.fault(CommandField.VERB, "must be one of " + all + ", was '" + verb + "'");
        }
        return kind;
    }

    private static @Nullable Command command(CommandKind<?> kind, CommandValues given) {
        refuseOthers(kind, given);
        Command command = kind.read(given);
        if (given.isGiven(CommandField.POLICIES) && kind.takes(CommandField.POLICIES)) {
            checkPolicies(given);
        }
        return command;
    }

    /** Refuses fields that this command does not take: it would ignore them, and the sender would rely on them. */
    private static void refuseOthers(CommandKind<?> kind, CommandValues given) {
        for (CommandField<?> field : Command.Kinds.fields()) {
            if (given.isGiven(field) && !kind.takes(field)) {
                List<CommandKind<?>> takers = Command.Kinds.LIST.stream()
                        .filter(other -> other.takes(field))
                        .toList();
                given.fault(field, "is not a field of " + kind + "; it is for " + names(takers));
            }
        }
    }

    /** Refuses unknown fields: one may be a misspelt filter, without which the command would delete too much. */
    private static void refuseUnknown(CommandValues given) {
        List<String> known =
                Command.Kinds.fields().stream().map(CommandField::text).toList();
        given.names().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> given.fault(name, "is not a field of a command"));
    }

    /** Checks a file of policies for a plan as if it were to be applied. */
    private static void checkPolicies(CommandValues given) {
        String file = given.find(CommandField.POLICIES);
        if (file != null) {
            PolicyFile.read(file).problems().stream()
                    .filter(problem -> problem.problem().isFault())
                    .forEach(problem -> given.fault(CommandField.POLICIES, problem.toString()));
        }
    }

    private static String names(List<CommandKind<?>> kinds) {
        return kinds.stream().map(CommandKind::verb).collect(Collectors.joining(", "));
    }
}
