package dev.ebb.oracle;

import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.GenericRecord;

/** Rules by which policies and holds are invalid (M-11). */
final class PolicyValidity {

    private static final Set<String> ANCHORS = Set.of("stored", "occurred", "completed");
    private static final Set<String> MODES = Set.of("enforce", "warn");

    private static final Set<String> NO_RULES = Set.of("scope", "enabled", "confirmed", "updatedBy", "reason");

    private PolicyValidity() {}

    /** Null if it is a good one, or a removal. */
    static String fault(String key, GenericRecord value) {
        if (value == null) {
            return null;
        }
        if (value.getSchema().getName().equals("Hold")) {
            String covers = Fields.text(value, "covers");
            return key.equals("hold:" + Fields.text(value, "case")) && isScope(covers) && !covers.startsWith("pattern:")
                    ? null
                    : "it is no hold";
        }
        if (!key.equals(Fields.text(value, "scope")) || !isScope(key)) {
            return "its scope";
        }
        if (value.get("pattern") != null && !key.startsWith("namespace:")) {
            return "a pattern outside a namespace";
        }
        if (isWithoutRule(value)) {
            return "it has no rule";
        }
        String limits = faultOfLimits(value);
        return limits != null ? limits : faultOfWords(value);
    }

    /** Returns true for keys of policies and holds. */
    static boolean isKey(String key) {
        boolean isNamed = isScope(key) || key.startsWith("hold:");
        String name = key.substring(key.indexOf(':') + 1);
        return key.equals("*")
                || (isNamed && (key.startsWith("stream:") ? Names.isGoodStream(name) : Names.isGood(name)));
    }

    private static boolean isWithoutRule(GenericRecord value) {
        return !Boolean.FALSE.equals(value.get("enabled"))
                && value.getSchema().getFields().stream()
                        .filter(field -> !NO_RULES.contains(field.name()))
                        .allMatch(field -> value.get(field.pos()) == null);
    }

    private static boolean isScope(String text) {
        return text.equals("*")
                || List.of("stream:", "namespace:", "pattern:").stream().anyMatch(text::startsWith);
    }

    private static String faultOfLimits(GenericRecord value) {
        try {
            for (String field : List.of("maxAge", "minAge", "minTtl", "maxTtl", "interval", "warnBefore")) {
                if (value.get(field) != null && duration(value, field) <= 0) {
                    return field;
                }
            }
            for (String field : List.of("maxCount", "maxBytes", "keepLast")) {
                if (value.get(field) instanceof Long number && number <= 0) {
                    return field;
                }
            }
            boolean isUpsideDown = isAbove(value, "minTtl", "maxTtl") || isAbove(value, "minAge", "maxAge");
            return isUpsideDown ? "a lower bound above the upper one" : null;
        } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
            return "no duration";
        }
    }

    private static boolean isAbove(GenericRecord value, String lower, String upper) {
        return value.get(lower) != null
                && value.get(upper) != null
                && duration(value, lower) != Rules.NONE
                && duration(value, lower) > duration(value, upper);
    }

    private static long duration(GenericRecord value, String field) {
        return Rules.durationMs(Fields.text(value, field));
    }

    private static String faultOfWords(GenericRecord value) {
        String anchor = Fields.textOrEmpty(value, "anchor");
        String mode = Fields.textOrEmpty(value, "mode");
        boolean isGood = (anchor.isEmpty() || ANCHORS.contains(anchor)) && (mode.isEmpty() || MODES.contains(mode));
        return isGood ? null : "its anchor or mode";
    }
}
