package dev.ebb.api.http;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Durations;
import dev.ebb.domain.time.Times;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.ProblemView.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. Parameters that the route does not declare are refused, since a misspelt filter
 * would filter nothing.
 */
public final class QueryParams {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final Set<String> known;
    private final Set<String> repeated;
    private final Map<String, List<String>> values;
    private final long nowMs;
    private final ObjLongConsumer<String> moments;
    private final List<Fault> faults = new ArrayList<>();

    /**
     * @param repeated the declared ones that may be given more than once
     * @param nowMs the moment in which the request came, epoch milliseconds: durations end there
     * @param moments takes each moment that a parameter names, as it was understood
     */
    QueryParams(
            Collection<String> declared,
            Collection<String> repeated,
            Map<String, List<String>> values,
            long nowMs,
            ObjLongConsumer<String> moments) {
        this.known = new TreeSet<>(declared);
        this.repeated = new TreeSet<>(repeated);
        this.values = values;
        this.nowMs = nowMs;
        this.moments = moments;
        values.forEach(this::check);
    }

    private void check(String name, List<String> given) {
        if (!known.contains(name)) {
            String offer = known.isEmpty() ? "there are none here" : "known here: " + String.join(", ", known);
            faults.add(new Fault(name, "is not a known parameter; " + offer));
        } else if (given.size() > 1 && !repeated.contains(name)) {
            faults.add(new Fault(name, "is given " + given.size() + " times"));
        } else {
            for (String one : given) {
                String problem = SignatureRule.problem(name, one);
                if (problem != null) {
                    faults.add(new Fault(name, problem));
                }
            }
        }
    }

    /**
     * Returns the conditions of a parameter that may be repeated; {@link #done} reports if there is none, or one that is
     * wrong.
     */
    public List<EventCondition> conditions(String name) {
        require(name, "such as metadata.user=42");
        List<EventCondition> conditions = new ArrayList<>();
        for (String text : values.getOrDefault(name, List.of())) {
            try {
                conditions.add(EventCondition.parse(text));
            } catch (IllegalArgumentException e) {
                faults.add(new Fault(name, String.valueOf(e.getMessage())));
            }
        }
        String problem = EventCondition.problem(conditions);
        if (problem != null) {
            faults.add(new Fault(name, problem));
        }
        return conditions;
    }

    /**
     * Returns the text of a parameter; null if it is missing.
     *
     * @throws IllegalArgumentException if the route does not declare it
     */
    @Nullable
    public String text(String name) {
        if (!known.contains(name)) {
            throw new IllegalArgumentException("the route does not declare '" + name + "'");
        }
        List<String> given = values.getOrDefault(name, List.of());
        return given.isEmpty() ? null : given.get(0);
    }

    public String text(String name, String otherwise) {
        String text = text(name);
        return text == null ? otherwise : text;
    }

    /** Requires a parameter; {@link #done} reports a missing one, with this example. */
    public void require(String name, String example) {
        if (text(name) == null) {
            faults.add(new Fault(name, "must be named, " + example));
        }
    }

    /** Returns a time to wait, in seconds or as a duration, of at most a minute. */
    public Duration wait(Duration otherwise) {
        String text = text("wait");
        if (text == null) {
            return otherwise;
        }
        try {
            long ms = text.matches("-?\\d{1,9}") ? 1000 * Long.parseLong(text) : Durations.parseMs(text);
            if (ms >= 0 && ms <= MAX_WAIT.toMillis()) {
                return Duration.ofMillis(ms);
            }
        } catch (IllegalArgumentException e) {
            faults.add(new Fault("wait", "is not a time: " + e.getMessage()));
            return otherwise;
        }
        faults.add(new Fault("wait", "must be 0 to " + MAX_WAIT.toSeconds() + " seconds, was '" + text + "'"));
        return otherwise;
    }

