package dev.ebb.faults;

import dev.ebb.domain.event.StreamName;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** One stream for each partition, with an event that stays: whoever asks for it must get it, or is told to come back. */
record Anchors(NavigableMap<Integer, String> streams) {

    private static final String EVENT = "anchor";

    static Anchors of(int partitions) {
        NavigableMap<Integer, String> streams = new TreeMap<>();
        for (int i = 0; streams.size() < partitions; i++) {
            String stream = "anchors/s-" + i;
            streams.putIfAbsent(StreamPartition.of(new StreamName(stream), partitions), stream);
        }
        return new Anchors(streams);
    }

    /** The bodies of their events, by stream, as REST takes them. */
    List<Event> events() {
        List<Event> events = new ArrayList<>();
        streams.forEach((partition, stream) -> events.add(new Event(
                "/v1/streams/" + stream.replace("/", "%2F") + "/events",
                "{\"id\":\"" + EVENT + "\",\"payload\":" + payload(partition) + "}")));
        return events;
    }

    String path(int partition) {
        return "/v1/streams/" + streams.get(partition).replace("/", "%2F") + "/events/" + EVENT;
    }

    /** What the payload of the event must be. */
    static String payload(int partition) {
        return "{\"partition\":" + partition + "}";
    }

    record Event(String path, String body) {}
}
