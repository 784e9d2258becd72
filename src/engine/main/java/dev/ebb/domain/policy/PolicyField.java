package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import java.util.List;

/**
 * A field of a policy: its name in files, records and SQL, and the type of its value. There is one instance for each
 * field, so fields compare by identity.
 *
 * @param <T> the type of its value
 */
public final class PolicyField<T> {

    public static final PolicyField<Limit> MAX_AGE = inherited("maxAge", Limit.class);
    public static final PolicyField<Limit> MAX_COUNT = inherited("maxCount", Limit.class);
    public static final PolicyField<Limit> MAX_BYTES = inherited("maxBytes", Limit.class);
    public static final PolicyField<Limit> KEEP_LAST = inherited("keepLast", Limit.class);
    public static final PolicyField<Limit> MIN_AGE = inherited("minAge", Limit.class);
    public static final PolicyField<Anchor> ANCHOR = inherited("anchor", Anchor.class);
    public static final PolicyField<Limit> MIN_TTL = inherited("minTtl", Limit.class);
    public static final PolicyField<Limit> MAX_TTL = inherited("maxTtl", Limit.class);
    public static final PolicyField<Boolean> ALLOW_INFINITE_TTL = inherited("allowInfiniteTtl", Boolean.class);
    public static final PolicyField<PolicyMode> MODE = inherited("mode", PolicyMode.class);
    public static final PolicyField<Long> INTERVAL = inherited("interval", Long.class);
    public static final PolicyField<SweepWindow> WINDOW = inherited("window", SweepWindow.class);
    public static final PolicyField<Limit> WARN_BEFORE = inherited("warnBefore", Limit.class);
    public static final PolicyField<Boolean> ARCHIVE = inherited("archive", Boolean.class);
    public static final PolicyField<String> PATTERN = ownOnly("pattern", String.class);
    public static final PolicyField<Boolean> ENABLED = ownOnly("enabled", Boolean.class);
    public static final PolicyField<Boolean> CONFIRMED = ownOnly("confirmed", Boolean.class);
    public static final PolicyField<String> UPDATED_BY = ownOnly("updatedBy", String.class);
    public static final PolicyField<String> REASON = ownOnly("reason", String.class);

    /** All fields but the scope, in the order of display. */
    public static final List<PolicyField<?>> ALL = List.of(
            MAX_AGE,
            MAX_COUNT,
            MAX_BYTES,
            KEEP_LAST,
            MIN_AGE,
            ANCHOR,
            MIN_TTL,
            MAX_TTL,
            ALLOW_INFINITE_TTL,
            MODE,
            INTERVAL,
            WINDOW,
            WARN_BEFORE,
            ARCHIVE,
            PATTERN,
            ENABLED,
            CONFIRMED,
            UPDATED_BY,
            REASON);

    private final String name;
    private final Class<T> type;
    private final boolean isInherited;

    private PolicyField(String name, Class<T> type, boolean isInherited) {
        this.name = name;
        this.type = type;
        this.isInherited = isInherited;
    }

    private static <T> PolicyField<T> inherited(String name, Class<T> type) {
        return new PolicyField<>(name, type, true);
    }

    private static <T> PolicyField<T> ownOnly(String name, Class<T> type) {
        return new PolicyField<>(name, type, false);
    }

    /** The name as people write it. */
    public String fieldName() {
        return name;
    }

    /** The type of its value. */
    public Class<T> type() {
        return type;
    }

    /**
     * Whether a policy that does not set this field takes it from the next wider scope; else the field applies to its
     * record alone.
     */
    public boolean isInherited() {
        return isInherited;
    }

    @Override
    public String toString() {
        return name;
    }
}
