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
     * The anchor time of an event with these times.
     *
     * @param completedAt null for a protected event, which has no age under {@link #COMPLETED}: {@code storedAt} takes
     *     the place of this time until the event is terminal
     */
    public long of(long storedAt, long occurredAt, @Nullable Long completedAt) {
        return switch (this) {
            case STORED -> storedAt;
            case OCCURRED -> occurredAt;
            case COMPLETED -> completedAt == null ? storedAt : completedAt;
        };
    }

    /** The word used in policies: lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The anchor of that word, in any case; empty if there is none. */
    public static Optional<Anchor> parse(String text) {
        for (Anchor anchor : values()) {
            if (anchor.name().equalsIgnoreCase(text)) {
                return Optional.of(anchor);
            }
        }
        return Optional.empty();
    }
}
