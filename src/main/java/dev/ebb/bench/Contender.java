package dev.ebb.bench;

import dev.ebb.config.EbbConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/** One of the two applications that are compared. */
interface Contender {

    String name();

    /** What it processes the input with; it shows each record of the input to the watch. */
    Topology topology(EbbConfig config, DrainWatch watch) throws InterruptedException;

    /** What it has stored, read from its stores; it runs. */
    Contents contents(KafkaStreams streams, EbbConfig config);
}
