package dev.ebb.topology;

import dev.ebb.topology.parts.TopologySettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays a case, and if it fails looks for fewer of its steps that fail as well, so that a person can read them. A play
 * of some steps alone is asked for with {@code -Dtest.steps=3,17}.
 */
final class RetentionPlayRunner {

    private static final int ATTEMPTS = 300;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final RetentionPlayCase plan;
    private final Function<TopologySettings, TopologyFixture> fixtures;

    RetentionPlayRunner(RetentionPlayCase plan, Function<TopologySettings, TopologyFixture> fixtures) {
        this.plan = plan;
        this.fixtures = fixtures;
    }

    /** Failure of a play, with the steps that led to it. */
    private record Failure(Throwable cause, List<String> log) {}

    /** @throws AssertionError with the steps that are left if the play fails */
    void play(boolean isShortened) {
        String asked = System.getProperty("test.steps");
        List<Integer> steps = asked == null
                ? IntStream.range(0, plan.steps().size()).boxed().toList()
                : Arrays.stream(asked.split(",")).map(Integer::valueOf).toList();
        Failure failure = attempt(steps);
        if (failure == null) {
            return;
        }
        List<Integer> left = isShortened ? shorten(steps) : steps;
        Failure shortest = attempt(left);
        Failure told = shortest == null ? failure : shortest;
        String list = String.join(",", left.stream().map(String::valueOf).toList());
        throw new AssertionError(
                "-Dtest.steps=" + list + " in a play of " + plan.kind() + ", batches of " + plan.batchDeletes() + ", "
                        + plan.brake() + ":\n" + String.join("\n", told.log()) + "\n" + told.cause(),
                told.cause());
    }

    /** Leaves out ever smaller pieces as long as the play fails without them. */
    private List<Integer> shorten(List<Integer> steps) {
        List<Integer> left = new ArrayList<>(steps);
        long until = System.nanoTime() + PATIENCE_NANOS;
        int attempts = 0;
        for (int piece = left.size() / 2; piece > 0; piece /= 2) {
            for (int from = left.size() - piece; from >= 0 && attempts < ATTEMPTS; from -= piece, attempts++) {
                List<Integer> without = new ArrayList<>(left);
                without.subList(from, Math.min(left.size(), from + piece)).clear();
                if (System.nanoTime() < until && attempt(without) != null) {
                    left = without;
                }
            }
        }
        return left;
    }

    private @Nullable Failure attempt(List<Integer> steps) {
        try (TopologyFixture fixture = fixtures.apply(plan.settings())) {
            RetentionPlay play = new RetentionPlay(plan, fixture);
            try {
                play.run(steps);
                return null;
            } catch (RuntimeException | AssertionError e) {
                return new Failure(e, play.log);
            }
        }
    }
}
