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

    /** Returns the settings in which its own documentation differs from Ebb's; none by default. */
    default Map<String, String> settings() {
        return Map.of();
    }

    /** Returns the topics whose records are made but not sent; none by default. */
    default Set<String> withheld() {
        return Set.of();
    }

    /** Returns a topology that processes the input and shows each record of it to the watch. */
    Topology topology(EbbConfig config, DrainWatch watch) throws InterruptedException;

    /** Returns the contents of the stores while the application runs. */
    Contents contents(Application application);
}
