package dev.ebb.bench.runs.reads;

import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.InputTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Times of forecasts of all stored events, each with other buckets: an instance answers a repeated question at once.
 *
 * @param input all stored events
 */
record ForecastTimes(RestReader rest, InputTopic input) {

    private static final int QUESTIONS = 9;

    /** By policy all events go this long after they occurred. */
    private static final Duration MAX_AGE = Duration.ofDays(30);

    /**
     * Asks ten times; the first question opens connections and makes the instance look at all streams for the first
     * time.
     */
    List<Figure> measure(Consumer<String> progress) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i <= QUESTIONS; i++) {
            times.add(rest.milliseconds(byHour(i)));
        }
        progress.accept(String.format(Locale.ROOT, "%s ...: %s ms", byHour(0), times));
        requireAll();
        Target target = Target.valueAtMost(500, 100);
        List<Double> later = times.subList(1, times.size());
        return List.of(
                Figure.alone("B-22-forecast", "forecast of all events", "ms", target, later),
                Figure.alone(
                        "B-22-forecast-first",
                        "first forecast since the start",
                        "ms",
                        Target.REPORTED,
                        times.subList(0, 1)));
    }

    /**
     * Returns a request for buckets of an hour. Since the events are of the last hours, no stream falls into a single
     * bucket.
     */
    private String byHour(int number) {
        long end = input.workload().endMs() + MAX_AGE.toMillis();
        return String.format(
                Locale.ROOT,
                "/v1/forecast?step=hour&from=%d&to=%d",
                end - Duration.ofDays(2).plusMinutes(number).toMillis(),
                end + Duration.ofHours(1).minusMinutes(number).toMillis());
    }

    /** @throws VoidRunException if the answer does not cover all events */
    private void requireAll() {
        var answer = rest.json(byHour(0));
        long told = answer.path("stored").path("events").asLong();
        long stored = input.expected().events();
        if (told != stored || answer.path("partitionsMissing").asInt() != 0) {
            throw new VoidRunException("the forecast is about " + told + " of " + stored + " events");
        }
    }
}
