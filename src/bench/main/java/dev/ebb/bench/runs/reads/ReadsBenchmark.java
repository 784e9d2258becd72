package dev.ebb.bench.runs.reads;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-22: answers that a person waits for, by REST: the first page of the audit, of the sweeps and of rejected records,
 * and the report on compliance, with 100 000 records of each in 16 partitions, and the forecast of all stored events.
 */
public final class ReadsBenchmark {

    private static final int PARTITIONS = 16;
    private static final int FEW_RECORDS = 2000;
    private static final int RECORDS = 100_000;
    private static final int SHORT_EVENTS = 1_000_000;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int EVENTS_OF_STREAM = 100;
    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final int QUESTIONS = 9;

    /** By policy all events go this long after they occurred. */
    private static final Duration MAX_AGE = Duration.ofDays(30);

    private static final Target PAGE = Target.valueAtMost(200, 50);

    private ReadsBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("reads", PARTITIONS);
            int events = settings.fewerEvents(
                    settings.byLength(EVENTS_OF_STREAM * PARTITIONS, SHORT_EVENTS, LONG_EVENTS), LONG_EVENTS);
            int streams = Math.max(1, events / EVENTS_OF_STREAM);
            InputTopic input = InputTopic.fill(lane, settings.workload(events, streams, PARTITIONS));
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            try (EbbProcess app = EbbProcess.start(lane)) {
                app.take(input.lastOffsets());
                new HistoryFiller(lane).fill(settings.byLength(FEW_RECORDS, RECORDS, RECORDS));
                progress.accept("all is there, settling for " + SETTLE.toSeconds() + " s");
                TimeUnit.MILLISECONDS.sleep(
                        settings.byLength(Duration.ZERO, SETTLE, SETTLE).toMillis());
                return measure(new RestReader(app.url()), input, progress);
            }
        }
    }

    private static List<Figure> measure(RestReader rest, InputTopic input, Consumer<String> progress) {
        List<Figure> figures = new ArrayList<>();
        figures.add(page(rest, "audit", "first page of the audit", "/v1/audit", progress));
        figures.add(page(rest, "sweeps", "first page of the sweeps", "/v1/sweeps", progress));
        figures.add(page(rest, "rejected", "first page of rejected records", "/v1/rejected", progress));
        figures.add(page(rest, "compliance", "report on compliance", "/v1/reports/compliance", progress));
        figures.add(forecast(rest, input, progress));
        return figures;
    }

    private static Figure page(RestReader rest, String id, String name, String path, Consumer<String> progress) {
        List<Double> times = times(rest, path);
        progress.accept(String.format(Locale.ROOT, "%s: %s ms", path, times));
        return Figure.alone("B-22-" + id, name, "ms", PAGE, times.subList(1, times.size()));
    }

    /**
     * Returns the times. The first request opens connections and loads classes, like that of a person in the morning.
     */
    private static List<Double> times(RestReader rest, String path) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i <= QUESTIONS; i++) {
            times.add(rest.milliseconds(path));
        }
        return times;
    }

    /**
     * Asks for forecasts of all stored events, each with other buckets, since an instance answers a repeated question at
     * once. The first question opens connections and makes the instance look at all streams for the first time.
     */
    private static Figure forecast(RestReader rest, InputTopic input, Consumer<String> progress) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i <= QUESTIONS; i++) {
            times.add(rest.milliseconds(byHour(input, i)));
        }
        progress.accept(String.format(Locale.ROOT, "%s ...: %s ms", byHour(input, 0), times));
        requireAll(rest, input);
        Target target = Target.valueAtMost(500, 100);
        return Figure.alone("B-22-forecast", "forecast of all events", "ms", target, times.subList(1, times.size()));
    }

    /**
     * Returns a request for buckets of an hour. Since the events are of the last hours, no stream falls into a single
     * bucket.
     */
    private static String byHour(InputTopic input, int number) {
        long end = input.workload().endMs() + MAX_AGE.toMillis();
        return String.format(
                Locale.ROOT,
                "/v1/forecast?step=hour&from=%d&to=%d",
                end - Duration.ofDays(2).plusMinutes(number).toMillis(),
                end + Duration.ofHours(1).minusMinutes(number).toMillis());
    }

    /** @throws VoidRunException if the answer does not cover all events */
    private static void requireAll(RestReader rest, InputTopic input) {
        var answer = rest.json(byHour(input, 0));
        long told = answer.path("stored").path("events").asLong();
        long stored = input.expected().events();
        if (told != stored || answer.path("partitionsMissing").asInt() != 0) {
            throw new VoidRunException("the forecast is about " + told + " of " + stored + " events");
        }
    }
}
