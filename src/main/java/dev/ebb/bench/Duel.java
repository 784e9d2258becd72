package dev.ebb.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Two applications drain the same input in turn. */
final class Duel {

    /** In the first round much is still interpreted. */
    private static final int WARM_UP_ROUNDS = 2;

    private final Drain drain;
    private final Contender first;
    private final Contender second;
    private final Consumer<String> progress;

    Duel(Drain drain, Contender first, Contender second, Consumer<String> progress) {
        this.drain = drain;
        this.first = first;
        this.second = second;
        this.progress = progress;
    }

    /** One run of each. */
    record Round(DrainResult first, DrainResult second) {}

    /** Rounds that do not count: some, until so much time was spent in draining. */
    void warmUp(Duration atLeast) throws InterruptedException {
        Duration spent = Duration.ZERO;
        for (int rounds = 0; rounds < WARM_UP_ROUNDS || spent.compareTo(atLeast) < 0; rounds++) {
            Round round = round("warm-up");
            spent = spent.plus(round.first().took()).plus(round.second().took());
        }
    }

    List<Round> run(int rounds) throws InterruptedException {
        List<Round> results = new ArrayList<>();
        for (int i = 1; i <= rounds; i++) {
            results.add(round("pair " + i + " of " + rounds));
        }
        return results;
    }

    private Round round(String what) throws InterruptedException {
        Round round = new Round(drain.run(first), drain.run(second));
        progress.accept(String.format(
                Locale.ROOT,
                "%s: %s %,.0f events/s, %s %,.0f events/s, ratio %.2f",
                what,
                first.name(),
                round.first().perSecond(),
                second.name(),
                round.second().perSecond(),
                round.first().perSecond() / round.second().perSecond()));
        return round;
    }
}
