package dev.ebb.domain.event;

/**
 * A record that producers send to the topic of events: an {@code Event}, an {@code EventUpdate} or an {@code
 * ExecutionUpdate}.
 */
public interface StreamRecord {

    /** Returns the stream of the record; its name is the key of the Kafka record. */
    StreamName stream();
}
