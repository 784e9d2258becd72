package dev.ebb.domain.command;

import static dev.ebb.domain.command.CommandField.*;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command of a person. It ignores caps, ages, guards and TTLs; it always respects holds, and respects protection
 * unless forced. Each command is a record with its own description; {@link Kinds} lists all descriptions.
 */
public sealed interface Command {

    /** Returns the word for the command in records, requests and the audit, for example {@code delete}. */
    default String verb() {
        return Kinds.of(this).verb();
    }

    /** The descriptions of all commands. */
    final class Kinds {

        /** All kinds, in the order of display. */
        public static final List<CommandKind<?>> LIST = List.of(
                DeleteStream.KIND,
                PurgeStreams.KIND,
                PruneStream.KIND,
                PruneStreams.KIND,
                SetTtl.KIND,
                DeleteEvent.KIND,
                SweepNow.KIND,
                RepairMirror.KIND,
                RepairStream.KIND,
                DropParked.KIND,
                RetryParked.KIND,
                EraseEvents.KIND,
                EmptySource.KIND,
                UndoDeletes.KIND);

        private Kinds() {}

        /** Returns the kind of the command. */
        public static CommandKind<?> of(Command command) {
            return first(LIST.stream().filter(kind -> kind.type() == command.getClass()))
                    .orElseThrow(() -> new IllegalStateException(command.getClass() + " is not listed as a command"));
        }

        /** Returns the kind with the given verb; empty if there is none. */
        public static Optional<CommandKind<?>> of(String verb) {
            return first(LIST.stream().filter(kind -> kind.verb().equals(verb)));
        }

        private static Optional<CommandKind<?>> first(Stream<CommandKind<?>> kinds) {
            return kinds.findFirst();
        }

        /** Returns every field that a command takes, each once. */
        public static Set<CommandField<?>> fields() {
            Set<CommandField<?>> fields = new LinkedHashSet<>();
            LIST.forEach(kind -> fields.addAll(kind.fields()));
            return fields;
        }
    }

    /** A command about one stream; the partition of the stream carries it out. */
    sealed interface OfStream extends Command {

        StreamName stream();
    }

    /** A command about one event of a stream. */
    sealed interface OfEvent extends OfStream {

        EventId id();
    }

    /** A command about all streams that match a filter; one partition leads it, and all partitions carry it out. */
    sealed interface OfStreams extends Command {

        StreamFilter filter();
    }

    /** A command that each partition of a scope carries out on its own; one partition leads it. */
    sealed interface OfPartitions extends Command {

        Scope scope();
    }

    /**
     * Removes a stream with all its contents.
     *
     * @param isForced true to override open executions, protected events and open ancestors; holds always apply
     */
    record DeleteStream(StreamName stream, boolean isForced) implements OfStream {

        public static final CommandKind<DeleteStream> KIND = CommandKind.of(
                        DeleteStream.class, "delete", "Deletes a stream with its events and executions.")
                .forAdmins()
                .bounded()
                .requires(STREAM, DeleteStream::stream)
                .takes(FORCE, DeleteStream::isForced)
                .made(given -> new DeleteStream(given.get(STREAM), given.get(FORCE)));
    }

    /** Removes whole closed streams. */
    record PurgeStreams(StreamFilter filter) implements OfStreams {

        public static final CommandKind<PurgeStreams> KIND = filtered(
                        CommandKind.of(PurgeStreams.class, "purge", "Deletes whole closed streams."), COMPLETED_BEFORE)
                .made(given -> new PurgeStreams(StreamFilter.of(given, COMPLETED_BEFORE)));
    }

    /** Removes executions of a stream, or eligible events of a stream without executions. */
    record PruneStream(StreamName stream, PruneCondition condition) implements OfStream {

        public static final CommandKind<PruneStream> KIND = CommandKind.of(
                        PruneStream.class, "prune", "Deletes old executions of a stream.")
                .bounded()
                .requires(STREAM, PruneStream::stream)
                .takes(KEEP_LAST, prune -> prune.condition.keepLast())
                .takes(COMPLETED_BEFORE, prune -> prune.condition.completedBeforeMs())
                .made(given -> new PruneStream(given.get(STREAM), PruneCondition.of(given)));
    }

    /**
     * Removes executions, or eligible events of streams without executions, from many streams.
     *
     * @param includesOpen true if open streams are pruned as well
     */
    record PruneStreams(StreamFilter filter, PruneCondition condition, boolean includesOpen) implements OfStreams {

