package dev.ebb.bench.harness;

import java.math.BigDecimal;
import java.util.OptionalDouble;

/**
 * Target for a figure: for its ratio, or for its value where there is nothing to compare it with.
 *
 * @param subject the number that is looked at
 * @param isAtLeast true: more is better; false: less is better
 * @param gate limit that is good enough
 * @param aim limit that would be better still
 */
public record Target(Subject subject, boolean isAtLeast, double gate, double aim) {

    /** Measured and shown, but nothing is asked of it. */
    public static final Target REPORTED = new Target(Subject.NOTHING, true, Double.NaN, Double.NaN);

    /** Number of a figure that is looked at. */
    enum Subject {
        RATIO,
        VALUE,
        NOTHING
    }

    public static Target ratioAtLeast(double gate, double aim) {
        return new Target(Subject.RATIO, true, gate, aim);
    }

    public static Target ratioAtMost(double gate, double aim) {
        return new Target(Subject.RATIO, false, gate, aim);
    }

    public static Target valueAtLeast(double gate, double aim) {
        return new Target(Subject.VALUE, true, gate, aim);
    }

    public static Target valueAtMost(double gate, double aim) {
        return new Target(Subject.VALUE, false, gate, aim);
    }

    /** @param ratio empty if there is nothing to compare with */
    Grade grade(double value, OptionalDouble ratio) {
        if (subject == Subject.NOTHING) {
            return Grade.REPORTED;
        }
        double measured = subject == Subject.VALUE ? value : ratio.orElse(Double.NaN);
        if (isGoodEnough(measured, aim)) {
            return Grade.AIM;
        }
        return isGoodEnough(measured, gate) ? Grade.GATE : Grade.MISSED;
    }

    /** Not a number is never good enough. */
    private boolean isGoodEnough(double measured, double limit) {
        return isAtLeast ? measured >= limit : measured <= limit;
    }

    @Override
    public String toString() {
        return subject == Subject.NOTHING
                ? "reported"
                : (isAtLeast ? "≥ " : "≤ ") + number(gate) + ", aim " + number(aim);
    }

    private static String number(double limit) {
        return BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
    }
}
