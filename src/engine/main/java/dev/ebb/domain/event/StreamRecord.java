package dev.ebb.domain.event;

/**
 * Record that producers send to the topic of events: an {@code Event}, an {@code EventUpdate} or an {@code
 * ExecutionUpdate}.
 */
public interface StreamRecord {

    /** The stream that it belongs to; its name is the key of the Kafka record. */
    StreamName stream();
}
