package dev.ebb.bench.harness;

import java.math.BigDecimal;
import java.util.OptionalDouble;

/**
 * Target for a figure: for its ratio, or, without an opponent, for its value.
 *
 * @param subject the number that the target is for
 * @param isAtLeast true: more is better; false: less is better
 * @param gate limit that is good enough
 * @param aim limit that would be better still
 */
public record Target(Subject subject, boolean isAtLeast, double gate, double aim) {

    /** No target: measured and shown only. */
    public static final Target REPORTED = new Target(Subject.NOTHING, true, Double.NaN, Double.NaN);

    /** The number of a figure that a target is for. */
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

    /** @param ratio the ratio; empty if there is no opponent */
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

    /** Returns true if the value is within the limit; a value that is not a number never is. */
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
