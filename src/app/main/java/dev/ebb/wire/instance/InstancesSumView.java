package dev.ebb.wire.instance;

import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.CommandsView;
import dev.ebb.port.StatusView.CountsView;
import dev.ebb.port.StatusView.NamespaceView;
import dev.ebb.port.StatusView.PartitionView;
import dev.ebb.port.StatusView.TrashView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Numbers of instances, added up.
 *
 * @param stored contents of all streams
 * @param namespaces contents of the streams, by namespace
 * @param trash deleted events that can be brought back
 * @param counts counts since the start of each instance
 * @param parkedRecords number of records that wait to be taken in
 * @param quarantinedStreams number of streams on which work failed, so that nothing is deleted from them
 * @param staleEvents number of events that have been protected for too long
 * @param staleStreams at most 20 streams with such events, the one with the most first, as far as partitions name them
 * @param commands commands that are not done
 */
public record InstancesSumView(
        NamespaceView stored,
        Map<String, NamespaceView> namespaces,
        TrashView trash,
        CountsView counts,
        long parkedRecords,
        long quarantinedStreams,
        long staleEvents,
        List<StaleStream> staleStreams,
        CommandsView commands) {

    private static final int NAMED = 20;

    /**
     * Stale work of a stream.
     *
     * @param events number of events of the stream that have been protected for too long
     */
    public record StaleStream(String stream, long events) {}

    static InstancesSumView of(List<StatusView> instances) {
        Map<String, NamespaceView> namespaces = new TreeMap<>();
        instances.forEach(instance ->
                instance.namespaces().forEach((name, held) -> namespaces.merge(name, held, NamespaceView::plus)));
        List<PartitionView> partitions = instances.stream()
                .flatMap(instance -> instance.partitions().stream())
                .toList();
        return new InstancesSumView(
                namespaces.values().stream().reduce(NamespaceView.NOTHING, NamespaceView::plus),
                namespaces,
                instances.stream().map(StatusView::trash).reduce(TrashView.NOTHING, TrashView::plus),
                instances.stream().map(StatusView::counts).reduce(CountsView.NOTHING, CountsView::plus),
                sum(partitions, PartitionView::parkedRecords),
                sum(partitions, PartitionView::quarantinedStreams),
                sum(partitions, PartitionView::staleEvents),
                mostStale(partitions),
                partitions.stream().map(PartitionView::commands).reduce(CommandsView.NOTHING, CommandsView::plus));
    }

    private static long sum(List<PartitionView> partitions, ToLongFunction<PartitionView> number) {
        return partitions.stream().mapToLong(number).sum();
    }

    private static List<StaleStream> mostStale(List<PartitionView> partitions) {
        Map<String, Long> streams = new HashMap<>();
        partitions.forEach(partition ->
                partition.staleStreams().forEach((stream, events) -> streams.merge(stream, events, Long::sum)));
        return streams.entrySet().stream()
                .map(entry -> new StaleStream(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(StaleStream::events).reversed().thenComparing(StaleStream::stream))
                .limit(NAMED)
                .toList();
    }
}
