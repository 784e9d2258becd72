package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.time.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A field of a policy, and the one definition of it for files, records, REST, the command line, SQL and the brake.
 * There is one instance for each field, so fields compare by identity.
 *
 * @param <T> the type of its value
 */
public final class PolicyField<T> {

    private static final List<PolicyField<?>> DEFINED = new ArrayList<>();

    public static final PolicyField<Limit> MAX_AGE = field("maxAge", FieldType.AGE)
            .column("max_age_ms")
            .means("Age above which events go: 15m, 24h, 30d or unlimited.")
            .examples("30d", "unlimited")
            .inherited(span("30d"), PolicyField::isLower);
    public static final PolicyField<Limit> MAX_COUNT = field("maxCount", FieldType.CAP)
            .column("max_count")
            .means("Most events that a stream keeps, or unlimited.")
            .examples(1000L, "unlimited")
            .inherited(Limit.NONE, PolicyField::isLower);
    public static final PolicyField<Limit> MAX_BYTES = field("maxBytes", FieldType.CAP)
            .column("max_bytes")
            .means("Most bytes that a stream keeps, or unlimited.")
            .examples(1_048_576L, "unlimited")
            .inherited(Limit.NONE, PolicyField::isLower);
    public static final PolicyField<Limit> KEEP_LAST = field("keepLast", FieldType.COUNT)
            .column("keep_last")
            .means("Number of the newest events, or executions, that always stay, or none.")
            .examples(5L, "none")
            .inherited(Limit.NONE, PolicyField::isWeaker);
    public static final PolicyField<Limit> MIN_AGE = field("minAge", FieldType.SPAN)
            .column("min_age_ms")
            .means("Age below which events always stay: 1h, 7d or none.")
            .examples("1h", "none")
            .inherited(Limit.NONE, PolicyField::isWeaker);
    public static final PolicyField<Anchor> ANCHOR = field("anchor", FieldType.ANCHOR)
            .column("anchor")
            .means("Time from which age counts: stored, occurred or completed.")
            .inherited(Anchor.STORED, PolicyField::isOther);
    public static final PolicyField<Limit> MIN_TTL = field("minTtl", FieldType.SPAN)
            .column("min_ttl_ms")
            .means("Lower bound for TTLs of producers, or none.")
            .examples("10s", "none")
            .inherited(Limit.NONE, PolicyField::isWeaker);
    public static final PolicyField<Limit> MAX_TTL = field("maxTtl", FieldType.SPAN)
            .column("max_ttl_ms")
            .means("Upper bound for TTLs of producers, or none.")
            .examples("90d", "none")
            .inherited(Limit.NONE, PolicyField::isLower);
    public static final PolicyField<Boolean> ALLOW_INFINITE_TTL = field("allowInfiniteTtl", FieldType.TRUTH)
            .column("allow_infinite_ttl")
            .means("Honour the noExpiration of producers, which keeps events for ever.")
            .inherited(false, (before, after) -> before && !after);
    public static final PolicyField<PolicyMode> MODE = field("mode", FieldType.MODE)
            .column("mode")
            .means("Mode of sweeps: enforce, or warn, which only reports deletes.")
            .inherited(PolicyMode.ENFORCE, (before, after) -> before != after && after == PolicyMode.ENFORCE);
    public static final PolicyField<Long> INTERVAL = field("interval", FieldType.INTERVAL)
            .column("interval_ms")
            .means("Time between two sweeps, for example 5s.")
            .examples("1s")
            .inherited(1000L, PolicyField::never);
    public static final PolicyField<SweepWindow> WINDOW = field("window", FieldType.WINDOW)
            .column("sweep_window")
            .means("Times at which sweeps may run, for example '22:00-06:00 Europe/Berlin', or none for always.")
            .examples("22:00-06:00 Europe/Berlin", "none")
            .inherited(SweepWindow.ALWAYS, PolicyField::never);
    public static final PolicyField<Limit> WARN_BEFORE = field("warnBefore", FieldType.SPAN)
            .column("warn_before_ms")
            .means("Report events that expire within this time, or none.")
            .examples("24h")
            .inherited(span("24h"), PolicyField::never);
    public static final PolicyField<Boolean> ARCHIVE = field("archive", FieldType.TRUTH)
            .column("archive")
            .means("Write events to the archive before they are deleted.")
            .inherited(false, PolicyField::never);
    public static final PolicyField<Limit> UNDO = field("undo", FieldType.SPAN)
            .column("undo_ms")
            .means("Time for which a delete by a command or by a new policy can be undone, or none.")
            .examples("24h", "none")
            .inherited(span("24h"), PolicyField::never);
    public static final PolicyField<Mirroring> MIRROR = field("mirror", FieldType.MIRRORING)
            .column("mirror")
            .means("Rows of events in SQL: all, or none where the data already have a table elsewhere.")
            .inherited(Mirroring.ALL, PolicyField::never);
    public static final PolicyField<String> PATTERN = field("pattern", FieldType.TEXT)
            .column("pattern")
            .means("Pattern that a namespace inherits from: cache, session, keyvalue, timeseries, graph, vector, object"
                    + " or one of your own.")
            .examples("cache")
            .ownOnly();
    public static final PolicyField<Boolean> ENABLED = field("enabled", FieldType.TRUTH)
            .column("enabled")
            .means("Turns the policy on or off; false: Ebb ignores it.")
            .ownOnly();
    public static final PolicyField<Boolean> CONFIRMED = field("confirmed", FieldType.TRUTH)
            .column("confirmed")
            .means("Let this version delete more than the brake allows.")
            .ownOnly();
    public static final PolicyField<String> UPDATED_BY = field("updatedBy", FieldType.TEXT)
            .column("updated_by")
            .means("Author of the policy.")
            .ownOnly();
    public static final PolicyField<String> REASON = field("reason", FieldType.TEXT)
            .column("reason")
            .means("The author's reason.")
            .ownOnly();

