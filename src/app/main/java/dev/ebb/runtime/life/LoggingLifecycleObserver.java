package dev.ebb.runtime.life;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the life of an instance to the log. */
public final class LoggingLifecycleObserver implements LifecycleObserver {

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
        LOG.atError()
                .addKeyValue("where", failure.where())
                .addKeyValue("work", failure.work() == null ? "unknown" : failure.work())
                .addKeyValue("times", failure.times())
                .addKeyValue("limit", failure.limit())
                .setCause(failure.cause())
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
        LOG.atError().setCause(failure).log("cannot go on");
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
}
