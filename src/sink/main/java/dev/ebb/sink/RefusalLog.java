package dev.ebb.sink;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log lines about refused changes: the first one at once, all further ones together, a line a minute, and the last ones
 * as well although none follows. Not thread-safe.
 */
final class RefusalLog {

    static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOGGER = LoggerFactory.getLogger(RefusalLog.class);

    private final Lines lines;
    private final LongSupplier nanoTime;
    private long unsaid;
    private long saidNanos;
    private String lastPlace = "";
    private String lastProblem = "";

    /** Writes lines. */
    @FunctionalInterface
    interface Lines {

        /**
         * Writes a line.
         *
         * @param refused the number of changes that were refused since the last line
         * @param record the place of the last of them
         * @param problem the reason of the last of them
         */
        void write(long refused, String record, String problem);
    }

    RefusalLog(Lines lines, LongSupplier nanoTime) {
        this.lines = lines;
        this.nanoTime = nanoTime;
        this.saidNanos = nanoTime.getAsLong() - EVERY_NANOS;
    }

    static RefusalLog of(String connector, String table) {
        return new RefusalLog(
                (refused, record, problem) -> LOGGER.atWarn()
                        .addKeyValue("connector", connector)
                        .addKeyValue("table", table)
                        .addKeyValue("record", record)
                        .addKeyValue("refused", refused)
                        .addKeyValue("problem", problem)
                        .log("the database refuses changes of rows, which are set aside in mirror_refused"),
                System::nanoTime);
    }

    void refused(String place, RowRefusal why) {
        unsaid++;
        lastPlace = place;
        lastProblem = why.reason();
        sayRest();
    }

    /** Says what is unsaid once its minute has passed; called every few seconds. */
    void sayRest() {
        if (nanoTime.getAsLong() - saidNanos >= EVERY_NANOS) {
            say();
        }
    }

    /** Says all that is unsaid: there will be no later occasion. */
    void end() {
        say();
    }

    private void say() {
        if (unsaid > 0) {
            lines.write(unsaid, lastPlace, lastProblem);
            saidNanos = nanoTime.getAsLong();
            unsaid = 0;
        }
    }
}
