package dev.ebb.serde.text;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a command from named values, as found in its record and in bodies of requests, and names all their faults.
 * Values are texts, whole numbers, truth values and lists of texts; {@code false} counts as not given. Stateless.
 */
public final class CommandParser {

    private static final int MAX_ACTOR = 255;
    private static final int MAX_REASON = 4096;
    private static final List<CommandField> TTLS =
            List.of(CommandField.TTL_MS, CommandField.EXPIRES_AT, CommandField.NO_EXPIRATION, CommandField.INHERIT);

    private static final Pattern RECORD = Pattern.compile("[^/]+/\\d+/\\d+");

    private final CommandValues values;

    private CommandParser(Map<String, Object> values) {
        this.values = new CommandValues(values);
    }

    /** The command of these values by the names of the fields of {@code schemas/Command.avsc}. */
    public static ParsedCommand parse(Map<String, Object> values) {
        return new CommandParser(values).parse();
    }

    private ParsedCommand parse() {
        String commandId = values.name(CommandField.COMMAND_ID);
        String actor = values.text(CommandField.ACTOR, MAX_ACTOR);
        String reason = values.text(CommandField.REASON, MAX_REASON);
        boolean isDryRun = values.truth(CommandField.DRY_RUN);
        Command command = verb().map(this::command).orElse(null);
        Long maxDeletes = values.number(CommandField.MAX_DELETES, 0);
        values.refuseUnknown();
        if (!values.faults().isEmpty() || commandId == null || command == null) {
            return new ParsedCommand(Optional.empty(), values.faults());
        }
        return new ParsedCommand(
                Optional.of(new CommandRequest(commandId, actor, reason, isDryRun, maxDeletes, command)), List.of());
    }

    private Optional<CommandVerb> verb() {
        String text = values.text(CommandField.VERB);
        Optional<CommandVerb> verb = text == null ? Optional.empty() : CommandVerb.of(text);
        if (text == null) {
            values.fault(CommandField.VERB, "is missing; it is one of " + CommandVerb.all());
        } else if (verb.isEmpty()) {
            values.fault(CommandField.VERB, "must be one of " + CommandVerb.all() + ", was '" + text + "'");
        }
        return verb;
    }

    /** The command; null, with a fault, if it cannot be made. */
    private @Nullable Command command(CommandVerb verb) {
        refuseStrangers(verb);
        return switch (verb) {
            case DELETE, PRUNE, SET_TTL, DELETE_EVENT, REPAIR, REPAIR_STREAM -> ofStream(verb);
            case PURGE -> new Command.PurgeStreams(filter(CommandField.COMPLETED_BEFORE));
            case PRUNE_BULK ->
                new Command.PruneStreams(
                        filter(CommandField.STREAM_COMPLETED_BEFORE),
                        condition(),
                        values.truth(CommandField.INCLUDE_OPEN));
            case SWEEP -> sweep();
            case DROP_PARKED -> dropParked();
            case RETRY_PARKED -> new Command.RetryParked(streamOrNull(), values.number(CommandField.SCHEMA, 0));
        };
    }

    private @Nullable Command ofStream(CommandVerb verb) {
        String name = values.name(CommandField.STREAM);
        StreamName stream = name == null ? null : new StreamName(name);
        EventId id = CommandField.EVENT_ID.isOf(verb) ? eventId() : null;
        return switch (verb) {
            case DELETE -> delete(stream);
            case PRUNE -> prune(stream);
            case DELETE_EVENT -> deleteEvent(stream, id);
            case REPAIR -> repair(stream);
            case REPAIR_STREAM -> stream == null ? null : new Command.RepairStream(stream);
            default -> ttl(stream, id);
        };
    }

    private @Nullable Command delete(@Nullable StreamName stream) {
        boolean isForced = values.truth(CommandField.FORCE);
        return stream == null ? null : new Command.DeleteStream(stream, isForced);
    }

    private @Nullable Command prune(@Nullable StreamName stream) {
        PruneCondition condition = condition();
        return stream == null ? null : new Command.PruneStream(stream, condition);
    }

    private @Nullable Command deleteEvent(@Nullable StreamName stream, @Nullable EventId id) {
        boolean isForced = values.truth(CommandField.FORCE);
        return stream == null || id == null ? null : new Command.DeleteEvent(stream, id, isForced);
    }

    private @Nullable Command repair(@Nullable StreamName stream) {
        List<RowKey> rows = values.rows(CommandField.ROWS, Command.RepairMirror.MAX_ROWS);
        List<Long> executions = values.numbers(CommandField.EXECUTIONS, Command.RepairMirror.MAX_ROWS);
        if (rows.isEmpty() && executions.isEmpty()) {
            values.fault(CommandField.ROWS, "is missing; repair takes rows, executions or both");
        }
        return stream == null ? null : new Command.RepairMirror(stream, rows, executions);
    }

