package dev.ebb.domain.event;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The time from which age is counted. */
public enum Anchor {
    /** Time at which the topology stored the event. */
    STORED,
    /** The producer's time of the event. */
    OCCURRED,
    /** Time at which the event became terminal. */
    COMPLETED;

    /**
     * Returns the anchor time of an event with these times.
     *
     * @param completedAt null for a protected event; {@code storedAt} then takes its place, so the event has no age
     *     under {@link #COMPLETED} until it is terminal
     */
    public long of(long storedAt, long occurredAt, @Nullable Long completedAt) {
        return switch (this) {
            case STORED -> storedAt;
            case OCCURRED -> occurredAt;
            case COMPLETED -> completedAt == null ? storedAt : completedAt;
        };
    }

    /** Returns the name of the anchor in policies, in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the anchor with the given name, in any case; empty if there is none. */
    public static Optional<Anchor> parse(String text) {
        for (Anchor anchor : values()) {
            if (anchor.name().equalsIgnoreCase(text)) {
                return Optional.of(anchor);
            }
        }
        return Optional.empty();
    }
}
