package dev.ebb.oracle;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.generic.GenericRecord;

/**
 * Rules in force for one stream: each field from the most specific scope that sets it (M-7), and what is built in
 * (M-8).
 */
final class Rules {

    /** A limit that never is reached; also a guard that guards nothing has this value. */
    static final long NONE = Long.MAX_VALUE;

    private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d|w)");
    private static final Pattern WINDOW = Pattern.compile("(\\d\\d:\\d\\d)-(\\d\\d:\\d\\d) (.+)");

    /** A record of a scope with its version; the built-in ones have the version -1. */
    record Layer(String scope, long version, GenericRecord policy) {}

    /** From which scope and version a field comes. */
    record Source(String scope, long version) {}

    private final List<Layer> layers;

    /** @param layers the most specific first */
    Rules(List<Layer> layers) {
        this.layers = layers;
    }

    long maxAgeMs() {
        return duration("maxAge");
    }

    long maxCount() {
        return number("maxCount");
    }

    long maxBytes() {
        return number("maxBytes");
    }

    long keepLast() {
        return number("keepLast");
    }

    long minAgeMs() {
        return duration("minAge");
    }

    String anchor() {
        String anchor = text("anchor");
        return anchor == null ? "stored" : anchor.toLowerCase(Locale.ROOT);
    }

    boolean allowsInfinite() {
        return Boolean.TRUE.equals(value("allowInfiniteTtl"));
    }

    boolean isEnforced() {
        return !"warn".equalsIgnoreCase(text("mode"));
    }

    /** Where a field comes from; what is built in of all has the scope {@code *}. */
    Source source(String field) {
        return layers.stream()
                .filter(layer -> layer.policy().get(field) != null)
                .findFirst()
                .map(layer -> new Source(layer.scope(), layer.version()))
                .orElse(new Source("*", -1));
    }

    /** Time that the event's age is counted from; the execution's completion is for events of one that was declared. */
    long anchorMs(Row row, Long executionCompletedAt) {
        return switch (anchor()) {
            case "occurred" -> row.occurredAt();
            case "completed" ->
                executionCompletedAt != null
                        ? executionCompletedAt
                        : row.completedAt() == null ? row.storedAt() : row.completedAt();
            default -> row.storedAt();
        };
    }

    /** The last millisecond in which it stays by its own TTL or else by its age (M-10, M-13). */
    long dueMs(Row row, long anchorMs) {
        if (!row.hasOwnTtl()) {
            return isInfinite(row) ? NONE : plus(anchorMs, maxAgeMs());
        }
        long asked = row.expiresAt() != null
                ? row.expiresAt()
                : plus(anchorMs, row.ttlSeconds() > NONE / 1000 ? NONE : row.ttlSeconds() * 1000);
        long minTtl = duration("minTtl");
        long atLeast = minTtl == NONE ? asked : Math.max(asked, plus(anchorMs, minTtl));
        return Math.min(atLeast, plus(anchorMs, duration("maxTtl")));
    }

    boolean isInfinite(Row row) {
        return row.noExpiration() && allowsInfinite();
    }

    boolean isGuardedByAge(long anchorMs, long nowMs) {
        return minAgeMs() != NONE && nowMs < plus(anchorMs, minAgeMs());
    }

    boolean isWindowOpen(long nowMs) {
        String window = text("window");
        Matcher matcher = window == null ? null : WINDOW.matcher(window);
        if (matcher == null || !matcher.matches()) {
            return true;
        }
        LocalTime from = LocalTime.parse(matcher.group(1));
        LocalTime to = LocalTime.parse(matcher.group(2));
        LocalTime now =
                Instant.ofEpochMilli(nowMs).atZone(ZoneId.of(matcher.group(3))).toLocalTime();
        boolean isAfterBegin = !now.isBefore(from);
        boolean isBeforeEnd = now.isBefore(to);
        return from.isBefore(to) ? isAfterBegin && isBeforeEnd : isAfterBegin || isBeforeEnd;
    }

    private Object value(String field) {
        return layers.stream()
                .map(layer -> layer.policy().get(field))
                .filter(value -> value != null)
                .findFirst()
                .orElse(null);
    }

    private String text(String field) {
        Object value = value(field);
        return value == null ? null : value.toString();
    }

    private long number(String field) {
        Object value = value(field);
        return value instanceof Long number ? number : value == null ? NONE : count(value.toString());
    }

    private static long count(String text) {
        return text.chars().allMatch(Character::isDigit) ? Long.parseLong(text) : NONE;
    }

    private long duration(String field) {
        String text = text(field);
        return text == null ? NONE : durationMs(text);
    }

    /** Milliseconds of a duration as people write it; {@link #NONE} for {@code unlimited} and {@code none}. */
    static long durationMs(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        Matcher matcher = DURATION.matcher(lower);
        if (matcher.matches()) {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), unitMs(matcher.group(2)));
        }
        return lower.equals("unlimited") || lower.equals("none")
                ? NONE
                : Duration.parse(lower).toMillis();
    }

    private static long unitMs(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> 604_800_000;
        };
    }

    static long plus(long timeMs, long durationMs) {
        long sum = timeMs + durationMs;
        return durationMs == NONE || sum < 0 ? NONE : sum;
    }
}