        public static final CommandKind<PruneStreams> KIND = filtered(
                        CommandKind.of(PruneStreams.class, "prune-bulk", "Deletes old executions of many streams."),
                        STREAM_COMPLETED_BEFORE)
                .takes(KEEP_LAST, prune -> prune.condition.keepLast())
                .takes(COMPLETED_BEFORE, prune -> prune.condition.completedBeforeMs())
                .takes(INCLUDE_OPEN, PruneStreams::includesOpen)
                .made(given -> new PruneStreams(
                        StreamFilter.of(given, STREAM_COMPLETED_BEFORE),
                        PruneCondition.of(given),
                        given.get(INCLUDE_OPEN)));
    }

    /** A command about records that cannot be taken in yet; every partition searches for them. */
    sealed interface OfParked extends OfPartitions {

        /** Returns the Kafka key of the records; null for any. */
        @Nullable
        StreamName stream();

        /** Returns the id of the schema for which the records wait; null for any. */
        @Nullable
        Long schema();

        @Override
        default Scope scope() {
            return Scope.ALL;
        }
    }

    /**
     * Moves records that cannot be taken in to the rejected topic, so that later records of their streams can be taken
     * in.
     *
     * @param stream the Kafka key of the records; null if {@code schema} selects them
     * @param schema the id of the schema for which the records wait; null for all records of the stream
     * @param record the first record of the stream, as topic, partition and offset with slashes between them; nothing
     *     is dropped if another record is the first; null for any
     */
    record DropParked(
            @Nullable StreamName stream,
            @Nullable Long schema,
            @Nullable String record) implements OfParked {

        public static final CommandKind<DropParked> KIND = CommandKind.of(
                        DropParked.class, "drop-parked", "Drops records that cannot be taken in.")
                .takes(STREAM, DropParked::stream)
                .takes(SCHEMA, DropParked::schema)
                .takes(RECORD, DropParked::record)
                .checked(DropParked::check)
                .made(given -> new DropParked(given.find(STREAM), given.find(SCHEMA), given.find(RECORD)));

        private static void check(CommandValues given) {
            if (!given.isGiven(STREAM) && !given.isGiven(SCHEMA)) {
                given.fault(STREAM, "is missing; drop-parked takes a stream, a schema or both");
            }
            if (given.isGiven(RECORD) && !given.isGiven(STREAM)) {
                given.fault(RECORD, "names the first record of a stream; say which stream");
            }
            if (!given.get(DRY_RUN) && given.get(REASON).isBlank()) {
                given.fault(REASON, "is missing; it is kept with each dropped record");
            }
        }
    }

    /**
     * Asks at once for everything that records wait for, whatever the last answer was.
     *
     * @param stream the Kafka key of the records; null for any
     * @param schema the id of the schema; null for everything
     */
    record RetryParked(
            @Nullable StreamName stream, @Nullable Long schema) implements OfParked {

        public static final CommandKind<RetryParked> KIND = CommandKind.of(
                        RetryParked.class,
                        "retry-parked",
                        "Asks the registry again for the schemas that records wait for.")
                .takes(STREAM, RetryParked::stream)
                .takes(SCHEMA, RetryParked::schema)
                .made(given -> new RetryParked(given.find(STREAM), given.find(SCHEMA)));
    }

