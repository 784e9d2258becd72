package dev.ebb.wire.instance;

import dev.ebb.port.StatusView;
import dev.ebb.wire.UnansweredView;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Status of all instances of the application. The sums stand before the instances because {@code docker/upgrade} reads
 * the answer line by line and must not take the names in them for fields of an instance.
 *
 * @param askedInstance the instance that put this answer together
 * @param partitions number of partitions
 * @param sum numbers of the instances that answered, added up
 * @param instances the instances that answered, by their addresses
 * @param unanswered the instances that did not answer; empty if all did
 * @param unkept partitions that no instance reports as kept: they are being moved or restored, or belong to an instance
 *     that did not answer; all partitions if the asked instance is drained and no longer knows the others
 * @param concerns everything that is wrong or waits for a person, in the order of its weight
 */
public record InstancesView(
        String askedInstance,
        int partitions,
        InstancesSumView sum,
        List<StatusView> instances,
        List<UnansweredView> unanswered,
        List<Integer> unkept,
        List<ConcernView> concerns) {

    /** @throws IllegalArgumentException if there is no instance */
    public InstancesView {
        if (instances.isEmpty()) {
            throw new IllegalArgumentException("the instance that was asked is missing");
        }
    }

    /**
     * Returns the answer of that instance.
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
                askedInstance,
                partitions,
                InstancesSumView.of(instances),
                instances,
                unanswered,
                unkept,
                Concerns.of(asked(askedInstance, instances), instances, unanswered, unkept));
    }

    /** Returns the instance that was asked, for facts that all instances share. */
    public StatusView asked() {
        return asked(askedInstance, instances);
    }

    private static StatusView asked(String askedInstance, List<StatusView> instances) {
        return instances.stream()
                .filter(instance -> instance.instance().equals(askedInstance))
                .findFirst()
                .orElseGet(() -> instances.get(0));
    }
}
