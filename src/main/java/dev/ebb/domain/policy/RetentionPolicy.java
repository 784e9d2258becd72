package dev.ebb.domain.policy;

import dev.ebb.domain.event.Anchor;
import org.jspecify.annotations.Nullable;

/**
 * What somebody declared for one scope. Every field but the scope may be null: inherited from the next wider scope.
 * Values that cannot mean anything are found by {@link PolicyValidator}, not here, so that all faults can be named at
 * once.
 *
 * @param scope what it applies to
 * @param maxAge age in milliseconds above which an eligible event goes
 * @param maxCount events of a stream above which the oldest eligible ones go
 * @param maxBytes size of a stream in bytes above which the oldest eligible events go
 * @param anchor what age counts from
 * @param minTtl lower bound, in milliseconds from the anchor, for TTLs that producers ask for
 * @param maxTtl upper bound, in milliseconds from the anchor, for TTLs that producers ask for; wins over {@code minTtl}
 * @param allowInfiniteTtl whether {@code noExpiration} is honoured
 * @param intervalMs how often a sweep runs, in milliseconds
 * @param pattern the pattern that a namespace inherits from; only in a namespace scope
 * @param enabled false: the record is ignored as if it were not there
 * @param updatedBy who wrote it
 * @param reason why
 */
public record RetentionPolicy(
        Scope scope,
        @Nullable Limit maxAge,
        @Nullable Limit maxCount,
        @Nullable Limit maxBytes,
        @Nullable Anchor anchor,
        @Nullable Limit minTtl,
        @Nullable Limit maxTtl,
        @Nullable Boolean allowInfiniteTtl,
        @Nullable Long intervalMs,
        @Nullable String pattern,
        @Nullable Boolean enabled,
        @Nullable String updatedBy,
        @Nullable String reason) {

    /** A policy that sets nothing, to begin a {@link #toBuilder()} with. */
    public static Builder of(Scope scope) {
        return new Builder(scope);
    }

    /** Whether the record counts; one that does not say is enabled. */
    public boolean isEnabled() {
        return !Boolean.FALSE.equals(enabled);
    }

    /** This policy, with the values of the other one for all that it does not set. */
    public RetentionPolicy orElse(RetentionPolicy other) {
        return new RetentionPolicy(
                scope,
                maxAge == null ? other.maxAge : maxAge,
                maxCount == null ? other.maxCount : maxCount,
                maxBytes == null ? other.maxBytes : maxBytes,
                anchor == null ? other.anchor : anchor,
                minTtl == null ? other.minTtl : minTtl,
                maxTtl == null ? other.maxTtl : maxTtl,
                allowInfiniteTtl == null ? other.allowInfiniteTtl : allowInfiniteTtl,
                intervalMs == null ? other.intervalMs : intervalMs,
                pattern == null ? other.pattern : pattern,
                enabled == null ? other.enabled : enabled,
                updatedBy == null ? other.updatedBy : updatedBy,
                reason == null ? other.reason : reason);
    }

    /** A builder that starts with the values of this policy. */
    public Builder toBuilder() {
        Builder builder = new Builder(scope);
        builder.maxAge = maxAge;
        builder.maxCount = maxCount;
        builder.maxBytes = maxBytes;
        builder.anchor = anchor;
        builder.minTtl = minTtl;
        builder.maxTtl = maxTtl;
        builder.allowInfiniteTtl = allowInfiniteTtl;
        builder.intervalMs = intervalMs;
        builder.pattern = pattern;
        builder.enabled = enabled;
        builder.updatedBy = updatedBy;
        builder.reason = reason;
        return builder;
    }

    /** Collects the fields of a policy; not thread-safe. */
    public static final class Builder {

        private final Scope scope;
        private @Nullable Limit maxAge;
        private @Nullable Limit maxCount;
        private @Nullable Limit maxBytes;
        private @Nullable Anchor anchor;
        private @Nullable Limit minTtl;
        private @Nullable Limit maxTtl;
        private @Nullable Boolean allowInfiniteTtl;
        private @Nullable Long intervalMs;
        private @Nullable String pattern;
        private @Nullable Boolean enabled;
        private @Nullable String updatedBy;
        private @Nullable String reason;

        private Builder(Scope scope) {
            this.scope = scope;
        }

        public Builder maxAge(@Nullable Limit limit) {
            maxAge = limit;
            return this;
        }

        public Builder maxCount(@Nullable Limit limit) {
            maxCount = limit;
            return this;
        }

        public Builder maxBytes(@Nullable Limit limit) {
            maxBytes = limit;
            return this;
        }

        public Builder anchor(@Nullable Anchor value) {
            anchor = value;
            return this;
        }

        public Builder minTtl(@Nullable Limit limit) {
            minTtl = limit;
            return this;
        }

        public Builder maxTtl(@Nullable Limit limit) {
            maxTtl = limit;
            return this;
        }

        public Builder allowInfiniteTtl(@Nullable Boolean value) {
            allowInfiniteTtl = value;
            return this;
        }

        public Builder intervalMs(@Nullable Long value) {
            intervalMs = value;
            return this;
        }

        public Builder pattern(@Nullable String value) {
            pattern = value;
            return this;
        }

        public Builder enabled(@Nullable Boolean value) {
            enabled = value;
            return this;
        }

        public Builder updatedBy(@Nullable String value) {
            updatedBy = value;
            return this;
        }

        public Builder reason(@Nullable String value) {
            reason = value;
            return this;
        }

        public RetentionPolicy build() {
            return new RetentionPolicy(
                    scope,
                    maxAge,
                    maxCount,
                    maxBytes,
                    anchor,
                    minTtl,
                    maxTtl,
                    allowInfiniteTtl,
                    intervalMs,
                    pattern,
                    enabled,
                    updatedBy,
                    reason);
        }
    }
}
