package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Goes on past failures, and tells at the end which laws were broken how often, each with one script. For people:
 * {@code Hunt SECONDS SEED [-INGREDIENT…]}, without those ingredients, {@code Hunt SECONDS SEED INGREDIENT…}, with nothing
 * but those, or {@code Hunt replay SCRIPT}.
 */
public final class Hunt {

    private static final long SHORTENING_MS = Long.getLong("simulation.shortening.ms", 30_000);

    private Hunt() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("replay")) {
            Simulation.replay(arguments[1]);
            System.out.println("no law is broken");
            return;
        }
        Mix mix = Mix.ALL;
        Mix some = Mix.NONE;
        for (String argument : List.of(arguments).subList(2, arguments.length)) {
            if (argument.startsWith("-")) {
                mix = mix.without(Mix.Ingredient.valueOf(argument.substring(1)));
            } else {
                some = some.with(Mix.Ingredient.valueOf(argument));
                mix = some;
            }
        }
        hunt(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), mix);
    }

    private static void hunt(long seconds, long firstSeed, Mix mix) {
        Map<String, List<Simulation.Failure>> failures = new TreeMap<>();
        long begunNanos = System.nanoTime();
        long steps = 0;
        long seed = firstSeed;
        for (; System.nanoTime() - begunNanos < seconds * 1_000_000_000L; seed++) {
            try {
                steps += Simulation.walk(seed, mix);
            } catch (Simulation.Failure failure) {
                failures.computeIfAbsent(failure.law(), law -> new ArrayList<>())
                        .add(failure);
            }
        }
        System.out.println((seed - firstSeed) + " walks, " + steps + " steps\n" + Coverage.text());
        failures.forEach((law, broken) -> System.out.println(broken.size() + " times " + law + ", first "
                + broken.get(0).told(SHORTENING_MS).getMessage() + "\n"));
    }
}