    /** All fields but the scope, in the order of display. */
    public static final List<PolicyField<?>> ALL = List.copyOf(DEFINED);

    /** Fields that cap the number of events in a stream; the lowest cap counts. */
    static final List<PolicyField<Limit>> CAPS_ON_EVENTS = List.of(MAX_COUNT);

    /** Fields that cap the bytes of a stream; the lowest cap counts. */
    static final List<PolicyField<Limit>> CAPS_ON_BYTES = List.of(MAX_BYTES);

    private final Definition<T> definition;
    private final @Nullable T builtIn;
    private final BiPredicate<T, T> canDeleteMore;

    private PolicyField(Definition<T> definition, @Nullable T builtIn, BiPredicate<T, T> canDeleteMore) {
        this.definition = definition;
        this.builtIn = builtIn;
        this.canDeleteMore = canDeleteMore;
        DEFINED.add(this);
    }

    private static <T> Definition<T> field(String name, FieldType<T> type) {
        return new Definition<>(name, type);
    }

    /** Returns the name of the field as people write it. */
    public String fieldName() {
        return definition.name;
    }

    /** Returns the type of its value. */
    public FieldType<T> type() {
        return definition.type;
    }

    /** Returns the column of {@code retention_policy} for the field. */
    public String column() {
        return definition.column;
    }

    /** Returns a line about the field, for people. */
    public String meaning() {
        return definition.meaning;
    }

    /** Returns some values in their written form; empty where the type says enough. */
    public List<Object> examples() {
        return definition.examples;
    }

    /**
     * Returns true if a policy that does not set this field inherits it from the next wider scope; else the field
     * applies to its record alone.
     */
    public boolean isInherited() {
        return builtIn != null;
    }

    /**
     * Returns the value in force where no policy sets the field, unless the application sets another; null if the field
     * is not inherited.
     */
    public @Nullable T builtIn() {
        return builtIn;
    }

    /**
     * Returns true if sweeps that enforce may delete more under the second value than under the first, all else being
     * equal.
     */
    public boolean canDeleteMore(T before, T after) {
        return canDeleteMore.test(before, after);
    }

    @Override
    public String toString() {
        return definition.name;
    }

    private static Limit span(String duration) {
        return Limit.of(Durations.parseMs(duration));
    }

    private static boolean isLower(Limit before, Limit after) {
        return after.value() < before.value();
    }

    /** Returns true if a guard or lower bound became weaker; none is the weakest of all. */
    private static boolean isWeaker(Limit before, Limit after) {
        return !before.isNone() && (after.isNone() || isLower(before, after));
    }

    private static <T> boolean isOther(T before, T after) {
        return !before.equals(after);
    }

    @SuppressWarnings("unused") // as the others
    private static <T> boolean never(T before, T after) {
        return false;
    }

    /** A field that is being defined. */
    private static final class Definition<T> {

        private final String name;
        private final FieldType<T> type;
        private String column = "";
        private String meaning = "";
        private List<Object> examples = List.of();

        Definition(String name, FieldType<T> type) {
            this.name = name;
            this.type = type;
        }

        Definition<T> column(String column) {
            this.column = column;
            return this;
        }

        Definition<T> means(String meaning) {
            this.meaning = meaning;
            return this;
        }

        Definition<T> examples(Object... examples) {
            this.examples = List.of(examples);
            return this;
        }

        /**
         * Ends the definition of a field that narrower scopes inherit.
         *
         * @param canDeleteMore true if sweeps may delete more under the second value than under the first
         */
        PolicyField<T> inherited(T builtIn, BiPredicate<T, T> canDeleteMore) {
            return new PolicyField<>(this, builtIn, canDeleteMore);
        }

        /** Ends the definition of a field that applies to its record alone. */
        PolicyField<T> ownOnly() {
            return new PolicyField<>(this, null, PolicyField::never);
        }
    }
}
