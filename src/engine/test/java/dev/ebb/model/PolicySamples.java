package dev.ebb.model;

import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.stream.Stream;

/** Samples of what people write in the fields of a policy, by what the catalogue of the fields says. */
public final class PolicySamples {

    private PolicySamples() {}

    /** Values that may be written in a field: each word of its type, or each of its examples, or any text. */
    public static List<Object> of(PolicyField<?> field) {
        if (field.type().written() == FieldType.Form.TRUTH) {
            return List.of(true, false);
        }
        List<Object> known = Stream.concat(field.type().words().stream(), field.examples().stream())
                .toList();
        return known.isEmpty() ? List.of("some text") : known;
    }

    /** The policy of a namespace that sets that field alone, as it is written; with a rule if the field is none. */
    public static RetentionPolicy policy(PolicyField<?> field, Object written) {
        RetentionPolicy.Builder policy = RetentionPolicy.of(Scope.namespace("n"));
        set(policy, field, written);
        if (policy.build().isWithoutRule()) {
            policy.maxAge(Limit.NONE);
        }
        return policy.build();
    }

    /** A policy of a namespace that sets every field. */
    public static RetentionPolicy full() {
        RetentionPolicy.Builder policy = RetentionPolicy.of(Scope.namespace("n"));
        PolicyField.ALL.forEach(field -> set(policy, field, of(field).get(0)));
        return policy.build();
    }

    private static <T> void set(RetentionPolicy.Builder policy, PolicyField<T> field, Object written) {
        policy.set(field, field.type().read(written));
    }
}
