package dev.ebb.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySource;
import dev.ebb.domain.policy.Sourced;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Policy in force for a stream, each field as it is written in a policy, with the scope that it comes from. */
public record EffectivePolicyView(@JsonValue Map<String, FieldView> fields) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public EffectivePolicyView {}

    /**
     * One field.
     *
     * @param version the version of the record that sets the field; null if the value is built in
     */
    public record FieldView(
            Object value, String scope, @Nullable Long version) {

        private static <T> FieldView of(PolicyField<T> field, EffectivePolicy policy) {
            Sourced<T> sourced = policy.get(field);
            PolicySource source = sourced.source();
            return new FieldView(
                    field.type().write(sourced.value()), source.scope().toString(), source.version());
        }
    }

    public static EffectivePolicyView of(EffectivePolicy policy) {
        Map<String, FieldView> fields = new LinkedHashMap<>();
        policy.fields().keySet().forEach(field -> fields.put(field.fieldName(), FieldView.of(field, policy)));
        return new EffectivePolicyView(fields);
    }
}
