package dev.ebb.domain.retention;

import dev.ebb.domain.policy.EffectivePolicy;
import java.util.Locale;

/** The one word that lists have for what becomes of an event by age or its own TTL; all readers show the same. */
public enum Fate {
    /** A sweep takes it once its due time has passed. */
    GOES,
    /** A hold covers its stream. */
    HELD,
    /** Its status, or that of its execution, protects it. */
    PROTECTED,
    /** {@code keepLast} keeps it beyond its due time. */
    GUARDED,
    /** Its producer asked for it to be kept for ever, and the policy allows that. */
    INFINITE,
    /** Its policy only warns: sweeps report it and delete nothing. */
    KEPT,
    /** No limit of age applies to it. */
    NEVER;

    /**
     * Returns the fate of an event.
     *
     * @param atItsTime the decision about it at a moment after its due time, or now if it has none
     * @param policy the policy in force for it
     */
    public static Fate of(Decision atItsTime, EffectivePolicy policy) {
        if (atItsTime instanceof Decision.Keep keep) {
            return switch (keep.reason()) {
                case HELD -> HELD;
                case PROTECTED -> PROTECTED;
                case GUARDED -> GUARDED;
                case INFINITE -> INFINITE;
                case NOTICE, LIVE -> NEVER;
            };
        }
        return ofDue(policy);
    }

    /** Returns the fate of an event that nothing keeps beyond its due time, but perhaps the mode of its policy. */
    public static Fate ofDue(EffectivePolicy policy) {
        return policy.isEnforced() ? GOES : KEPT;
    }

    /** Returns the word as answers have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
