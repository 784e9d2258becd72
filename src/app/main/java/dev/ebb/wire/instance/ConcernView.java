package dev.ebb.wire.instance;

import dev.ebb.wire.Meaning;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One thing that is wrong or waits for a person. */
public record ConcernView(
        Kind what,

        @Meaning("What is wrong or waits, as a sentence without its full stop.")
        String text,

        @Meaning("The time since which it waits; null if that is not known.") @Nullable
        Instant since,

        @Meaning("The role that may act on it; null if it takes someone who runs the instances and what they need.")
        @Nullable
        String role) {

    /** What is wrong or waits. */
    public enum Kind {
        INSTANCE_AWAY,
        PARTITIONS_AWAY,
        PROCESS,
        POLICY_UNREADABLE,
        CLOCK,
        SWEEPS_OFF,
        SETTINGS,
        MIRROR,
        ROWS_REFUSED,
        TRASH_MISSING,
        QUARANTINE,
        RESTORE,
        CHANGE_WAITS,
        RECORDS_WAIT,
        STALE_WORK
    }
}
