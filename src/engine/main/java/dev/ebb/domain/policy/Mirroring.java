package dev.ebb.domain.policy;

import java.util.Locale;
import java.util.Optional;

/** The rows that SQL has of the events of a stream (F-13); those of executions are always there. */
public enum Mirroring {
    /** A row for each event. */
    ALL,
    /** No row: the data already have a table elsewhere. */
    NONE;

    /** Returns the name of the choice in policies, in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the choice with the given name, in any case; empty if there is none. */
    public static Optional<Mirroring> parse(String text) {
        for (Mirroring choice : values()) {
            if (choice.name().equalsIgnoreCase(text)) {
                return Optional.of(choice);
            }
        }
        return Optional.empty();
    }
}
