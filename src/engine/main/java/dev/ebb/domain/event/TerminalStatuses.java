package dev.ebb.domain.event;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statuses of finished work (M-3). An event without a status is a plain fact and terminal; any status that is not
 * listed protects its event. Immutable; compares case-insensitively.
 */
public final class TerminalStatuses {

    /** {@code completed, failed, cancelled, read}. */
    public static final TerminalStatuses DEFAULT =
            new TerminalStatuses(List.of("completed", "failed", "cancelled", "read"));

    private final Set<String> statuses;

    /** @throws IllegalArgumentException if one of the statuses is blank */
    public TerminalStatuses(Collection<String> statuses) {
        this.statuses = statuses.stream()
                .map(status -> status.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        if (this.statuses.contains("")) {
            throw new IllegalArgumentException("a terminal status must not be blank");
        }
    }

    /** Returns true if an event of this status may ever be removed by retention; null and empty are terminal. */
    public boolean isTerminal(@Nullable String status) {
        return status == null
                || status.isEmpty()
                || statuses.contains(status)
                || statuses.contains(status.toLowerCase(Locale.ROOT));
    }

    /** Returns true if the two statuses are equal, where case does not matter and null equals empty. */
    public static boolean isSame(@Nullable String status, @Nullable String other) {
        return folded(status).equals(folded(other));
    }

    private static String folded(@Nullable String status) {
        return status == null ? "" : status.toLowerCase(Locale.ROOT);
    }

    /** Returns true if these include all of the others. */
    public boolean includes(TerminalStatuses others) {
        return statuses.containsAll(others.statuses);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TerminalStatuses that && statuses.equals(that.statuses);
    }

    @Override
    public int hashCode() {
        return statuses.hashCode();
    }

    /**
     * Returns a number that is equal for equal sets in any order and process; kept with the state to detect a change of
     * the setting.
     */
    public int fingerprint() {
        return new TreeSet<>(statuses).toString().hashCode();
    }

    @Override
    public String toString() {
        return String.join(",", new TreeSet<>(statuses));
    }
}
