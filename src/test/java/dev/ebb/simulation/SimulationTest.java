package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random walks through instances, partitions, topics and transactions, one smallest step at a time, with the laws after
 * each. Half a minute with new seeds each time; {@code -Dsimulation.minutes=} for longer, {@code -Dsimulation.threads=} for
 * more than one at a time, {@code -Dsimulation.seed=} for one walk alone.
 */
@Tag("I-4")
@Tag("I-7")
class SimulationTest {

    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final long SHORTENING_MS = 60_000;

    @Test
    void shouldHoldTheLawsAfterEachStep() throws InterruptedException {
        Long only = Long.getLong("simulation.seed");
        if (only != null) {
            walk(only);
            return;
        }
        long first = System.nanoTime() & 0xFFFF_FFFFFL;
        AtomicLong nextSeed = new AtomicLong(first);
        AtomicLong steps = new AtomicLong();
        long begunNanos = System.nanoTime();
        long endNanos = begunNanos + duration().toNanos();
        onThreads(Integer.getInteger("simulation.threads", 1), isStopped -> {
            while (!isStopped.get() && System.nanoTime() < endNanos) {
                steps.addAndGet(walk(nextSeed.getAndIncrement()));
            }
        });
        long seconds = Math.max(1, (System.nanoTime() - begunNanos) / 1_000_000_000L);
        System.out.println("simulation: " + steps + " steps of walks from the seed " + first + " on, "
                + steps.get() * 60 / seconds + " a minute");
    }

    private static Duration duration() {
        Long minutes = Long.getLong("simulation.minutes");
        return minutes == null ? SHORT : Duration.ofMinutes(minutes);
    }

    private static long walk(long seed) {
        try {
            return Simulation.walk(seed, Mix.ALL);
        } catch (Simulation.Failure failure) {
            throw failure.told(SHORTENING_MS);
        }
    }

    private interface Walker {
        void walk(AtomicBoolean isStopped);
    }

    /** The first failure stops all of them. */
    private static void onThreads(int threads, Walker walker) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        AtomicBoolean isStopped = new AtomicBoolean();
        try {
            List<Future<?>> walks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                walks.add(pool.submit(() -> {
                    try {
                        walker.walk(isStopped);
                    } finally {
                        isStopped.set(true);
                    }
                }));
            }
            for (Future<?> walk : walks) {
                walk.get();
            }
        } catch (ExecutionException e) {
            throw (AssertionError) e.getCause();
        } finally {
            pool.shutdownNow();
            pool.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void shouldTakeTheSameWalkTwice() {
        // given
        Script script = Simulation.script(7, Mix.ALL, 600);

        // when
        List<String> once = told(script);
        List<String> again = told(Script.decode(script.encode()));

        // then
        assertThat(once).hasSizeGreaterThan(600).isEqualTo(again);
    }

    private static List<String> told(Script script) {
        List<String> log = new ArrayList<>();
        Violation violation = Simulation.play(script.seed(), script.mix(), script.steps(), log::add);
        log.add(String.valueOf(violation));
        return log;
    }
}
