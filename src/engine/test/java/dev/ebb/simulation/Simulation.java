package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a world of instances, partitions, topics and transactions, in which a seeded scheduler takes one smallest
 * step at a time. A failure is shortened to the steps that it needs, and tells of a script that {@link #replay} takes.
 */
final class Simulation {

    static final int STEPS = 1500;

    private Simulation() {}

    /** Takes a walk with that seed to its end; returns how many steps it had. */
    static long walk(long seed, Mix mix) {
        return walk(seed, mix, STEPS, new Broker());
    }

    /** Walks with so many steps before it comes to rest, and over that broker. */
    static long walk(long seed, Mix mix, int steps, Broker broker) {
        return OwnThread.call(() -> walkHere(seed, mix, steps, broker));
    }

    private static long walkHere(long seed, Mix mix, int steps, Broker broker) {
        Walk walk = new Walk(seed, mix, broker);
        Draw scheduler = new Draw(~seed);
        List<Step> taken = new ArrayList<>(steps);
        try {
            for (int i = 0; i < steps; i++) {
                Step step = new Step(Step.Kind.draw(scheduler), (int) scheduler.number());
                taken.add(step);
                walk.take(step);
            }
            Settling settling = new Settling(walk);
            settling.settle();
            return walk.steps() + settling.steps();
        } catch (Violation e) {
            throw new Failure(seed, mix, taken, e);
        }
    }

    /**
     * Takes walks with one seed after the other until a law is broken whose name begins like one of those; returns what
     * was found, null if nothing was.
     *
     * @param laws with {@code |} between them
     * @param first the seed of the first walk
     */
    static @Nullable String find(String laws, String mix, long first, int walks) {
        for (long seed = first; seed < first + walks; seed++) {
            try {
                walk(seed, Mix.decode(mix));
            } catch (Failure failure) {
                for (String law : laws.split("\\|")) {
                    if (failure.law().startsWith(law)) {
                        return failure.getMessage();
                    }
                }
            }
        }
        return null;
    }

    /** The first steps of the walk with that seed. */
    static Script script(long seed, Mix mix, int steps) {
        Draw scheduler = new Draw(~seed);
        List<Step> drawn = new ArrayList<>(steps);
        for (int i = 0; i < steps; i++) {
            drawn.add(new Step(Step.Kind.draw(scheduler), (int) scheduler.number()));
        }
        return new Script(seed, mix, drawn);
    }

    /** Takes those steps; returns what does not hold, or null. */
    static @Nullable Violation play(long seed, Mix mix, List<Step> steps, @Nullable Consumer<String> log) {
        return OwnThread.call(() -> playHere(seed, mix, steps, log));
    }

    private static @Nullable Violation playHere(long seed, Mix mix, List<Step> steps, @Nullable Consumer<String> log) {
        Walk walk = new Walk(seed, mix);
        if (log != null) {
            walk.logTo(log);
        }
        try {
            steps.forEach(walk::take);
            if (log != null) {
                log.accept("it comes to rest");
            }
            new Settling(walk).settle();
            return null;
        } catch (Violation e) {
            return e;
        }
    }

    /** Takes the steps of a script; throws what does not hold. */
    static void replay(String script) {
        Script read = Script.decode(script);
        List<String> log = new ArrayList<>();
        Violation violation = play(read.seed(), read.mix(), read.steps(), log::add);
        if (violation != null) {
            throw new AssertionError(violation.getMessage() + "\n" + String.join("\n", log), violation);
        }
    }

    /** A walk that broke a law. */
    static final class Failure extends AssertionError {

        private static final long serialVersionUID = 1;

        private final transient long seed;
        private final transient Mix mix;
        private final transient List<Step> steps;
        private final Violation violation;

        Failure(long seed, Mix mix, List<Step> steps, Violation violation) {
            super("-Dsimulation.seed=" + seed + ": " + violation.getMessage(), violation);
            this.seed = seed;
            this.mix = mix;
            this.steps = List.copyOf(steps);
            this.violation = violation;
        }

        String law() {
            return violation.law();
        }

        /** Leaves out the steps without which the same law is broken; may take some seconds. */
        Script shortened(long forMs) {
            return new Shortening(seed, mix, violation.law(), forMs).shorten(steps);
        }

        Violation violation() {
            return violation;
        }

        /** Adds a script that replays the failure, and its steps in words. */
        AssertionError told(long shortenedForMs) {
            Script script = shortened(shortenedForMs);
            List<String> log = new ArrayList<>();
            Violation found = play(seed, mix, script.steps(), log::add);
            return new AssertionError(
                    getMessage() + "\nshortened to " + script.steps().size() + " steps: " + found
                            + "\nSimulation.replay(\"" + script + "\")\n" + String.join("\n", log),
                    violation);
        }
    }
}
