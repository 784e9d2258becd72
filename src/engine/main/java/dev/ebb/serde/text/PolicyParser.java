package dev.ebb.serde.text;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicyValidator;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
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

    static final String UNLIMITED = "unlimited";
    static final String NONE = "none";

    /** Fields whose word for no limit is "unlimited", caps and ages; for guards, bounds and windows it is "none". */
    private static final Set<PolicyField<?>> ARE_LIMITS =
            Set.of(PolicyField.MAX_AGE, PolicyField.MAX_COUNT, PolicyField.MAX_BYTES);

    private static final Set<PolicyField<?>> ARE_NUMBERS =
            Set.of(PolicyField.MAX_COUNT, PolicyField.MAX_BYTES, PolicyField.KEEP_LAST);

    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?\\d{1,18}");

    private final FieldReader reader;

    private PolicyParser(Map<String, ? extends @Nullable Object> fields) {
        this.reader = new FieldReader(fields, FIELDS);
    }

    /** The policy of these values: texts, numbers and truth values by the name of the field. */
    public static ParsedPolicy parse(Map<String, ? extends @Nullable Object> fields) {
        return new PolicyParser(fields).parse();
    }

    private ParsedPolicy parse() {
        Scope scope = reader.required("scope", value -> Scope.parse(text(value)));
        RetentionPolicy policy = policy(scope == null ? Scope.ALL : scope, scope != null);
        List<PolicyProblem> problems = new ArrayList<>(reader.problems());
        problems.addAll(PolicyValidator.problems(policy));
        boolean isFaulty = problems.stream().anyMatch(PolicyProblem::isFault);
        return new ParsedPolicy(isFaulty ? Optional.empty() : Optional.of(policy), problems);
    }

    /** Without a known scope, the pattern cannot be checked and is left out. */
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
        policy.set(field, reader.field(field.fieldName(), value -> field.type().cast(read(field, value))));
    }

    private static Object read(PolicyField<?> field, Object value) {
        if (field.type() == Limit.class) {
            return ARE_NUMBERS.contains(field) ? number(value, noLimit(field)) : duration(value, noLimit(field));
        }
        if (field.type() == Boolean.class) {
            return truth(value);
        }
        if (field.type() == Anchor.class) {
            return anchor(value);
        }
        if (field.type() == PolicyMode.class) {
            return mode(value);
        }
        if (field.type() == SweepWindow.class) {
            return SweepWindow.parse(text(value));
        }
        return field.type() == Long.class ? (Object) interval(value) : text(value);
    }

    /** The word for no limit in that field. */
    static String noLimit(PolicyField<?> field) {
        return ARE_LIMITS.contains(field) ? UNLIMITED : NONE;
    }

    /** Whether the limit in a field is a number; else it is a length of time. */
    static boolean isNumber(PolicyField<?> field) {
        return ARE_NUMBERS.contains(field);
    }

    private static Limit duration(Object value, String none) {
        if (!(value instanceof String text) || isNoDuration(text, none)) {
            throw wrong("a duration such as 30d, or '" + none + "'", value);
        }
        return text.equalsIgnoreCase(none) ? Limit.NONE : Limit.of(positive(Durations.parseMs(text), text));
    }

    /** Whether the text is the wrong word for no limit; that for ages differs from that for bounds. */
    private static boolean isNoDuration(String text, String none) {
        return !text.equalsIgnoreCase(none) && (text.equalsIgnoreCase(NONE) || text.equalsIgnoreCase(UNLIMITED));
    }

    private static Limit number(Object value, String none) {
        if (none.equalsIgnoreCase(value.toString())) {
            return Limit.NONE;
        }
        return Limit.of(positive(wholeNumber(value, none), value));
    }

    private static long wholeNumber(Object value, String none) {
        boolean isNumber = value instanceof Long || value instanceof Integer;
        if (!isNumber
                && !(value instanceof String text && WHOLE_NUMBER.matcher(text).matches())) {
            throw wrong("a whole number or '" + none + "'", value);
        }
        return Long.parseLong(value.toString());
    }

    private static long positive(long number, Object written) {
        if (number <= 0) {
            throw new IllegalArgumentException("must be positive, was " + written);
        }
        return number;
    }

    /** An interval in milliseconds; the validator checks whether it is positive. */
    private static long interval(Object value) {
        if (!(value instanceof String text)) {
            throw wrong("a duration such as 1s", value);
        }
        return Durations.parseMs(text);
    }

    private static Anchor anchor(Object value) {
        return Anchor.parse(text(value)).orElseThrow(() -> wrong("stored, occurred or completed", value));
    }

    private static PolicyMode mode(Object value) {
        return PolicyMode.parse(text(value)).orElseThrow(() -> wrong("enforce or warn", value));
    }

    private static boolean truth(Object value) {
        if (!(value instanceof Boolean truth)) {
            throw wrong("true or false", value);
        }
        return truth;
    }

    static String text(Object value) {
        if (!(value instanceof String text)) {
            throw wrong("a text", value);
        }
        return text;
    }

    private static IllegalArgumentException wrong(String wanted, Object value) {
        return new IllegalArgumentException("must be " + wanted + ", was '" + value + "'");
    }
}
