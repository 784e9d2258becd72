package dev.ebb.serde.text;

import dev.ebb.domain.policy.FieldType;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicyValidator;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a policy from the values that people, files and records give to its fields, and names all faults at once
 * (M-11). A null equals a missing field.
 */
public final class PolicyParser {

    /** All fields, in the order of display. */
    public static final List<String> FIELDS = Stream.concat(
                    Stream.of("scope"), PolicyField.ALL.stream().map(PolicyField::fieldName))
            .toList();

    private final List<PolicyProblem> problems = new ArrayList<>();
    private final FieldReader reader;

    private PolicyParser(Map<String, ? extends @Nullable Object> fields) {
        this.reader = FieldReader.of(fields, FIELDS, problems);
    }

    /** Returns the policy of these values by the names of the fields: texts, numbers and truth values. */
    public static ParsedPolicy parse(Map<String, ? extends @Nullable Object> fields) {
        return new PolicyParser(fields).parse();
    }

    private ParsedPolicy parse() {
        Scope scope = reader.required("scope", value -> Scope.parse(FieldType.TEXT.read(value)));
        RetentionPolicy policy = policy(scope == null ? Scope.ALL : scope, scope != null);
        boolean isWhole = problems.isEmpty();
        PolicyValidator.problems(policy).stream()
                .filter(problem -> isWhole || !problem.equals(PolicyValidator.WITHOUT_RULE))
                .forEach(problems::add);
        boolean isFaulty = problems.stream().anyMatch(PolicyProblem::isFault);
        return new ParsedPolicy(isFaulty ? Optional.empty() : Optional.of(policy), problems);
    }

    /** Returns the policy of the fields. Without a known scope, the pattern cannot be checked and is left out. */
    private RetentionPolicy policy(Scope scope, boolean isScopeKnown) {
        RetentionPolicy.Builder policy = RetentionPolicy.of(scope);
        for (PolicyField<?> field : PolicyField.ALL) {
            if (isScopeKnown || field != PolicyField.PATTERN) {
                set(policy, field);
            }
        }
        return policy.build();
    }

    private <T> void set(RetentionPolicy.Builder policy, PolicyField<T> field) {
        policy.set(field, reader.value(field.fieldName(), field.type()::read));
    }
}
