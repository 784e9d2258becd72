package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A walk as a line of text: the seed of its world, its mix, and its steps. */
record Script(long seed, Mix mix, List<Step> steps) {

    Script {
        steps = List.copyOf(steps);
    }

    String encode() {
        return seed + " " + mix.encode() + " "
                + steps.stream().map(Step::encode).collect(Collectors.joining(" "));
    }

    static Script decode(String text) {
        String[] parts = text.trim().split("\\s+");
        List<Step> steps = new ArrayList<>();
        for (int i = 2; i < parts.length; i++) {
            steps.add(Step.decode(parts[i]));
        }
        return new Script(Long.parseLong(parts[0]), Mix.decode(parts[1]), steps);
    }

    @Override
    public String toString() {
        return encode();
    }
}