    /**
     * Changes the own TTL of a stored event.
     *
     * @param ttl the new TTL; {@link OwnTtl#NONE} inherits from the policy; {@code ttlSeconds} is not used
     * @param ttlMs the lifetime in milliseconds from the moment at which the command is carried out, at least 1; null
     *     if {@code ttl} is the whole TTL
     */
    record SetTtl(
            StreamName stream,
            EventId id,
            OwnTtl ttl,
            @Nullable Long ttlMs) implements OfEvent {

        public static final CommandKind<SetTtl> KIND = CommandKind.of(
                        SetTtl.class, "set-ttl", "Changes the TTL of a stored event.")
                .requires(STREAM, SetTtl::stream)
                .requires(EVENT_ID, SetTtl::id)
                .takes(TTL_MS, SetTtl::ttlMs)
                .takes(EXPIRES_AT, set -> set.ttl.expiresAt())
                .takes(NO_EXPIRATION, set -> set.ttl.noExpiration())
                .takes(INHERIT, set -> set.ttlMs == null && !set.ttl.isAsked())
                .checked(SetTtl::check)
                .made(given -> new SetTtl(
                        given.get(STREAM),
                        given.get(EVENT_ID),
                        OwnTtl.of(null, given.find(EXPIRES_AT), given.get(NO_EXPIRATION)),
                        given.find(TTL_MS)));

        public SetTtl {
            Objects.requireNonNull(ttl, "set-ttl has a TTL");
        }

        private static void check(CommandValues values) {
            List<CommandField<?>> given = Stream.of(TTL_MS, EXPIRES_AT, NO_EXPIRATION, INHERIT)
                    .<CommandField<?>>map(field -> field)
                    .filter(values::isGiven)
                    .toList();
            String choice = "ttlMs, expiresAt, noExpiration and inherit";
            if (given.isEmpty()) {
                values.fault(TTL_MS, "is missing; set-ttl takes one of " + choice);
            } else if (given.size() > 1) {
                String rule = "; set-ttl takes only one of " + choice;
                values.fault(given.get(0), "cannot be combined with " + given.get(1) + rule);
            }
        }
    }

    /**
     * Removes one event.
     *
     * @param isForced true to override its protection; holds always apply
     */
    record DeleteEvent(StreamName stream, EventId id, boolean isForced) implements OfEvent {

        public static final CommandKind<DeleteEvent> KIND = CommandKind.of(
                        DeleteEvent.class, "delete-event", "Deletes one event.")
                .forAdmins()
                .bounded()
                .requires(STREAM, DeleteEvent::stream)
                .requires(EVENT_ID, DeleteEvent::id)
                .takes(FORCE, DeleteEvent::isForced)
                .made(given -> new DeleteEvent(given.get(STREAM), given.get(EVENT_ID), given.get(FORCE)));
    }

    /**
     * Sends rows of the SQL mirror again: rows of stored events as they are, all others as deleted. Deletes nothing
     * that is stored.
     *
     * @param rows keys of rows of the table of events, at most {@link #MAX_ROWS}
     * @param executions numbers of rows of the table of executions, at most {@link #MAX_ROWS}
     */
    record RepairMirror(StreamName stream, List<RowKey> rows, List<Long> executions) implements OfStream {

        /** Maximum number of rows of each table in one command. */
        public static final int MAX_ROWS = PlainValue.MAX_ROWS;

        public static final CommandKind<RepairMirror> KIND = CommandKind.of(
                        RepairMirror.class, "repair", "Sends rows of the SQL mirror again.")
                .requires(STREAM, RepairMirror::stream)
                .takes(ROWS, RepairMirror::rows)
                .takes(EXECUTIONS, RepairMirror::executions)
                .checked(RepairMirror::check)
                .made(given -> new RepairMirror(given.get(STREAM), given.get(ROWS), given.get(EXECUTIONS)));

        public RepairMirror {
            rows = List.copyOf(rows);
            executions = List.copyOf(executions);
        }

        private static void check(CommandValues given) {
            if (given.get(ROWS).isEmpty() && given.get(EXECUTIONS).isEmpty()) {
                given.fault(ROWS, "is missing; repair takes rows, executions or both");
            }
        }
    }

    /**
     * Recounts all events of a stream, corrects its usage, and ends its quarantine if there is one. Deletes nothing.
     */
    record RepairStream(StreamName stream) implements OfStream {

        public static final CommandKind<RepairStream> KIND = CommandKind.of(
                        RepairStream.class, "repair-stream", "Recounts the events of a stream and ends its quarantine.")
                .requires(STREAM, RepairStream::stream)
                .made(given -> new RepairStream(given.get(STREAM)));
    }

