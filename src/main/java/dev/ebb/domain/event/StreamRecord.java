package dev.ebb.domain.event;

/** What producers send to the topic of events: an event, a change of one, or the state of an execution. */
public sealed interface StreamRecord permits Event, EventUpdate, ExecutionUpdate {

    /** The stream that it belongs to; its name is the key of the Kafka record. */
    StreamName stream();
}
