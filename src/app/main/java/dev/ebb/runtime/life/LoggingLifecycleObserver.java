package dev.ebb.runtime.life;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes the life of an instance to the log. */
public final class LoggingLifecycleObserver implements LifecycleObserver {

    /** Words of the operating system, which Java and RocksDB pass on. */
    private static final String NO_SPACE = "No space left on device";

    private static final Logger LOG = LoggerFactory.getLogger(LoggingLifecycleObserver.class);

    @Override
    public void starting() {
        LOG.atInfo().log("starting");
    }

    @Override
    public void warned(String warning) {
        LOG.warn(warning);
    }

    @Override
    public void waiting(String reason) {
        LOG.info("waiting for {}", reason);
    }

    @Override
    public void started() {
        LOG.atInfo().log("started");
    }

    @Override
    public void stateChanged(String before, String now) {
        LOG.atInfo().addKeyValue("before", before).addKeyValue("now", now).log("the state of the streams changed");
    }

    @Override
    public void restored(String store, int partition, long records, Duration took) {
        LOG.atInfo()
                .addKeyValue("store", store)
                .addKeyValue("partition", partition)
                .addKeyValue("records", records)
                .addKeyValue("ms", took.toMillis())
                .log("a store is restored");
    }

    @Override
    public void threadReplaced(ThreadFailure failure) {
        String why = cause(failure.cause());
        LoggingEventBuilder line = LOG.atError()
                .addKeyValue("where", failure.where())
                .addKeyValue("work", failure.work() == null ? "unknown" : failure.work())
                .addKeyValue("times", failure.times())
                .addKeyValue("limit", failure.limit())
                .addKeyValue("why", why);
        // The same failure again, or a full disk, needs no stack trace, which would show no fault of the program.
        (failure.times() > 1 || isFullDisk(why) ? line : line.setCause(failure.cause()))
                .log("a stream thread failed and is replaced");
    }

    @Override
    public void refused(String reason) {
        LOG.atError().addKeyValue("reason", reason).log("refused to start");
    }

    @Override
    public void notStarted(String reason) {
        LOG.atError().addKeyValue("reason", reason).log("cannot start");
    }

    @Override
    public void failed(Throwable failure) {
        String why = cause(failure);
        LoggingEventBuilder line = LOG.atError().addKeyValue("why", why);
        (isFullDisk(why) ? line : line.setCause(failure)).log("cannot go on");
    }

    @Override
    public void exhausted(String reason) {
        LOG.atError().addKeyValue("reason", reason).log("cannot go on");
    }

    @Override
    public void leaving() {
        LOG.atInfo().log("leaving the group");
    }

    @Override
    public void left() {
        LOG.atInfo().log("left the group: others take over; stop this process, or restart it to bring it back");
    }

    @Override
    public void stopping() {
        LOG.atInfo().log("stopping");
    }

    @Override
    public void stopTimedOut(Duration timeout) {
        LOG.atWarn().addKeyValue("timeout", timeout).log("did not stop in time");
    }

    @Override
    public void stopped(RunOutcome outcome) {
        LOG.atInfo().addKeyValue("outcome", outcome).log("stopped");
    }

    /** Returns the kind and the words of the innermost cause. */
    private static String cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    private static boolean isFullDisk(String why) {
        return why.contains(NO_SPACE);
    }
}
