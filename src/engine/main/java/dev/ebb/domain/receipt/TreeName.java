package dev.ebb.domain.receipt;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Name of a tree among those of an application: the number of the partition whose task writes its records, or {@link
 * #POLICIES}. The records of the latter lie in partition 0, beside those of the task there.
 *
 * @param value the name as texts have it
 */
public record TreeName(String value) {

    /** The tree of the changes of policies and holds. */
    public static final TreeName POLICIES = new TreeName("policies");

    /** The tree of the deletes in that partition. */
    public static TreeName of(int partition) {
        return new TreeName(Integer.toString(partition));
    }

    /** Names of all trees of an application with so many partitions. */
    public static List<TreeName> all(int partitions) {
        return Stream.concat(IntStream.range(0, partitions).mapToObj(TreeName::of), Stream.of(POLICIES))
                .toList();
    }

    /** The partition in which its records and checkpoints lie. */
    public int partition() {
        return equals(POLICIES) ? 0 : Integer.parseInt(value);
    }

    /** Names of the other trees with records in the same partition. */
    public Set<String> neighbours() {
        return equals(POLICIES) ? Set.of("0") : partition() == 0 ? Set.of(POLICIES.value) : Set.of();
    }

    /** The origin in its checkpoints. */
    public String origin(String applicationId) {
        return applicationId + "/audit/" + value;
    }

    @Override
    public String toString() {
        return value;
    }
}