    /**
     * Sweeps at once, regardless of interval and window.
     *
     * @param scope a stream, a namespace or {@code *}
     * @param atMs the sweep point of a dry run, epoch milliseconds; null for the moment at which the sweep is carried
     *     out
     * @param policies a file of policies and holds that a dry run adds to those in force; null for none
     * @param prunesPolicies true if the dry run treats policies that are not in the file as removed
     */
    record SweepNow(
            Scope scope, @Nullable Long atMs, @Nullable String policies, boolean prunesPolicies)
            implements OfPartitions {

        public static final CommandKind<SweepNow> KIND = CommandKind.of(SweepNow.class, "sweep", "Sweeps at once.")
                .planned()
                .takes(SCOPE, SweepNow::scope)
                .takes(AT, SweepNow::atMs)
                .takes(POLICIES, SweepNow::policies)
                .takes(PRUNE_POLICIES, SweepNow::prunesPolicies)
                .checked(SweepNow::check)
                .made(given -> new SweepNow(
                        given.get(SCOPE), given.find(AT), given.find(POLICIES), given.get(PRUNE_POLICIES)));

        public SweepNow {
            Objects.requireNonNull(scope, "a sweep has a scope");
        }

        /** Creates a sweep under the policies in force. */
        public SweepNow(Scope scope, @Nullable Long atMs) {
            this(scope, atMs, null, false);
        }

        private static void check(CommandValues given) {
            given.requireDryRun(AT, "is for dry runs only: a sweep that deletes uses the time at which it runs");
            given.requireDryRun(POLICIES, "is for dry runs only: apply the file to put it in force");
        }
    }

    /** A command that removes every event that meets all conditions; every partition searches for them. */
    sealed interface OfMatches extends OfPartitions {

        /** Returns the conditions, at least one; empty if the plan has them. */
        List<EventCondition> where();

        /** Returns the namespace of the streams; null for all. */
        @Nullable
        String namespace();

        /** Returns true to override protection; holds always apply. */
        boolean isForced();

        @Override
        default Scope scope() {
            String namespace = namespace();
            return namespace == null ? Scope.ALL : Scope.namespace(namespace);
        }

        /** Returns true if the command may concern an event of the stream. */
        default boolean isAbout(StreamName stream) {
            return namespace() == null || stream.namespace().equals(namespace());
        }
    }

    /**
     * Removes the events of a source that is not read, before or after its removal (F-10).
     *
     * @param source the name of the source
     * @param hasTombstones true to delete the records on its topic too, where its target takes tombstones
     * @param isForced true to override protection; holds always apply
     */
    record EmptySource(String source, boolean hasTombstones, boolean isForced) implements OfMatches {

        public static final CommandKind<EmptySource> KIND = CommandKind.of(
                        EmptySource.class, "empty-source", "Deletes the events of a source that is paused or removed.")
                .forAdmins()
                .bounded()
                .requires(SOURCE, EmptySource::source)
                .takes(TOMBSTONES, EmptySource::hasTombstones)
                .takes(FORCE, EmptySource::isForced)
                .made(given -> new EmptySource(given.get(SOURCE), given.get(TOMBSTONES), given.get(FORCE)));

        @Override
        public List<EventCondition> where() {
            return List.of(EventCondition.ofSource(source));
        }

        @Override
        public @Nullable String namespace() {
            return null;
        }
    }

    /**
     * Removes every event that meets all conditions, wherever it is stored or kept as a copy. Always final.
     *
     * @param where the conditions, at least one; empty if the plan has them
     * @param namespace the namespace of the streams; null for all
     * @param caseId the case for which the events are erased, named like the case of a hold; empty if the plan has it
     * @param isForced true to override protection; holds always apply
     */
    record EraseEvents(List<EventCondition> where, @Nullable String namespace, String caseId, boolean isForced)
            implements OfMatches {

        public static final CommandKind<EraseEvents> KIND = CommandKind.of(
                        EraseEvents.class, "erase", "Erases all events that match, with their copies.")
                .forAdmins()
                .bounded()
                .takes(WHERE, erase -> erase.where().isEmpty() ? null : erase.where())
                .takes(NAMESPACE, EraseEvents::namespace)
                .takes(CASE, erase -> erase.caseId().isEmpty() ? null : erase.caseId())
                .takes(FORCE, EraseEvents::isForced)
                .checked(EraseEvents::check)
                .made(EraseEvents::of);

        public EraseEvents {
            where = List.copyOf(where);
        }

        private static EraseEvents of(CommandValues given) {
            return new EraseEvents(
                    Objects.requireNonNullElse(given.find(WHERE), List.of()),
                    given.find(NAMESPACE),
                    Objects.requireNonNullElse(given.find(CASE), ""),
                    given.get(FORCE));
        }

        /** Checks the fields; a plan has its conditions and its case already. */
        private static void check(CommandValues given) {
            boolean isPlanned = given.isGiven(PLAN);
            if (!given.isGiven(WHERE) && !isPlanned) {
                given.fault(WHERE, "is missing; erase takes at least one condition such as metadata.user=42");
            }
            List<EventCondition> where = given.find(WHERE);
            if (given.isGiven(WHERE) && where != null && where.isEmpty()) {
                given.fault(WHERE, "is empty; erase takes at least one condition such as metadata.user=42");
            }
            String problem = where == null ? null : EventCondition.problem(where);
            if (problem != null) {
                given.fault(WHERE, problem);
            }
            if (!given.isGiven(CASE) && !isPlanned) {
                given.fault(CASE, "is missing; it identifies the erasure");
            }
            if (!given.get(DRY_RUN) && given.get(REASON).isBlank()) {
                given.fault(REASON, "is missing; it goes into the audit");
            }
        }
    }

