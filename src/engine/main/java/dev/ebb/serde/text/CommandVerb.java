package dev.ebb.serde.text;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The commands, each with its word in the domain. */
enum CommandVerb {
    DELETE("delete"),
    PURGE("purge"),
    PRUNE("prune"),
    PRUNE_BULK("prune-bulk"),
    SET_TTL("set-ttl"),
    DELETE_EVENT("delete-event"),
    SWEEP("sweep"),
    REPAIR("repair"),
    REPAIR_STREAM("repair-stream"),
    DROP_PARKED("drop-parked"),
    RETRY_PARKED("retry-parked");

    private final String text;

    CommandVerb(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static Optional<CommandVerb> of(String text) {
        return Arrays.stream(values()).filter(verb -> verb.text.equals(text)).findFirst();
    }

    static String all() {
        return Arrays.stream(values()).map(CommandVerb::text).collect(Collectors.joining(", "));
    }
}
