package dev.ebb.bench.harness;

import java.util.Locale;

/** Numbers in a form for people: three significant digits, or all digits of a large number. */
public final class Numbers {

    private Numbers() {}

    /** Returns the number as a text; a dash for a value that is not a number. */
    public static String text(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        double size = Math.abs(value);
        if (size >= 100 || size == 0) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        return String.format(Locale.ROOT, size >= 0.1 ? "%.2f" : "%.2g", value);
    }
}
