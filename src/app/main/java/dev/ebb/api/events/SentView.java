package dev.ebb.api.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Records that the broker has acknowledged; the topology takes them in shortly afterwards.
 *
 * @param stream the stream to which the records were sent
 * @param sent the ids of events, in the order in which they were sent
 * @param executions the numbers of executions, in the same order; left out if there are none
 */
record SentView(
        String stream,
        List<String> sent,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Long> executions) {

    static SentView of(StreamName stream, List<StreamRecord> records) {
        List<String> events = new ArrayList<>();
        List<Long> executions = new ArrayList<>();
        for (StreamRecord record : records) {
            if (record instanceof Event event) {
                events.add(event.id().value());
            } else if (record instanceof ExecutionUpdate update) {
                executions.add(update.execution());
            }
        }
        return new SentView(stream.value(), events, executions);
    }

    static SentView of(EventUpdate update) {
        return new SentView(update.stream().value(), List.of(update.id().value()), List.of());
    }
}
