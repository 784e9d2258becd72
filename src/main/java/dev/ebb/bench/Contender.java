package dev.ebb.bench;

import dev.ebb.config.EbbConfig;
import org.apache.kafka.streams.Topology;

/** An application that can drain the input. */
interface Contender {

    String name();

    /** What it processes the input with; it shows each record of the input to the watch. */
    Topology topology(EbbConfig config, DrainWatch watch) throws InterruptedException;

    /** What it has stored, read from its stores; it runs. */
    Contents contents(Application application);
}
