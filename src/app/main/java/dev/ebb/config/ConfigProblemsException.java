package dev.ebb.config;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when the configuration cannot be used; names all faults, not only the first. */
public final class ConfigProblemsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** @param problems all faults; at least one */
    public ConfigProblemsException(List<ConfigProblem> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns all faults, in the order of the sources from the weakest to the strongest. */
    public List<ConfigProblem> problems() {
        return problems;
    }

    private static String message(List<ConfigProblem> problems) {
        return problems.stream()
                .map(problem -> "  " + problem)
                .collect(Collectors.joining("\n", "the configuration has " + count(problems.size()) + ":\n", ""));
    }

    private static String count(int problems) {
        return problems == 1 ? "a problem" : problems + " problems";
    }
}
