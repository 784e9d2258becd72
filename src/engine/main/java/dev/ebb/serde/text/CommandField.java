package dev.ebb.serde.text;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The fields of the record of commands, each with the commands that take it. */
public enum CommandField {
    COMMAND_ID("commandId", CommandVerb.values()),
    VERB("verb", CommandVerb.values()),
    ACTOR("actor", CommandVerb.values()),
    REASON("reason", CommandVerb.values()),
    DRY_RUN("dryRun", CommandVerb.values()),
    MAX_DELETES(
            "maxDeletes",
            CommandVerb.DELETE,
            CommandVerb.PURGE,
            CommandVerb.PRUNE,
            CommandVerb.PRUNE_BULK,
            CommandVerb.DELETE_EVENT),
    STREAM(
            "stream",
            CommandVerb.DELETE,
            CommandVerb.PRUNE,
            CommandVerb.SET_TTL,
            CommandVerb.DELETE_EVENT,
            CommandVerb.REPAIR,
            CommandVerb.REPAIR_STREAM,
            CommandVerb.DROP_PARKED,
            CommandVerb.RETRY_PARKED),
    EVENT_ID("eventId", CommandVerb.SET_TTL, CommandVerb.DELETE_EVENT),
    FORCE("force", CommandVerb.DELETE, CommandVerb.DELETE_EVENT),
    STREAMS("streams", CommandVerb.PURGE, CommandVerb.PRUNE_BULK),
    NAMESPACE("namespace", CommandVerb.PURGE, CommandVerb.PRUNE_BULK),
    COMPLETED_BEFORE("completedBefore", CommandVerb.PURGE, CommandVerb.PRUNE, CommandVerb.PRUNE_BULK),
    STREAM_COMPLETED_BEFORE("streamCompletedBefore", CommandVerb.PRUNE_BULK),
    LIMIT("limit", CommandVerb.PURGE, CommandVerb.PRUNE_BULK),
    ALL("all", CommandVerb.PURGE, CommandVerb.PRUNE_BULK),
    INCLUDE_OPEN("includeOpen", CommandVerb.PRUNE_BULK),
    KEEP_LAST("keepLast", CommandVerb.PRUNE, CommandVerb.PRUNE_BULK),
    TTL_MS("ttlMs", CommandVerb.SET_TTL),
    EXPIRES_AT("expiresAt", CommandVerb.SET_TTL),
    NO_EXPIRATION("noExpiration", CommandVerb.SET_TTL),
    INHERIT("inherit", CommandVerb.SET_TTL),
    SCOPE("scope", CommandVerb.SWEEP),
    AT("at", CommandVerb.SWEEP),
    POLICIES("policies", CommandVerb.SWEEP),
    PRUNE_POLICIES("prunePolicies", CommandVerb.SWEEP),
    ROWS("rows", CommandVerb.REPAIR),
    EXECUTIONS("executions", CommandVerb.REPAIR),
    SCHEMA("schema", CommandVerb.DROP_PARKED, CommandVerb.RETRY_PARKED),
    RECORD("record", CommandVerb.DROP_PARKED);

    private final String text;

    @SuppressWarnings("ImmutableEnumChecker") // a private copy that never changes
    private final Set<CommandVerb> verbs;

    CommandField(String text, CommandVerb... verbs) {
        this.text = text;
        this.verbs = EnumSet.copyOf(List.of(verbs));
    }

    /** Its name in the record. */
    public String text() {
        return text;
    }

    boolean isOf(CommandVerb verb) {
        return verbs.contains(verb);
    }

    /** The commands that take it, for people. */
    String takers() {
        return verbs.stream().map(CommandVerb::text).collect(Collectors.joining(", "));
    }

    static boolean isKnown(String name) {
        return Arrays.stream(values()).anyMatch(field -> field.text.equals(name));
    }
}