    private @Nullable EventId eventId() {
        String id = values.name(CommandField.EVENT_ID);
        return id == null ? null : new EventId(id);
    }

    private StreamFilter filter(CommandField completedBefore) {
        Long limit = values.number(CommandField.LIMIT, 1);
        return new StreamFilter(
                values.streams(CommandField.STREAMS),
                values.time(completedBefore),
                values.namespace(CommandField.NAMESPACE),
                limit == null ? StreamFilter.DEFAULT_LIMIT : limit,
                values.truth(CommandField.ALL));
    }

    private PruneCondition condition() {
        return new PruneCondition(values.number(CommandField.KEEP_LAST, 0), values.time(CommandField.COMPLETED_BEFORE));
    }

    private @Nullable Command ttl(@Nullable StreamName stream, @Nullable EventId id) {
        List<CommandField> given = TTLS.stream().filter(values::isGiven).toList();
        if (given.size() != 1) {
            refuseTtl(given);
        }
        Long ttlMs = values.number(CommandField.TTL_MS, 1);
        Long expiresAt = values.time(CommandField.EXPIRES_AT);
        boolean isInfinite = values.truth(CommandField.NO_EXPIRATION);
        values.truth(CommandField.INHERIT);
        if (stream == null || id == null || given.size() != 1) {
            return null;
        }
        return new Command.SetTtl(stream, id, OwnTtl.of(null, expiresAt, isInfinite), ttlMs);
    }

    private void refuseTtl(List<CommandField> given) {
        String choice = "ttlMs, expiresAt, noExpiration and inherit";
        if (given.isEmpty()) {
            values.fault(CommandField.TTL_MS, "is missing; set-ttl takes one of " + choice);
        } else {
            values.fault(
                    given.get(0),
                    "stands together with " + given.get(1).text() + "; set-ttl takes only one of " + choice);
        }
    }

    private Command sweep() {
        Scope scope = values.scope(CommandField.SCOPE);
        Long atMs = values.time(CommandField.AT);
        if (atMs != null && !values.truth(CommandField.DRY_RUN)) {
            values.fault(CommandField.AT, "is for dry runs only: a sweep that deletes goes by the time it runs at");
        }
        return new Command.SweepNow(scope, atMs, policies(), values.truth(CommandField.PRUNE_POLICIES));
    }

    private Command dropParked() {
        StreamName stream = streamOrNull();
        Long schema = values.number(CommandField.SCHEMA, 0);
        String record = values.isGiven(CommandField.RECORD) ? values.text(CommandField.RECORD) : null;
        if (!values.isGiven(CommandField.STREAM) && !values.isGiven(CommandField.SCHEMA)) {
            values.fault(CommandField.STREAM, "is missing; drop-parked takes a stream, a schema or both");
        }
        if (record != null && !values.isGiven(CommandField.STREAM)) {
            values.fault(CommandField.RECORD, "names the first record of a stream; say which stream");
        }
        if (record != null && !RECORD.matcher(record).matches()) {
            values.fault(CommandField.RECORD, "must be topic/partition/offset, was '" + record + "'");
        }
        if (!values.truth(CommandField.DRY_RUN)
                && values.text(CommandField.REASON, MAX_REASON).isBlank()) {
            values.fault(CommandField.REASON, "is missing; it goes with each record that is dropped");
        }
        return new Command.DropParked(stream, schema, record);
    }

    private @Nullable StreamName streamOrNull() {
        String name = values.isGiven(CommandField.STREAM) ? values.name(CommandField.STREAM) : null;
        return name == null ? null : new StreamName(name);
    }

    /** A file of policies for a plan, checked as if it were to be applied. */
    private @Nullable String policies() {
        String file = values.isGiven(CommandField.POLICIES) ? values.text(CommandField.POLICIES) : null;
        if (file == null) {
            return null;
        }
        if (!values.truth(CommandField.DRY_RUN)) {
            values.fault(CommandField.POLICIES, "is for dry runs only: apply the file if it shall be in force");
        }
        PolicyFile.read(file).problems().stream()
                .filter(problem -> problem.problem().isFault())
                .forEach(problem -> values.fault(CommandField.POLICIES, problem.toString()));
        return file;
    }

    /** Refuses fields that this command does not take: they would be ignored, and the sender would rely on them. */
    private void refuseStrangers(CommandVerb verb) {
        Stream.of(CommandField.values())
                .filter(field -> values.isGiven(field) && !field.isOf(verb))
                .forEach(field ->
                        values.fault(field, "is nothing that " + verb.text() + " takes; it is for " + field.takers()));
    }
}
