package dev.ebb.bench.runs.reads;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.bench.stack.SecondProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * B-22: the forecast of all events with two instances that share them, so that the asked instance must ask the other
 * one by REST, and add up both answers.
 */
public final class FleetBenchmark implements Benchmark {

    private static final String ID = "B-22-fleet";
    private static final int PARTITIONS = 16;
    private static final int STREAMS = 100_000;
    private static final int EVENTS_OF_STREAM = 10;
    private static final int SHORT_EVENTS = STREAMS * EVENTS_OF_STREAM;
    private static final int LONG_EVENTS = 10_000_000;
    private static final int PAGES = 9;
    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MS = 200;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "forecast over two instances";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("fleet", PARTITIONS);
            lane.renewAllTopics();
            new Policies(lane).putInForce(Policies.MONTH_FROM_OCCURRED);
            try (EbbProcess first = EbbProcess.start(lane);
                    SecondProcess second = SecondProcess.beside(first, progress)) {
                RestReader rest = new RestReader(first.url());
                awaitShared(rest, progress);
                InputTopic input = InputTopic.send(lane, workload(settings), progress);
                first.take(input.lastOffsets());
                progress.accept("all is there, settling for " + SETTLE.toSeconds() + " s");
                TimeUnit.MILLISECONDS.sleep(
                        settings.byLength(Duration.ZERO, SETTLE, SETTLE).toMillis());
                List<Figure> figures = new ArrayList<>(new ForecastTimes(ID, rest, input).measure(progress));
                figures.add(streams(rest, input, progress));
                awaitShared(rest, progress);
                return figures;
            }
        }
    }

    private static Workload workload(BenchSettings settings) {
        int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
        int streams = Math.max(1, Math.min(STREAMS, events / EVENTS_OF_STREAM));
        return settings.workload(events, streams, PARTITIONS).with(Mix.USUAL.eachStreamFirst());
    }

    /** Measures the first page of streams that lose events; each question is about another time. */
    private static Figure streams(RestReader rest, InputTopic input, Consumer<String> progress) {
        List<Double> times = new ArrayList<>();
        long end = input.workload().endMs() + Duration.ofDays(30).toMillis();
        String path = "";
        for (int i = 0; i <= PAGES; i++) {
            path = String.format(Locale.ROOT, "/v1/forecast/streams?limit=20&from=%d&to=%d", i, end + i);
            times.add(rest.milliseconds(path));
        }
        progress.accept(String.format(
                Locale.ROOT,
                "%s: %s ms, %,d streams",
                path,
                times,
                rest.json(path).path("streamsInAll").asLong()));
        return Figure.alone(
                ID + "-streams", "streams that fall due first", "ms", Target.REPORTED, times.subList(1, times.size()));
    }

    /** Waits until each partition has a keeper, and each of two instances keeps at least a third of them. */
    private static void awaitShared(RestReader rest, Consumer<String> progress) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            List<Integer> kept = new ArrayList<>();
            var answer = rest.json("/v1/instances");
            answer.path("instances")
                    .forEach(instance -> kept.add(instance.path("partitions").size()));
            boolean isWhole = kept.stream().mapToInt(Integer::intValue).sum() == PARTITIONS
                    && answer.path("unkept").isEmpty();
            if (isWhole && kept.size() == 2 && kept.stream().allMatch(count -> count >= PARTITIONS / 3)) {
                progress.accept("partitions of the instances: " + kept);
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new VoidRunException("the instances do not share the partitions: " + kept);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
