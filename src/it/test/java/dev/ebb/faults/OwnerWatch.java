package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which instance has which partition, as the instances say themselves. One thread at a time. */
final class OwnerWatch {

    private final int partitions;
    private final Map<Integer, String> owners = new TreeMap<>();
    private final Set<Integer> moved = new TreeSet<>();

    OwnerWatch(int partitions) {
        this.partitions = partitions;
    }

    /**
     * Looks once, and notes the partitions that have another instance than before.
     *
     * @return empty if every partition has an instance and all instances run; otherwise what is missing
     */
    String look(Collection<Instance> instances) throws InterruptedException {
        Map<Integer, String> now = new TreeMap<>();
        String missing = "";
        for (Instance instance : instances) {
            if (instance.answersCallers()) {
                JsonNode status = status(instance);
                missing = status.path("state").asText().equals("RUNNING") ? missing : instance + " is not running";
                status.path("partitions")
                        .forEach(kept -> now.put(kept.path("partition").asInt(), instance.name()));
            }
        }
        now.forEach((partition, owner) -> {
            if (!owner.equals(owners.getOrDefault(partition, owner))) {
                moved.add(partition);
            }
            owners.put(partition, owner);
        });
        return now.size() == partitions ? missing : now.size() + " of " + partitions + " partitions: " + now;
    }

    private static JsonNode status(Instance instance) throws InterruptedException {
        try {
            return Rest.get(instance.url(), "/v1/status").body();
        } catch (IOException e) {
            return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
        }
    }

    /** The partitions of an instance, as it was last seen. */
    Set<Integer> of(Instance instance) {
        Set<Integer> kept = new TreeSet<>();
        owners.forEach((partition, owner) -> {
            if (owner.equals(instance.name())) {
                kept.add(partition);
            }
        });
        return kept;
    }

    Map<Integer, String> owners() {
        return Map.copyOf(owners);
    }

    /** Partitions that have moved since the last call of this method. */
    Set<Integer> takeMoved() {
        Set<Integer> taken = new TreeSet<>(moved);
        moved.clear();
        return taken;
    }
}
