package dev.ebb.config;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.time.Durations;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values that a setting may have, in words for the documentation and as a reader of texts.
 *
 * @param <T> the type of the values
 * @param type the kind of value, one word
 * @param values the allowed values of that kind; empty if all are allowed
 * @param reader makes a value from a text, or throws an {@link IllegalArgumentException} that names the fault
 */
record Kind<T>(String type, String values, Function<String, T> reader) {

    private static final int MAX_PORT = 65_535;

    /**
     * Returns the value of a text.
     *
     * @throws IllegalArgumentException if the text is not allowed; the message is the end of a sentence that begins
     *     with the key
     */
    T read(String text) {
        return reader.apply(text.trim());
    }

    /** Returns the fault of a text, as the end of a sentence that begins with the key; null if there is none. */
    @Nullable
    String faultOf(String text) {
        try {
            read(text);
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    static Kind<String> text() {
        return new Kind<>("text", "", text -> text);
    }

    /** Returns the kind of any text; an empty text stands for no value. */
    static <T> Kind<Optional<T>> optional(Function<String, T> reader) {
        return new Kind<>("text", "", orNone(reader));
    }

    static Kind<String> name() {
        String values = "letters, digits, '.', '_' and '-'";
        return text("name", values, text -> text.matches("[A-Za-z0-9._-]{1,100}"), "must be made of " + values);
    }

    static Kind<String> notBlank(String type) {
        return text(type, "not empty", text -> !text.isBlank(), "must not be empty");
    }

    /** Returns the kind of a folder, absolute once read; {@code ~} is the home of the user. */
    static Kind<Path> folder() {
        return notBlank("folder").as(text -> {
            boolean isInHome = text.equals("~") || text.startsWith("~/");
            Path path = isInHome ? Path.of(System.getProperty("user.home") + text.substring(1)) : Path.of(text);
            return path.toAbsolutePath().normalize();
        });
    }

    static Kind<String> oneOf(String... allowed) {
        String list = String.join(", ", allowed);
        return text("word", list, List.of(allowed)::contains, "must be one of " + list);
    }

    static Kind<String> url(String... schemes) {
        String list = String.join(" or ", schemes);
        return text("URL", list, text -> Stream.of(schemes).anyMatch(text::startsWith), "must begin with " + list);
    }

    /** Returns the kind of a URL; an empty text stands for none. */
    static Kind<String> urlOrNone(String... schemes) {
        String list = String.join(" or ", schemes);
        return text(
                "URL",
                list + ", or empty",
                text -> text.isEmpty() || Stream.of(schemes).anyMatch(text::startsWith),
                "must begin with " + list + ", or be empty");
    }

    /** Returns the kind of addresses of a service, separated by commas; an empty text stands for none. */
    static Kind<List<URI>> urls() {
        Kind<URI> one = url("http://", "https://").as(URI::create);
        return new Kind<>(
                "list",
                "http://host:port, https://host:port, or empty",
                text -> text.isEmpty()
                        ? List.of()
                        : Stream.of(text.split(",", -1)).map(one::read).toList());
    }

    /** Returns the kind of words separated by commas, none of them blank. */
    static Kind<List<String>> words() {
        return text("list", "words", Kind::isListOfWords, "must be words separated by commas")
                .as(text -> text.isEmpty() ? List.of() : List.of(text.split(",", -1)));
    }

    /** Returns the kind of names with one of these words each, such as {@code a=on,b=off}. */
    static Kind<Map<String, String>> pairs(String... allowed) {
        String list = String.join(", ", allowed);
        String fault = "must be NAME=WORD, separated by commas, with words of " + list;
        return words().as(words -> {
            Map<String, String> pairs = new LinkedHashMap<>();
            for (String word : words) {
                int sign = word.lastIndexOf('=');
                String value = word.substring(sign + 1).strip();
                if (sign < 1 || !List.of(allowed).contains(value)) {
                    throw new IllegalArgumentException(fault);
                }
                pairs.put(word.substring(0, sign).strip(), value);
            }
            return pairs;
        });
    }

    static Kind<Address> address() {
        String fault = "must be host:port with a port from 1 to " + MAX_PORT;
        return new Kind<>("host:port", "", parsing(text -> URI.create("tcp://" + text), fault))
                .where(uri -> uri.getHost() != null && uri.getPort() >= 1 && uri.getPort() <= MAX_PORT, fault)
                .as(uri -> new Address(uri.getHost(), uri.getPort()));
    }

    /** Returns the kind of addresses of pages, separated by commas. */
    static Kind<PublicUrls> publicUrls() {
        return new Kind<>("list", "https://host:port, http://host:port", PublicUrls::parse);
    }

    static Kind<Boolean> flag() {
        return text("boolean", "true, false", text -> text.matches("(?i)true|false"), "must be a boolean")
                .as(Boolean::valueOf);
    }

    static Kind<Integer> atLeast(int min) {
        return number("at least " + min, Integer::valueOf).where(number -> number >= min, "must be at least " + min);
    }

    static Kind<Integer> between(int min, int max) {
        return number(min + " to " + max, Integer::valueOf)
                .where(number -> number >= min && number <= max, "must be from " + min + " to " + max);
    }

    static Kind<Long> size(long min) {
        return number("at least " + min, Long::valueOf).where(number -> number >= min, "must be at least " + min);
    }

    static Kind<Duration> duration(String min) {
        return durationFrom(min, "at least " + min);
    }

    static Kind<Duration> duration(String min, String max) {
        Duration most = durationOf(max);
        return durationFrom(min, min + " to " + max)
                .where(duration -> duration.compareTo(most) <= 0, "must be at most " + max);
    }

    /** Returns the kind of a duration, or {@code unlimited}. */
    static Kind<Limit> limit(String min) {
        Kind<Duration> duration = duration(min);
        return new Kind<>(
                duration.type,
                duration.values + ", or unlimited",
                text -> text.equals("unlimited")
                        ? Limit.NONE
                        : Limit.of(duration.read(text).toMillis()));
    }

    /** Returns this kind with a further conversion of its values. */
    <R> Kind<R> as(Function<T, R> further) {
        return new Kind<>(type, values, reader.andThen(further));
    }

    /** Returns this kind with the empty text, which stands for no value. */
    Kind<Optional<T>> orEmpty() {
        return new Kind<>(type, values.isEmpty() ? "or empty" : values + ", or empty", orNone(reader));
    }

    private Kind<T> where(Predicate<T> isAllowed, String fault) {
        return as(value -> {
            if (isAllowed.test(value)) {
                return value;
            }
            throw new IllegalArgumentException(fault);
        });
    }

    private static Kind<String> text(String type, String values, Predicate<String> isAllowed, String fault) {
        return new Kind<String>(type, values, text -> text).where(isAllowed, fault);
    }

    private static <N> Kind<N> number(String values, Function<String, N> reader) {
        return new Kind<>("number", values, parsing(reader, "must be a number"));
    }

    private static Kind<Duration> durationFrom(String min, String values) {
        String fault = "is not a duration; write for example 500ms, 15m, 24h, 30d or P30D";
        Duration least = durationOf(min);
        return new Kind<>("duration", values, parsing(Kind::durationOf, fault))
                .where(duration -> duration.compareTo(least) >= 0, "must be at least " + min);
    }

    private static Duration durationOf(String text) {
        return Duration.ofMillis(Durations.parseMs(text));
    }

    private static boolean isListOfWords(String text) {
        return text.isEmpty() || Stream.of(text.split(",", -1)).noneMatch(String::isBlank);
    }

    private static <T> Function<String, Optional<T>> orNone(Function<String, T> reader) {
        return text -> text.isEmpty() ? Optional.empty() : Optional.of(reader.apply(text));
    }

    private static <T> Function<String, T> parsing(Function<String, T> reader, String fault) {
        return text -> {
            try {
                return reader.apply(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(fault, e);
            }
        };
    }

    /** Returns the kind in words, for the documentation. */
    @Override
    public String toString() {
        return values.isEmpty() ? type : type + ": " + values;
    }
}
