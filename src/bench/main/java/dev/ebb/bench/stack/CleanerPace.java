package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** Pause of the broker's log cleaner between two looks; each change of it makes the cleaner look at once. */
record CleanerPace(Admin admin) {

    static final Duration USUAL = Duration.ofSeconds(15);
    static final Duration HURRIED = Duration.ofSeconds(1);

    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    void set(Duration pause) throws InterruptedException {
        ConfigEntry entry = new ConfigEntry("log.cleaner.backoff.ms", Long.toString(pause.toMillis()));
        AlterConfigOp change = new AlterConfigOp(entry, AlterConfigOp.OpType.SET);
        try {
            admin.incrementalAlterConfigs(Map.of(ALL_BROKERS, List.of(change)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the pause of the log cleaner cannot be set: " + e.getMessage(), e);
        }
    }
}
