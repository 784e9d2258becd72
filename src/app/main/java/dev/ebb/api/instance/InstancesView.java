package dev.ebb.api.instance;

import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.port.Placement;
import dev.ebb.port.StatusView;
import dev.ebb.wire.UnansweredView;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;

/**
 * How all instances of the application are.
 *
 * @param askedInstance the one that put this together
 * @param partitions how many partitions there are
 * @param instances those that answered, by their addresses
 * @param unanswered those that did not; empty if all did
 * @param unkept partitions that no instance has said to keep: they are being moved or restored, or belong to one that did
 *     not answer; all of them if the asked one is drained, which does not hear of the others
 */
record InstancesView(
        String askedInstance,
        int partitions,
        List<StatusView> instances,
        List<UnansweredView> unanswered,
        List<Integer> unkept) {

    static InstancesView of(Gathered<StatusView> gathered, Placement placement) {
        List<StatusView> instances = gathered.answers().stream()
                .sorted(Comparator.comparing(StatusView::instance))
                .toList();
        NavigableSet<Integer> unkept = Gathering.all(placement.partitions());
        instances.stream()
                .flatMap(instance -> instance.partitions().stream())
                .map(StatusView.PartitionView::partition)
                .forEach(unkept::remove);
        return new InstancesView(
                placement.self(), placement.partitions(), instances, gathered.unanswered(), List.copyOf(unkept));
    }
}
