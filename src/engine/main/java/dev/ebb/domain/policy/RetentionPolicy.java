package dev.ebb.domain.policy;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.Anchor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A policy as declared for one scope. Every field but the scope may be missing: it is then inherited from the next
 * wider scope. {@link PolicyValidator} finds invalid values, so that it can name all faults at once; this class accepts
 * them. Immutable.
 */
public final class RetentionPolicy {

    /**
     * Fields about author, reason, reports, copies and rows of SQL, which make nothing due sooner or later; all other
     * fields may.
     */
    private static final Set<PolicyField<?>> UNDECISIVE = Set.of(
            PolicyField.WARN_BEFORE,
            PolicyField.ARCHIVE,
            PolicyField.UNDO,
            PolicyField.MIRROR,
            PolicyField.CONFIRMED,
            PolicyField.UPDATED_BY,
            PolicyField.REASON);

    /** Fields that may keep an event whose own TTL has passed. */
    private static final Set<PolicyField<?>> KEEPING_OWN_TTL = Set.of(
            PolicyField.MIN_TTL,
            PolicyField.MIN_AGE,
            PolicyField.KEEP_LAST,
            PolicyField.ANCHOR,
            PolicyField.MODE,
            PolicyField.PATTERN);

    private final Scope scope;
    private final Map<PolicyField<?>, Object> values;

    private RetentionPolicy(Scope scope, Map<PolicyField<?>, Object> values) {
        this.scope = scope;
        this.values = Snapshot.of(values);
    }

    /** Returns a builder of a policy that sets nothing yet. */
    public static Builder of(Scope scope) {
        return new Builder(scope);
    }

    /** Returns the scope to which the policy applies. */
    public Scope scope() {
        return scope;
    }

    /** Returns the value of the field; null if not set. */
    public <T> @Nullable T get(PolicyField<T> field) {
        return field.type().values().cast(values.get(field));
    }

    /**
     * Returns the scope and the fields that the policy sets, by name, in their written form: texts, whole numbers and
     * truth values.
     */
    public Map<String, Object> written() {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("scope", scope.toString());
        PolicyField.ALL.forEach(field -> write(field, written));
        return written;
    }

    private <T> void write(PolicyField<T> field, Map<String, Object> written) {
        T value = get(field);
        if (value != null) {
            written.put(field.fieldName(), field.type().write(value));
        }
    }

    /** Returns true if the record is enabled; a record without this field is enabled. */
    public boolean isEnabled() {
        return !Boolean.FALSE.equals(get(PolicyField.ENABLED));
    }

    /** Returns this policy, with the values of the other policy in all fields that this policy does not set. */
    public RetentionPolicy orElse(RetentionPolicy other) {
        Map<PolicyField<?>, Object> merged = new HashMap<>(other.values);
        merged.putAll(values);
        return new RetentionPolicy(scope, merged);
    }

    /** Returns the rules alone, without author, reason and the confirmation that more may be deleted. */
    public RetentionPolicy rules() {
        return toBuilder().updatedBy(null).reason(null).confirmed(null).build();
    }

    /** Returns true if the policies differ in a field that decides which events go, and when. */
    boolean decidesOtherwise(RetentionPolicy other) {
        return !deciding().equals(other.deciding());
    }

    /**
     * Returns the values of the record that may keep events whose own TTL has passed; none for a disabled record, or
     * where there is no record.
     */
    static Map<PolicyField<?>, Object> keepingOwnTtl(@Nullable RetentionPolicy record) {
        if (record == null || !record.isEnabled()) {
            return Map.of();
        }
        Map<PolicyField<?>, Object> keeping = new HashMap<>(record.values);
        keeping.keySet().retainAll(KEEPING_OWN_TTL);
        return keeping;
    }

    private Map<PolicyField<?>, Object> deciding() {
        Map<PolicyField<?>, Object> deciding = new HashMap<>(values);
        deciding.keySet().removeAll(UNDECISIVE);
        return deciding;
    }

    /** Returns true if the record sets no rule and is not disabled: only its author could say more. */
    public boolean isWithoutRule() {
        return isEnabled() && rules().toBuilder().enabled(null).build().values.isEmpty();
    }

    /** Returns a builder that starts with the values of this policy. */
    public Builder toBuilder() {
        Builder builder = new Builder(scope);
        builder.values.putAll(values);
        return builder;
    }

    /** Returns the pattern from which a namespace inherits, in a namespace scope only; null if not set. */
    public @Nullable String pattern() {
        return get(PolicyField.PATTERN);
    }

    /** Returns whether this version may delete more than the brake allows; never exported; null if not set. */
    public @Nullable Boolean confirmed() {
        return get(PolicyField.CONFIRMED);
    }

    /** Returns the author of the record; null if not set. */
    public @Nullable String updatedBy() {
        return get(PolicyField.UPDATED_BY);
    }

    /** Returns the reason of the author; null if not set. */
    public @Nullable String reason() {
        return get(PolicyField.REASON);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RetentionPolicy that && scope.equals(that.scope) && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return 31 * scope.hashCode() + values.hashCode();
    }

    @Override
    public String toString() {
        return "RetentionPolicy[" + scope + ", " + values + "]";
    }

    /** Collects the fields of a policy; null leaves a field unset. Not thread-safe. */
    public static final class Builder {

        private final Scope scope;
        private final Map<PolicyField<?>, Object> values = new HashMap<>();

        private Builder(Scope scope) {
            this.scope = scope;
        }

        public <T> Builder set(PolicyField<T> field, @Nullable T value) {
            if (value == null) {
                values.remove(field);
            } else {
                values.put(field, value);
            }
            return this;
        }

        public Builder maxAge(@Nullable Limit value) {
            return set(PolicyField.MAX_AGE, value);
        }

        public Builder maxCount(@Nullable Limit value) {
            return set(PolicyField.MAX_COUNT, value);
        }

        public Builder anchor(@Nullable Anchor value) {
            return set(PolicyField.ANCHOR, value);
        }

        public Builder mode(@Nullable PolicyMode value) {
            return set(PolicyField.MODE, value);
        }

        public Builder intervalMs(@Nullable Long value) {
            return set(PolicyField.INTERVAL, value);
        }

        public Builder enabled(@Nullable Boolean value) {
            return set(PolicyField.ENABLED, value);
        }

        public Builder confirmed(@Nullable Boolean value) {
            return set(PolicyField.CONFIRMED, value);
        }

        public Builder updatedBy(@Nullable String value) {
            return set(PolicyField.UPDATED_BY, value);
        }

        public Builder reason(@Nullable String value) {
            return set(PolicyField.REASON, value);
        }

        public RetentionPolicy build() {
            return new RetentionPolicy(scope, values);
        }
    }
}