    /**
     * Brings back deleted events that can still be brought back, each with all its fields (T-2), under a notice (T-3).
     *
     * @param filter the deletes to undo
     * @param policyVersion the version of the policies that must be in force in a partition before it begins; null for
     *     any
     */
    record UndoDeletes(UndoFilter filter, @Nullable Long policyVersion) implements OfPartitions {

        public static final CommandKind<UndoDeletes> KIND = CommandKind.of(
                        UndoDeletes.class, "undo", "Brings back events that were deleted by mistake.")
                .forAdmins()
                .takes(COMMAND, undo -> undo.filter.command())
                .takes(SWEEP, undo -> undo.filter.sweep())
                .takes(POLICY, undo -> undo.filter.policy())
                .takes(VERSION, undo -> undo.filter.version())
                .takes(SINCE, undo -> undo.filter.sinceMs())
                .takes(UNTIL, undo -> undo.filter.untilMs())
                .takes(NAMESPACE, undo -> undo.filter.namespace())
                .takes(CommandField.STREAM, undo -> undo.filter.stream())
                .takes(POLICY_VERSION, UndoDeletes::policyVersion)
                .checked(UndoDeletes::check)
                .made(given -> new UndoDeletes(filter(given), given.find(POLICY_VERSION)));

        public UndoDeletes {
            Objects.requireNonNull(filter, "an undo says of what");
        }

        private static UndoFilter filter(CommandValues given) {
            return new UndoFilter(
                    given.find(COMMAND),
                    given.find(SWEEP),
                    given.find(POLICY),
                    given.find(VERSION),
                    given.find(SINCE),
                    given.find(UNTIL),
                    given.find(NAMESPACE),
                    given.find(STREAM));
        }

        private static void check(CommandValues given) {
            List<CommandField<?>> chosen = Stream.of(COMMAND, SWEEP, POLICY, SINCE)
                    .<CommandField<?>>map(field -> field)
                    .filter(given::isGiven)
                    .toList();
            String choice = "command, sweep, policy and since";
            if (chosen.isEmpty()) {
                given.fault(COMMAND, "is missing; undo takes one of " + choice);
            } else if (chosen.size() > 1) {
                String rule = "; undo takes only one of " + choice;
                given.fault(chosen.get(0), "cannot be combined with " + chosen.get(1) + rule);
            }
            given.requireBeside(VERSION, POLICY);
            given.requireBeside(UNTIL, SINCE);
            if (given.isGiven(NAMESPACE) && given.isGiven(STREAM)) {
                given.fault(NAMESPACE, "cannot be combined with stream, which belongs to one namespace");
            }
            Long since = given.find(SINCE);
            Long until = given.find(UNTIL);
            if (since != null && until != null && until <= since) {
                given.fault(UNTIL, "must be later than since");
            }
            if (!given.get(DRY_RUN) && given.get(REASON).isBlank()) {
                given.fault(REASON, "is missing; it goes into the audit");
            }
        }

        @Override
        public Scope scope() {
            StreamName stream = filter.stream();
            return stream == null ? Scope.ALL : Scope.stream(stream.value());
        }
    }

    /** Adds the fields of a filter. */
    private static <C extends OfStreams> CommandKind.Builder<C> filtered(
            CommandKind.Builder<C> kind, CommandField<Long> completedBefore) {
        return kind.bounded()
                .takes(STREAMS, command -> command.filter().streams())
                .takes(completedBefore, command -> command.filter().completedBeforeMs())
                .takes(NAMESPACE, command -> command.filter().namespace())
                .takes(LIMIT, command -> command.filter().limit())
                .takes(ALL, command -> command.filter().isAll());
    }
}
