package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ebb.bench.harness.BenchSettings.Length;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuelTest {

    private static final Function<BenchSettings, TimeLimit> LIMITLESS = settings -> TimeLimit.NONE;

    private final List<String> runs = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    @Test
    void shouldRunInTurn() throws InterruptedException {
        // when
        var rounds = duel(trial("a", () -> 6.0), trial("b", () -> 3.0), trial("c", () -> 2.0))
                .run(settings(Length.LONG), 2);

        // then
        assertThat(runs).containsExactly("a", "b", "c", "a", "b", "c");
        assertThat(rounds).hasSize(2).allMatch(round -> round.of(0) == 6 && round.of(2) == 2);
        assertThat(progress)
                .containsExactly("pair 1 of 2: a 6.00, b 3.00, c 2.00 x", "pair 2 of 2: a 6.00, b 3.00, c 2.00 x");
    }

    @Test
    void shouldCompareWithinRounds() throws InterruptedException {
        // given
        List<Double> first = new ArrayList<>(List.of(10.0, 60.0, 50.0));
        List<Double> second = new ArrayList<>(List.of(100.0, 100.0, 50.0));

        // when
        var rounds = duel(trial("a", () -> first.remove(0)), trial("b", () -> second.remove(0)))
                .run(settings(Length.LONG), 3);
        Figure figure = new Versus<>("b", rounds).figure("B-0", "n", "x", Target.REPORTED, value -> value);

        // then
        assertThat(figure.ratio()).hasValue(0.6);
    }

    @Test
    void shouldWarmEachUpByWhatItHasRunItself() throws InterruptedException {
        // given one that runs for 8 s and one for 30 s
        AtomicLong nanos = new AtomicLong();
        Trial<Double> quick = trial("a", () -> (double) nanos.addAndGet(8_000_000_000L));
        Trial<Double> slow = trial("b", () -> (double) nanos.addAndGet(30_000_000_000L));
        Duel<Double> duel =
                new Duel<>(List.of(quick, slow), value -> value, "x", progress::add, nanos::get, () -> 0, LIMITLESS);

        // when
        duel.warmUpEach(settings(Length.LONG));

        // then
        assertThat(runs).containsExactly("a", "b", "a", "a");
    }

    @Test
    void shouldWarmEachUpAsOftenAsItAsksFor() throws InterruptedException {
        // given two that run for 30 s
        AtomicLong nanos = new AtomicLong();
        Supplier<Double> run = () -> (double) nanos.addAndGet(30_000_000_000L);
        Duel<Double> duel = new Duel<>(
                List.of(trial("a", run, 2), trial("b", run, 1)),
                value -> value,
                "x",
                progress::add,
                nanos::get,
                () -> 0,
                LIMITLESS);

        // when
        duel.warmUpEach(settings(Length.LONG));

        // then
        assertThat(runs).containsExactly("a", "b", "a");
    }

    @Test
    void shouldWarmUpHalfAsOftenInTheShortForm() throws InterruptedException {
        // given three that run for 30 s
        AtomicLong nanos = new AtomicLong();
        Supplier<Double> run = () -> (double) nanos.addAndGet(30_000_000_000L);
        Duel<Double> duel = new Duel<>(
                List.of(trial("a", run, 5), trial("b", run, 2), trial("c", run, 1)),
                value -> value,
                "x",
                progress::add,
                nanos::get,
                () -> 0,
                LIMITLESS);

        // when
        duel.warmUpEach(settings(Length.SHORT));

        // then
        assertThat(runs).containsExactly("a", "b", "c", "a", "a");
    }

    @Test
    void shouldNotWarmUpForOneRun() throws InterruptedException {
        // given
        Duel<Double> duel = duel(trial("a", () -> 1.0), trial("b", () -> 1.0));

        // when
        duel.warmUp(settings(Length.ONCE), 3);
        duel.warmUpEach(settings(Length.ONCE));

        // then
        assertThat(runs).isEmpty();
    }

    /** 20 s a run: 2 s are a tenth. */
    @Test
    void shouldWarmUpUntilLessThanATenthOfARunIsCompiling() throws InterruptedException {
        // given
        AtomicLong nanos = new AtomicLong();
        AtomicLong compiling = new AtomicLong();
        List<Long> millis = new ArrayList<>(List.of(9000L, 2001L, 2000L, 1999L, 9000L));
        Trial<Double> trial = trial("a", () -> {
            compiling.addAndGet(millis.remove(0) * 1_000_000);
            return (double) nanos.addAndGet(20_000_000_000L);
        });
        Duel<Double> duel =
                new Duel<>(List.of(trial), value -> value, "x", progress::add, nanos::get, compiling::get, LIMITLESS);

        // when
        duel.warmUpEach(settings(Length.LONG));

        // then
        assertThat(runs).hasSize(4);
    }

    @Test
    void shouldEndTheWarmUpAfterTenRunsEvenIfTheCompilerDoesNot() throws InterruptedException {
        // given
        AtomicLong nanos = new AtomicLong();
        Trial<Double> trial = trial("a", () -> (double) nanos.addAndGet(20_000_000_000L));
        Duel<Double> duel =
                new Duel<>(List.of(trial), value -> value, "x", progress::add, nanos::get, nanos::get, LIMITLESS);

        // when
        duel.warmUpEach(settings(Length.LONG));

        // then
        assertThat(runs).hasSize(10);
    }

    @Test
    void shouldEndWithAVoidRun() {
        // given
        Duel<Double> duel = duel(trial("a", () -> 1.0), trial("b", () -> {
            throw new VoidRunException("wrong");
        }));

        // then
        assertThatExceptionOfType(VoidRunException.class).isThrownBy(() -> duel.run(settings(Length.LONG), 3));
        assertThat(runs).containsExactly("a", "b");
    }

    /** Runs of 10 s each; the warm-up has half of the time. */
    @ParameterizedTest
    @CsvSource({"20, 1, 1", "30, 2, 1", "31, 2, 2", "40, 2, 2", "41, 3, 2", "100, 3, 3"})
    void shouldBeginNoRunWhenTheTimeIsOver(int limit, int warmUps, int pairs) throws InterruptedException {
        // given
        AtomicLong nanos = new AtomicLong();
        Trial<Double> trial = trial("a", () -> (double) nanos.addAndGet(10_000_000_000L), 6);
        Duel<Double> duel = new Duel<>(
                List.of(trial),
                value -> value,
                "x",
                progress::add,
                nanos::get,
                () -> 0,
                settings -> new TimeLimit(Duration.ofSeconds(limit), nanos::get));

        // when
        duel.warmUpEach(settings(Length.SHORT));
        int warm = runs.size();
        var rounds = duel.run(settings(Length.SHORT), 3);

        // then
        assertThat(warm).isEqualTo(warmUps);
        assertThat(rounds).hasSize(pairs);
    }

    private static BenchSettings settings(Length length) {
        return settings(length, true);
    }

    private static BenchSettings settings(Length length, boolean isWhole) {
        return new BenchSettings(Path.of("unused"), length, isWhole, 1, OptionalInt.empty());
    }

    @SafeVarargs
    private Duel<Double> duel(Trial<Double>... trials) {
        return new Duel<>(List.of(trials), value -> value, "x", progress::add);
    }

    private Trial<Double> trial(String name, Supplier<Double> result) {
        return trial(name, result, 1);
    }

    private Trial<Double> trial(String name, Supplier<Double> result, int warmUps) {
        return new Trial<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public int warmUps() {
                return warmUps;
            }

            @Override
            public Double run() {
                runs.add(name);
                return result.get();
            }
        };
    }
}
