package dev.ebb.domain.command;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field of the record of commands, {@code schemas/Command.avsc}, with the reader and the writer of its plain value.
 * Plain values are texts, whole numbers, truth values and lists of these. Immutable.
 *
 * @param <T> the type of its value in a command
 */
public final class CommandField<T> {

    public static final CommandField<String> COMMAND_ID = of("commandId", PlainValue::name);
    public static final CommandField<String> VERB = of("verb", PlainValue::text);
    public static final CommandField<String> ACTOR = of("actor", value -> value.said(SignatureRule::problemOfActor));
    public static final CommandField<String> REASON = of("reason", value -> value.said(SignatureRule::problemOfReason));
    public static final CommandField<Boolean> DRY_RUN = of("dryRun", PlainValue::truth);
    public static final CommandField<Long> MAX_DELETES = ofNumber("maxDeletes", 0);
    public static final CommandField<String> PLAN = of("plan", PlainValue::name);
    public static final CommandField<StreamName> STREAM =
            new CommandField<>("stream", PlainValue::stream, StreamName::value, null);
    public static final CommandField<EventId> EVENT_ID =
            new CommandField<>("eventId", PlainValue::event, EventId::value, null);
    public static final CommandField<Boolean> FORCE = of("force", PlainValue::truth);
    public static final CommandField<List<StreamName>> STREAMS =
            new CommandField<>("streams", PlainValue::streams, list -> texts(list, StreamName::value), null);
    public static final CommandField<String> NAMESPACE = of("namespace", PlainValue::namespace);
    public static final CommandField<Long> COMPLETED_BEFORE = ofTime("completedBefore", DateBound.BEGINNING);
    public static final CommandField<Long> STREAM_COMPLETED_BEFORE =
            ofTime("streamCompletedBefore", DateBound.BEGINNING);
    public static final CommandField<Long> LIMIT = ofNumber("limit", 1);
    public static final CommandField<Boolean> ALL = of("all", PlainValue::truth);
    public static final CommandField<Boolean> INCLUDE_OPEN = of("includeOpen", PlainValue::truth);
    public static final CommandField<Long> KEEP_LAST = ofNumber("keepLast", 0);
    public static final CommandField<Long> TTL_MS = ofNumber("ttlMs", 1);
    public static final CommandField<Long> EXPIRES_AT = ofTimeAhead("expiresAt", DateBound.END);
    public static final CommandField<Boolean> NO_EXPIRATION = of("noExpiration", PlainValue::truth);
    public static final CommandField<Boolean> INHERIT = of("inherit", PlainValue::truth);
    public static final CommandField<Scope> SCOPE =
            new CommandField<>("scope", PlainValue::scope, Scope::toString, null);
    public static final CommandField<Long> AT = ofTimeAhead("at", DateBound.BEGINNING);
    public static final CommandField<String> POLICIES = of("policies", PlainValue::text);
    public static final CommandField<Boolean> PRUNE_POLICIES = of("prunePolicies", PlainValue::truth);
    public static final CommandField<List<RowKey>> ROWS =
            new CommandField<>("rows", PlainValue::rows, list -> texts(list, RowKey::toString), null);
    public static final CommandField<List<Long>> EXECUTIONS = of("executions", PlainValue::numbers);
    public static final CommandField<Long> SCHEMA = ofNumber("schema", 0);
    public static final CommandField<String> RECORD =
            of("record", value -> value.text(Pattern.compile("[^/]+/\\d+/\\d+"), "must be topic/partition/offset"));

    public static final CommandField<List<EventCondition>> WHERE =
            new CommandField<>("where", PlainValue::conditions, list -> texts(list, EventCondition::toString), null);
    public static final CommandField<String> CASE = of("case", PlainValue::name);
    public static final CommandField<String> SOURCE = of("source", PlainValue::name);
    public static final CommandField<Boolean> TOMBSTONES = of("tombstones", PlainValue::truth);
    public static final CommandField<String> COMMAND = of("command", PlainValue::name);
    public static final CommandField<String> SWEEP = of("sweep", PlainValue::name);
    public static final CommandField<String> POLICY = of("policy", PlainValue::policy);
    public static final CommandField<Long> VERSION = ofNumber("version", 0);
    public static final CommandField<Long> SINCE = ofTime("since", DateBound.BEGINNING);
    public static final CommandField<Long> UNTIL = ofTime("until", DateBound.AFTER);
    public static final CommandField<Long> POLICY_VERSION = ofNumber("policyVersion", 0);

    private final String name;
    private final Function<PlainValue, @Nullable T> reader;
    private final Function<T, Object> writer;
    private final @Nullable MomentReader moments;

    private CommandField(
            String name,
            Function<PlainValue, @Nullable T> reader,
            Function<T, Object> writer,
            @Nullable MomentReader moments) {
        this.name = name;
        this.reader = reader;
        this.writer = writer;
        this.moments = moments;
    }

    /** Reads a moment as people write it. */
    @FunctionalInterface
    private interface MomentReader {
        long read(String text, long nowMs);
    }

    /** Returns a field whose plain value is its value. */
    private static <T> CommandField<T> of(String name, Function<PlainValue, @Nullable T> reader) {
        return new CommandField<>(name, reader, value -> value, null);
    }

    private static CommandField<Long> ofNumber(String name, long min) {
        return of(name, value -> value.number(min));
    }

    private static CommandField<Long> ofTime(String name, DateBound bound) {
        return ofMoment(name, bound, (text, nowMs) -> Times.read(text, bound, nowMs));
    }

    private static CommandField<Long> ofTimeAhead(String name, DateBound bound) {
        return ofMoment(name, bound, (text, nowMs) -> Times.readAhead(text, bound));
    }

    private static CommandField<Long> ofMoment(String name, DateBound bound, MomentReader moments) {
        return new CommandField<>(name, value -> value.time(bound), value -> value, moments);
    }

    private static <E> Object texts(List<E> values, Function<E, String> text) {
        return values.stream().map(text).toList();
    }

    /** Returns the name of the field in the record, and in JSON. */
    public String text() {
        return name;
    }

    /** Returns true if the field is a point in time, in epoch milliseconds. */
    public boolean isTime() {
        return moments != null;
    }

    /**
     * Returns the moment that a person wrote for this field, in epoch milliseconds.
     *
     * @param nowMs the time from which a duration counts back, epoch milliseconds
     * @throws IllegalArgumentException if the text names no moment; the message is the end of a sentence
     */
    public long moment(String text, long nowMs) {
        return Objects.requireNonNull(moments, name).read(text, nowMs);
    }

    /** Returns the value of the field; null if none is given, or if it has a fault. */
    @Nullable
    T read(PlainValue given) {
        return reader.apply(given);
    }

    /** Returns the plain value. */
    Object plain(T value) {
        return writer.apply(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
