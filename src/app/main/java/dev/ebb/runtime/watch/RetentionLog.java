package dev.ebb.runtime.watch;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.topology.observe.RetentionObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs sweeps, at most one line a minute and partition, recounts and failures of the topology. Closed once nothing is
 * swept any more.
 */
public final class RetentionLog implements RetentionObserver, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RetentionLog.class);

    private final SweptLately lately = new SweptLately(System::nanoTime);

    @Override
    public void recordFailed(String topic, int partition, long offset, Throwable failure) {
        LOG.atError()
                .setCause(failure)
                .addKeyValue("topic", topic)
                .addKeyValue("partition", partition)
                .addKeyValue("offset", offset)
                .log("a record failed and is set aside");
    }

    @Override
    public void swept(SweepReport report) {
        say(lately.add(report));
    }

    /** Logs what was swept after the last line of its partition, once that is a minute old; to be called often. */
    public void sayDue() {
        lately.due().forEach(RetentionLog::say);
    }

    @Override
    public void taskClosed(int partition) {
        say(lately.leave(partition));
    }

    @Override
    public void close() {
        lately.leave().forEach(RetentionLog::say);
    }

    private static void say(SweptLately.@Nullable Sum sum) {
        if (sum != null) {
            LOG.atInfo()
                    .addKeyValue("partition", sum.partition())
                    .addKeyValue("sweeps", sum.sweeps())
                    .addKeyValue("stoppedEarly", sum.stoppedEarly())
                    .addKeyValue("deleted", sum.deleted())
                    .addKeyValue("wouldDelete", sum.wouldDelete())
                    .addKeyValue("lastSweepId", sum.lastSweepId())
                    .addKeyValue("longestMs", sum.longestMs())
                    .log("swept");
        }
    }

    @Override
    public void sweepFailed(int partition, Exception e) {
        LOG.atError().setCause(e).addKeyValue("partition", partition).log("a sweep failed and is tried again");
    }

    @Override
    public void streamFailed(int partition, StreamName stream, Exception failure) {
        LOG.atError()
                .setCause(failure)
                .addKeyValue("partition", partition)
                .addKeyValue("stream", stream)
                .log("work on a stream failed and it is quarantined");
    }

    @Override
    public void eventDamaged(int partition, StreamName stream, String what) {
        LOG.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("stream", stream)
                .log(what);
    }

    @Override
    public void parkedLost(int partition, String which) {
        LOG.atError()
                .addKeyValue("partition", partition)
                .log("{} is missing from the store or damaged and is passed over", which);
    }

    @Override
    public void trashForged(int partition, long records) {
        LOG.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("records", records)
                .log("an undo refused forged records in the trash; others can write to its topic");
    }

    @Override
    public void trashUnread(int partition, String problem) {
        LOG.atWarn()
                .addKeyValue("partition", partition)
                .addKeyValue("problem", problem)
                .log("an audit of the trash has failed and is made again in an hour");
    }

    @Override
    public void commandFailed(int partition, String commandId, Exception failure) {
        LOG.atError()
                .setCause(failure)
                .addKeyValue("partition", partition)
                .addKeyValue("commandId", commandId)
                .log("a command failed and is ended");
    }

    @Override
    public void usageRecounted(int partition, StreamName stream, String finding, List<String> differences) {
        LOG.atLevel(differences.isEmpty() ? Level.INFO : Level.ERROR)
                .addKeyValue("partition", partition)
                .addKeyValue("stream", stream)
                .addKeyValue("finding", finding)
                .addKeyValue("differences", differences.size())
                .log("the events of a stream were counted anew");
    }

    @Override
    public void figuresRecounted(int partition, List<String> differences) {
        differences.forEach(difference -> LOG.atError()
                .addKeyValue("partition", partition)
                .addKeyValue("difference", difference)
                .log("a figure did not agree with a recount and is corrected"));
    }
}
