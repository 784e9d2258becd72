package dev.ebb.domain.policy;

import java.util.Locale;
import java.util.Optional;

/** Effect of sweeps on the events that a policy condemns. */
public enum PolicyMode {
    /** Sweeps delete these events. */
    ENFORCE,
    /** Sweeps report these events and delete nothing (M-16). */
    WARN;

    /** Returns the name of the mode in policies, in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the mode with the given name, in any case; empty if there is none. */
    public static Optional<PolicyMode> parse(String text) {
        for (PolicyMode mode : values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return Optional.of(mode);
            }
        }
        return Optional.empty();
    }
}
