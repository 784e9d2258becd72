package dev.ebb.domain.receipt;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The name of a tree within an application: the number of the partition whose task writes its records, or {@link
 * #POLICIES}, whose records lie in partition 0, beside those of the task of that partition.
 *
 * @param value the name in its text form
 */
public record TreeName(String value) {

    /** The tree of changes of policies and holds. */
    public static final TreeName POLICIES = new TreeName("policies");

    /** Returns the tree of the deletes in the partition. */
    public static TreeName of(int partition) {
        return new TreeName(Integer.toString(partition));
    }

    /** Returns the names of all trees of an application with the given number of partitions. */
    public static List<TreeName> all(int partitions) {
        return Stream.concat(IntStream.range(0, partitions).mapToObj(TreeName::of), Stream.of(POLICIES))
                .toList();
    }

    /** Returns the partition of its records and checkpoints. */
    public int partition() {
        return equals(POLICIES) ? 0 : Integer.parseInt(value);
    }

    /** Returns the names of the other trees with records in the same partition. */
    public Set<String> neighbours() {
        return equals(POLICIES) ? Set.of("0") : partition() == 0 ? Set.of(POLICIES.value) : Set.of();
    }

    /** Returns the origin in its checkpoints. */
    public String origin(String applicationId) {
        return applicationId + "/audit/" + value;
    }

    @Override
    public String toString() {
        return value;
    }
}
