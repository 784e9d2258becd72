package dev.ebb.oracle;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** A failure of the oracle is a difference too: what it cannot explain may be wrong, and must not hide the rest. */
final class Unexplained {

    private Unexplained() {}

    /**
     * Runs a step of the judgement.
     *
     * @param at says what the step is about, by coordinates at which a person finds it
     * @param differences told that the step failed
     */
    static void runs(Supplier<String> at, Consumer<String> differences, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | StackOverflowError e) {
            StackTraceElement[] trace = e.getStackTrace();
            differences.accept(at.get() + " cannot be explained: " + e + (trace.length == 0 ? "" : " at " + trace[0]));
        }
    }
}
