package dev.ebb.domain.policy;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.time.Durations;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that decide deletes where no policy says otherwise. A change of them is a change like that of a policy
 * (T-13). Immutable.
 *
 * @param maxAge the {@code maxAge} of {@code *}
 * @param mode the {@code mode} of {@code *}
 * @param statuses the statuses of finished work (M-3)
 */
public record RetentionSettings(Limit maxAge, PolicyMode mode, TerminalStatuses statuses) {

    /** Returns true if more may be due under these settings than under the former ones. */
    boolean mayMakeDue(RetentionSettings former) {
        return maxAge.value() < former.maxAge.value() || freesOwnTtl(former);
    }

    /**
     * Returns true if these settings may end what kept events whose own TTL had passed: a status that protected them,
     * or a mode in which nothing is deleted.
     */
    boolean freesOwnTtl(RetentionSettings former) {
        return (mode == PolicyMode.ENFORCE && former.mode != PolicyMode.ENFORCE) || !former.statuses.includes(statuses);
    }

    /** Returns the differences from the other settings for people, such as {@code retention.default.max.age: 3d instead of 30d}. */
    public List<String> differencesFrom(RetentionSettings other) {
        List<String> differences = new ArrayList<>();
        note(differences, "retention.default.max.age", text(maxAge), text(other.maxAge));
        note(differences, "retention.default.mode", mode.text(), other.mode.text());
        note(differences, "terminal.statuses", statuses.toString(), other.statuses.toString());
        return differences;
    }

    private static void note(List<String> differences, String name, String mine, String other) {
        if (!mine.equals(other)) {
            differences.add(name + ": " + mine + " instead of " + other);
        }
    }

    private static String text(Limit age) {
        return age.isNone() ? "unlimited" : Durations.format(age.value());
    }

    /** Returns the settings for people. */
    @Override
    public String toString() {
        return "retention.default.max.age=" + text(maxAge) + ", retention.default.mode=" + mode.text()
                + ", terminal.statuses=" + statuses;
    }
}
