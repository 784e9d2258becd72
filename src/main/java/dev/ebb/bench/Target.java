package dev.ebb.bench;

import java.util.Locale;

/**
 * What a ratio should be.
 *
 * @param gate the least that is good enough
 */
record Target(double gate) {

    boolean isReachedBy(double ratio) {
        return ratio >= gate;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "≥ %.2f", gate);
    }
}
