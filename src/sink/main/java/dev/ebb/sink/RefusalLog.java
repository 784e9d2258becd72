package dev.ebb.sink;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log lines about refused changes: the first one at once, all further ones together, a line a minute. Not thread-safe. */
final class RefusalLog {

    private static final Logger LOGGER = LoggerFactory.getLogger(RefusalLog.class);
    private static final long EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String connector;
    private final String table;
    private long unsaid;
    private long saidNanos = System.nanoTime() - EVERY_NANOS;

    RefusalLog(String connector, String table) {
        this.connector = connector;
        this.table = table;
    }

    void refused(String place, Refusal why) {
        unsaid++;
        long now = System.nanoTime();
        if (now - saidNanos < EVERY_NANOS) {
            return;
        }
        LOGGER.atWarn()
                .addKeyValue("connector", connector)
                .addKeyValue("table", table)
                .addKeyValue("record", place)
                .addKeyValue("refused", unsaid)
                .addKeyValue("problem", why.reason())
                .log("the database refuses a change of a row, which is set aside in mirror_refused");
        saidNanos = now;
        unsaid = 0;
    }
}
