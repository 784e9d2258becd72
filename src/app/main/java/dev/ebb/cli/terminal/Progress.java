package dev.ebb.cli.terminal;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Shows progress on the error stream, once the work takes longer than two seconds: on a terminal a bar that is redrawn
 * in place, elsewhere a plain line now and then. Close it when the work is done.
 */
public final class Progress implements AutoCloseable {

    private static final Duration SILENT = Duration.ofSeconds(2);
    private static final Duration REDRAW = Duration.ofMillis(100);
    private static final Duration LINES = Duration.ofSeconds(5);
    private static final int BAR = 30;
    private static final String ERASE_LINE = "\r\u001b[K";

    private final Terminal terminal;
    private final Supplier<String> text;
    private boolean isClosed;
    private boolean isDrawn;

    private Progress(Terminal terminal, Supplier<String> text) {
        this.terminal = terminal;
        this.text = text;
        Thread thread = new Thread(this::show, "progress");
        thread.setDaemon(true);
        thread.start();
    }

    /** Shows work that describes its own progress; another thread asks for the text. */
    public static Progress saying(Terminal terminal, Supplier<String> text) {
        return new Progress(terminal, text);
    }

    /** Shows work of unknown size. */
    public static Progress waiting(Terminal terminal, String what) {
        return waiting(terminal, () -> what);
    }

    /** Shows work of unknown size whose description changes; another thread asks for the text. */
    public static Progress waiting(Terminal terminal, Supplier<String> what) {
        long start = System.nanoTime();
        return new Progress(terminal, () -> what.get() + " … " + seconds(start) + " s");
    }

    /**
     * Shows work that can be counted.
     *
     * @param what names the counted things, for example "sent"
     * @param done the amount of work that is done; another thread asks for it
     * @param part the share of the whole, from 0 to 1; negative if unknown
     */
    public static Progress counting(Terminal terminal, String what, LongSupplier done, DoubleSupplier part) {
        long start = System.nanoTime();
        return new Progress(terminal, () -> bar(part.getAsDouble()) + what + rate(done.getAsLong(), start));
    }

    /** Returns the part as a bar of full and empty blocks, {@code width} characters wide. */
    public static String bar(double part, int width) {
        int full = (int) Math.round(Math.min(1, Math.max(0, part)) * width);
        return "█".repeat(full) + "░".repeat(width - full);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
        if (isDrawn && terminal.isErrTerminal()) {
            terminal.err().print(ERASE_LINE);
            terminal.err().flush();
        }
    }

    /**
     * Shows the progress. A thread waits for the time: most commands end before there is anything to show, and a timer
     * would load more classes.
     */
    private synchronized void show() {
        long period = (terminal.isErrTerminal() ? REDRAW : LINES).toNanos();
        long next = System.nanoTime() + SILENT.toNanos();
        try {
            while (!isClosed) {
                long rest = next - System.nanoTime();
                if (rest > 0) {
                    TimeUnit.NANOSECONDS.timedWait(this, rest);
                } else {
                    draw();
                    next = System.nanoTime() + period;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void draw() {
        isDrawn = true;
        if (terminal.isErrTerminal()) {
            terminal.err().print(ERASE_LINE + text.get());
        } else {
            terminal.err().println(text.get());
        }
        terminal.err().flush();
    }

    private static String bar(double part) {
        return part < 0 ? "" : String.format(Locale.ROOT, "%s %3.0f %%  ", bar(part, BAR), 100 * part);
    }

    private static String rate(long count, long start) {
        return String.format(Locale.ROOT, " %,d (%,d/s)", count, count / Math.max(1, seconds(start)));
    }

    private static long seconds(long start) {
        return (System.nanoTime() - start) / 1_000_000_000;
    }
}
