package dev.ebb.domain.retention;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import org.jspecify.annotations.Nullable;

/** Reasons why an event was removed. */
public enum RemovalCause {
    /** The event's own TTL has passed. */
    TTL(Kind.TIME, null),
    /** The event has no own TTL and is older than {@code maxAge}. */
    MAX_AGE(Kind.TIME, PolicyField.MAX_AGE),
    /** The stream holds more than {@code maxCount} events, and the event is among the oldest eligible ones. */
    MAX_COUNT(Kind.CAP, PolicyField.MAX_COUNT),
    /** The stream is bigger than {@code maxBytes}, and the event is among the oldest eligible ones. */
    MAX_BYTES(Kind.CAP, PolicyField.MAX_BYTES),
    /** A person deleted the event, or its whole stream. */
    DELETE(Kind.COMMAND, null),
    /** A person purged the stream. */
    PURGE(Kind.COMMAND, null),
    /** A person pruned the event or its execution. */
    PRUNE(Kind.COMMAND, null),
    /** A person erased all events that match; no copy is made, and existing copies are removed. */
    ERASE(Kind.COMMAND, null),
    /** A person removed the source of the event together with its events; the record on its topic stays (F-10). */
    EMPTY_SOURCE(Kind.COMMAND, null),
    /**
     * The source says that the event is not in its stream any more: its row is gone, or a newer version of it leads to
     * another stream (F-4). No copy is made, since the owner of the data has deleted it.
     */
    SOURCE_DELETED(Kind.SOURCE, null);

    private enum Kind {
        TIME,
        CAP,
        COMMAND,
        SOURCE
    }

    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker") // never changed once it is defined
    private final @Nullable PolicyField<Limit> field;

    RemovalCause(Kind kind, @Nullable PolicyField<Limit> field) {
        this.kind = kind;
        this.field = field;
    }

    /** Returns the policy field that is the cause; null for an own TTL, for commands and for sources. */
    public @Nullable PolicyField<Limit> field() {
        return field;
    }

    /** Returns true if a person asked for the removal, rather than a policy or the producer. */
    public boolean isCommand() {
        return kind == Kind.COMMAND;
    }

    /** Returns true if copies of the event may be made when it is removed. */
    public boolean allowsCopies() {
        return this != ERASE && !isOfSource();
    }

    /** Returns true if the source of the event asked for the removal, so that no policy decided (F-4). */
    public boolean isOfSource() {
        return kind == Kind.SOURCE;
    }

    /** Returns true if the removal goes on to the topic of the source, by a tombstone or the start of its log (F-6). */
    public boolean reachesTopic() {
        return !isOfSource() && this != EMPTY_SOURCE;
    }

    /** Returns true if the event went because its time was over. */
    public boolean isByTime() {
        return kind == Kind.TIME;
    }

    /**
     * Returns true if the cause is a cap of the stream: caps act in sweeps only, age and own TTLs also for readers
     * (M-17).
     */
    public boolean isCap() {
        return kind == Kind.CAP;
    }
}