    /**
     * Returns a scope or {@code hold:<case>}, which must be present; null if it is wrong, which {@link #done} reports.
     */
    @Nullable
    public PolicyKey policyKey(String name) {
        String text = text(name);
        if (text == null) {
            faults.add(new Fault(name, "must be named"));
            return null;
        }
        try {
            return PolicyKey.parse(text);
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(name, String.valueOf(e.getMessage())));
            return null;
        }
    }

    /** Returns the name of a stream, whether or not the stream exists; null if the parameter is missing or wrong. */
    @Nullable
    public String streamName(String name) {
        String text = text(name);
        try {
            return text == null ? null : new StreamName(text).value();
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(name, "is not a stream name: " + e.getMessage()));
            return null;
        }
    }

    /** Returns a number of at least 0; null if the parameter is missing. */
    @Nullable
    public Long number(String name) {
        String text = text(name);
        if (text == null || text.matches("\\d{1,18}")) {
            return text == null ? null : Long.valueOf(text);
        }
        faults.add(new Fault(name, "must be a number of at least 0, was '" + text + "'"));
        return null;
    }

    /** Returns the milliseconds of a duration such as {@code 24h}; null if the parameter is missing. */
    @Nullable
    public Long duration(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        try {
            long ms = Durations.parseMs(text);
            if (ms >= 0) {
                return ms;
            }
            faults.add(new Fault(name, "must not be negative, was '" + text + "'"));
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(name, "is not a duration: " + e.getMessage()));
        }
        return null;
    }

    public int limit() {
        return number("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
    }

    /**
     * Returns a number from the least to the most; the default if the parameter is missing or wrong, which {@link
     * #done} reports.
     */
    public int number(String name, int least, int most, int otherwise) {
        String text = text(name);
        if (text == null) {
            return otherwise;
        }
        if (text.matches("\\d{1,4}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        faults.add(new Fault(name, "must be a number from " + least + " to " + most + ", was '" + text + "'"));
        return otherwise;
    }

    /** Returns one of the words, in upper case as in the collection; null if the parameter is missing. */
    @Nullable
    public String word(String name, Collection<String> words) {
        String text = text(name);
        if (text == null || words.contains(text.toUpperCase(Locale.ROOT))) {
            return text == null ? null : text.toUpperCase(Locale.ROOT);
        }
        faults.add(new Fault(name, "must be one of " + String.join(", ", words) + ", was '" + text + "'"));
        return null;
    }

    /**
     * Returns the range from the first to the last millisecond that {@code from} and {@code to} name; all of time
     * without them.
     */
    public TimeRange time() {
        Long from = moment("from", DateBound.BEGINNING);
        Long to = moment("to", DateBound.END);
        if (from != null && to != null && from > to) {
            faults.add(new Fault("from", "must not be after 'to'"));
            return TimeRange.ALWAYS;
        }
        return new TimeRange(from == null ? 0 : from, to == null ? Long.MAX_VALUE : to);
    }

    /**
     * Returns a time in epoch milliseconds; null if the parameter is missing or wrong, which {@link #done} reports.
     *
     * @param bound the meaning of a date
     */
    @Nullable
    public Long moment(String name, DateBound bound) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        try {
            long ms = Times.read(text, bound, nowMs);
            moments.accept(name, ms);
            return ms;
        } catch (IllegalArgumentException e) {
            faults.add(new Fault(name, "is not a time: " + e.getMessage()));
            return null;
        }
    }

    /** Returns true for {@code name}, {@code name=} and {@code name=true}. */
    public boolean flag(String name) {
        String text = text(name, "false");
        if (!Set.of("", "true", "false").contains(text)) {
            faults.add(new Fault(name, "must be true or false, was '" + text + "'"));
        }
        return !text.equals("false");
    }

    /**
     * Ends the request if a value is wrong, that of {@code stale} included; must be called after all values have been
     * read.
     */
    public void done() {
        if (known.contains(ApiRoute.STALE)) {
            flag(ApiRoute.STALE);
        }
        if (!faults.isEmpty()) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, "the query parameters are wrong", faults);
        }
    }
}
