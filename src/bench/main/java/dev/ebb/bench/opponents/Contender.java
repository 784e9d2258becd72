package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.stack.Application;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.config.EbbConfig;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.Topology;

/** An application that can drain the input. */
public interface Contender {

    String name();

    /** Where its own documentation has other settings than ours; none by default. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** Topics whose records are made but not sent; none by default. */
    default Set<String> withheld() {
        return Set.of();
    }

    /** Topology that processes the input; it shows each record of the input to the watch. */
    Topology topology(EbbConfig config, DrainWatch watch) throws InterruptedException;

    /** Contents of its stores; the application runs. */
    Contents contents(Application application);
}
