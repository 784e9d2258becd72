package dev.ebb.api;

import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySource;
import dev.ebb.domain.policy.Sourced;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is in force for a stream, each field as it is written in a policy, with the scope that it comes from. */
record EffectivePolicyView(
        FieldView maxAge,
        FieldView maxCount,
        FieldView maxBytes,
        FieldView keepLast,
        FieldView minAge,
        FieldView anchor,
        FieldView minTtl,
        FieldView maxTtl,
        FieldView allowInfiniteTtl,
        FieldView mode,
        FieldView interval,
        FieldView window,
        FieldView warnBefore,
        FieldView archive) {

    /**
     * One field.
     *
     * @param version the version of the record that says so; null if the value is built in
     */
    record FieldView(Object value, String scope, @Nullable Long version) {

        private static <T> FieldView of(Sourced<T> field, Function<T, Object> text) {
            PolicySource source = field.source();
            return new FieldView(text.apply(field.value()), source.scope().toString(), source.version());
        }
    }

    static EffectivePolicyView of(EffectivePolicy policy) {
        return new EffectivePolicyView(
                FieldView.of(policy.maxAge(), age -> duration(age, "unlimited")),
                FieldView.of(policy.maxCount(), cap -> number(cap, "unlimited")),
                FieldView.of(policy.maxBytes(), cap -> number(cap, "unlimited")),
                FieldView.of(policy.keepLast(), guard -> number(guard, "none")),
                FieldView.of(policy.minAge(), guard -> duration(guard, "none")),
                FieldView.of(policy.anchor(), anchor -> anchor.text()),
                FieldView.of(policy.minTtl(), bound -> duration(bound, "none")),
                FieldView.of(policy.maxTtl(), bound -> duration(bound, "none")),
                FieldView.of(policy.allowInfiniteTtl(), allowed -> allowed),
                FieldView.of(policy.mode(), mode -> mode.text()),
                FieldView.of(policy.intervalMs(), Durations::format),
                FieldView.of(policy.window(), window -> window.toString()),
                FieldView.of(policy.warnBefore(), time -> duration(time, "none")),
                FieldView.of(policy.archive(), isArchived -> isArchived));
    }

    private static Object duration(Limit limit, String none) {
        return limit.isNone() ? none : Durations.format(limit.value());
    }

    private static Object number(Limit limit, String none) {
        return limit.isNone() ? none : (Object) limit.value();
    }
}
