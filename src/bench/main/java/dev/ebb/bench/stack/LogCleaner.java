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

/** The broker's log cleaner. */
record LogCleaner(Admin admin) {

    static final Duration USUAL_PAUSE = Duration.ofSeconds(15);
    static final Duration SHORT_PAUSE = Duration.ofSeconds(1);

    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final String USUAL_BUFFER = Integer.toString(128 * 1024 * 1024);

    /** Sets the pause between two checks of the logs; each change makes the cleaner check at once. */
    void pauseFor(Duration pause) throws InterruptedException {
        set("log.cleaner.backoff.ms", Long.toString(pause.toMillis()));
    }

    /**
     * Sets Kafka's default buffer for the keys of a pass. The buffer of the stack for developers is an eighth of that,
     * and each pass copies everything that was cleaned before.
     */
    void takeUsualBuffer() throws InterruptedException {
        set("log.cleaner.dedupe.buffer.size", USUAL_BUFFER);
    }

    private void set(String key, String value) throws InterruptedException {
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        try {
            admin.incrementalAlterConfigs(Map.of(ALL_BROKERS, List.of(change)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not take " + key + ": " + e.getMessage(), e);
        }
    }
}
