package dev.ebb.wire.instance;

import dev.ebb.port.StatusView;
import dev.ebb.wire.UnansweredView;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Status of all instances of the application. The sums stand before the instances, since {@code docker/upgrade} reads the
 * answer line by line: the names in them must not be taken for fields of an instance.
 *
 * @param askedInstance the one that put this together
 * @param partitions number of partitions
 * @param sum numbers of those that answered, added up
 * @param instances those that answered, by their addresses
 * @param unanswered those that did not; empty if all did
 * @param unkept partitions that no instance has said to keep: they are being moved or restored, or belong to one that did
 *     not answer; all of them if the asked one is drained, which does not hear of the others
 */
public record InstancesView(
        String askedInstance,
        int partitions,
        InstancesSumView sum,
        List<StatusView> instances,
        List<UnansweredView> unanswered,
        List<Integer> unkept) {

    /**
     * Adds up the instances if that was not done: a former version answers without {@code sum}.
     *
     * @throws IllegalArgumentException if there is no instance
     */
    public InstancesView {
        if (instances.isEmpty()) {
            throw new IllegalArgumentException("the instance that was asked is missing");
        }
        sum = Objects.requireNonNullElseGet(sum, () -> InstancesSumView.of(instances));
    }

    /**
     * The answer of that instance.
     *
     * @param partitions number of partitions
     * @param answers the status of each instance that answered, in any order
     */
    public static InstancesView of(
            String askedInstance, int partitions, List<StatusView> answers, List<UnansweredView> unanswered) {
        List<StatusView> instances = answers.stream()
                .sorted(Comparator.comparing(StatusView::instance))
                .toList();
        Set<Integer> kept = instances.stream()
                .flatMap(instance -> instance.partitions().stream())
                .map(StatusView.PartitionView::partition)
                .collect(Collectors.toSet());
        List<Integer> unkept = IntStream.range(0, partitions)
                .boxed()
                .filter(partition -> !kept.contains(partition))
                .toList();
        return new InstancesView(
                askedInstance, partitions, InstancesSumView.of(instances), instances, unanswered, unkept);
    }

    /** The instance that was asked, for facts that all instances know alike. */
    public StatusView asked() {
        return instances.stream()
                .filter(instance -> instance.instance().equals(askedInstance))
                .findFirst()
                .orElseGet(() -> instances.get(0));
    }
}
