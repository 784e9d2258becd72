package dev.ebb.config;

import dev.ebb.domain.policy.Durations;
import java.net.URI;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * Rule for the value of a setting, in words for the documentation and as a check.
 *
 * @param type the kind of value, one word
 * @param values which values of that kind are allowed; empty if all are
 * @param check the fault of a parsed value, as the end of a sentence; null if there is none
 */
record Rule(String type, String values, Function<Object, @Nullable String> check) implements ConfigDef.Validator {

    private static final int MAX_PORT = 65_535;

    @Nullable
    String problem(Object value) {
        return check.apply(value);
    }

    @Override
    public void ensureValid(String name, @Nullable Object value) {
        String problem = value == null ? "must not be empty" : problem(value);
        if (problem != null) {
            throw new ConfigException(name + " " + problem);
        }
    }

    static Rule text() {
        return new Rule("text", "", value -> null);
    }

    static Rule name() {
        return matching("name", "letters, digits, '.', '_' and '-'", "[A-Za-z0-9._-]{1,100}");
    }

    static Rule nameOrEmpty() {
        return orEmpty(name());
    }

    static Rule notBlank(String type) {
        return new Rule(type, "not empty", value -> value.toString().isBlank() ? "must not be empty" : null);
    }

    static Rule flag() {
        return new Rule("boolean", "true, false", value -> null);
    }

    static Rule atLeast(long min) {
        return new Rule(
                "number",
                "at least " + min,
                value -> ((Number) value).longValue() < min ? "must be at least " + min : null);
    }

    static Rule between(long min, long max) {
        return new Rule("number", min + " to " + max, value -> {
            long number = ((Number) value).longValue();
            return number < min || number > max ? "must be from " + min + " to " + max : null;
        });
    }

    static Rule oneOf(String... allowed) {
        String list = String.join(", ", allowed);
        return new Rule(
                "word", list, value -> List.of(allowed).contains(value.toString()) ? null : "must be one of " + list);
    }

    static Rule duration(String min) {
        long minMs = Durations.parseMs(min);
        return new Rule("duration", "at least " + min, value -> problemOfDuration(value.toString(), minMs, min));
    }

    static Rule duration(String min, String max) {
        Rule atLeast = duration(min);
        return new Rule("duration", min + " to " + max, value -> {
            String problem = atLeast.problem(value);
            boolean isTooLong = problem == null && Durations.parseMs(value.toString()) > Durations.parseMs(max);
            return isTooLong ? "must be at most " + max : problem;
        });
    }

    static Rule durationOrEmpty(String min) {
        return orEmpty(duration(min));
    }

    static Rule durationOrUnlimited(String min) {
        Rule duration = duration(min);
        return new Rule(
                "duration",
                duration.values + ", or unlimited",
                value -> value.toString().equals("unlimited") ? null : duration.problem(value));
    }

    static Rule url(String... schemes) {
        String list = String.join(" or ", schemes);
        return new Rule("URL", list, value -> {
            String text = value.toString();
            return Stream.of(schemes).anyMatch(text::startsWith) ? null : "must begin with " + list;
        });
    }

    static Rule urlOrEmpty(String... schemes) {
        return orEmpty(url(schemes));
    }

    static Rule address() {
        return new Rule("host:port", "", value -> problemOfAddress(value.toString()));
    }

    static Rule addressOrEmpty() {
        return orEmpty(address());
    }

    static Rule orEmpty(Rule rule) {
        String values = rule.values.isEmpty() ? "or empty" : rule.values + ", or empty";
        return new Rule(rule.type, values, value -> value.toString().isEmpty() ? null : rule.problem(value));
    }

    /** Words separated by commas, none of them blank. */
    static Rule words() {
        return new Rule(
                "list", "words", value -> isListOfWords(value.toString()) ? null : "must be words separated by commas");
    }

    private static Rule matching(String type, String values, String pattern) {
        return new Rule(type, values, value -> value.toString().matches(pattern) ? null : "must be made of " + values);
    }

    private static boolean isListOfWords(String text) {
        return text.isEmpty() || Stream.of(text.split(",", -1)).noneMatch(String::isBlank);
    }

    private static @Nullable String problemOfDuration(String text, long minMs, String min) {
        try {
            return Durations.parseMs(text) < minMs ? "must be at least " + min : null;
        } catch (IllegalArgumentException e) {
            return "is not a duration; write for example 500ms, 15m, 24h, 30d or P30D";
        }
    }

    private static @Nullable String problemOfAddress(String text) {
        URI uri = toUri(text);
        return uri == null || uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > MAX_PORT
                ? "must be host:port with a port from 1 to " + MAX_PORT
                : null;
    }

    private static @Nullable URI toUri(String address) {
        try {
            return URI.create("tcp://" + address);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
