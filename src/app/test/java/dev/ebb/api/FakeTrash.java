package dev.ebb.api;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.port.history.TrashCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A trash in memory. */
final class FakeTrash implements TrashCounts {

    private final Map<Integer, List<TrashSum>> byPartition = new HashMap<>();
    private final Map<StreamName, List<TrashSum>> byStream = new HashMap<>();

    /** Keeps events of a stream in a partition. */
    FakeTrash keep(int partition, String stream, Deletion deletion, long events) {
        StreamName name = new StreamName(stream);
        TrashSum sum = TrashSum.of(name, deletion, events, 10 * events);
        byPartition.computeIfAbsent(partition, one -> new ArrayList<>()).add(sum);
        byStream.computeIfAbsent(name, one -> new ArrayList<>()).add(sum);
        return this;
    }

    @Override
    public List<TrashSum> waiting(Collection<Integer> partitions) {
        Stream<TrashSum> sums =
                partitions.stream().flatMap(partition -> byPartition.getOrDefault(partition, List.of()).stream());
        return TrashSum.joined(sums);
    }

    @Override
    public List<TrashSum> waiting(StreamName stream) {
        return TrashSum.joined(byStream.getOrDefault(stream, List.of()).stream());
    }
}
