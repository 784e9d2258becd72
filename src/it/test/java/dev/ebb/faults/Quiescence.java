package dev.ebb.faults;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Tells whether anything is left to do. It asks the broker for the lag and not the instances, whose figures are some
 * seconds old; and it waits out the longest life that an event of the load can have.
 */
final class Quiescence {

    private final FaultStack stack;
    private Instant swept = Instant.MAX;

    private Quiescence(FaultStack stack) {
        this.stack = stack;
    }

    static Quiescence of(FaultStack stack) {
        return new Quiescence(stack);
    }

    /** Empty if all instances that should run are ready, and all partitions kept. */
    String missingInstances() throws IOException, InterruptedException {
        stack.revive();
        for (Instance instance : stack.instances()) {
            if (Rest.get(instance.url(), "/health/ready").status() != 200) {
                return instance + " is not ready";
            }
        }
        JsonNode view = view();
        if (view.path("instances").size() != stack.instances().size()
                || !view.path("unkept").isEmpty()
                || !view.path("unanswered").isEmpty()) {
            return "instances " + view.path("instances").size() + ", unkept " + view.path("unkept") + ", unanswered "
                    + view.path("unanswered");
        }
        return "";
    }

    /** Empty if also everything that was sent is taken in; from then on time counts. */
    String missingInput() throws IOException, InterruptedException, ExecutionException {
        String missing = missingInstances();
        long lag = missing.isEmpty() ? lag(stack) : -1;
        if (missing.isEmpty() && lag == 0) {
            swept = Instant.now().plus(LoadPolicies.LONGEST_LIFE);
        }
        return missing.isEmpty() && lag != 0 ? "records to take in: " + lag : missing;
    }

    /** Empty if also everything is swept that fell due after that, and SQL has it. */
    String missing() throws IOException, InterruptedException {
        String missing = missingInstances();
        if (!missing.isEmpty()) {
            return missing;
        }
        for (JsonNode instance : view().path("instances")) {
            missing = missing(instance);
            if (!missing.isEmpty()) {
                return missing;
            }
        }
        return "";
    }

    private String missing(JsonNode instance) {
        for (JsonNode partition : instance.path("partitions")) {
            String point = partition.path("lastSweepPoint").textValue();
            boolean isSwept = point != null && Instant.parse(point).isAfter(swept);
            long todo = partition.path("dueStreams").longValue()
                    + partition.path("movingStreams").longValue()
                    + partition.path("parkedRecords").longValue();
            if (!isSwept || todo > 0) {
                return "partition " + partition;
            }
        }
        JsonNode lag = instance.path("input").path("lag");
        if (!lag.isNumber() || lag.longValue() != 0) {
            return "input " + instance.path("input");
        }
        JsonNode mirror = instance.path("mirror");
        boolean isMirrored = mirror.path("lag").isNumber() && mirror.path("lag").longValue() == 0;
        return isMirrored && mirror.path("state").asText().equals("RUNNING") ? "" : "mirror " + mirror;
    }

    private JsonNode view() throws IOException, InterruptedException {
        return Rest.get(stack.any().url(), "/v1/instances").body();
    }

    /** Records of the topic of events that the group has not committed. */
    static long lag(FaultStack stack) throws InterruptedException, ExecutionException {
        return lag(stack, ends(stack));
    }

    /** Waits until all events that the topic has now are stored, and committed: a kill takes back what is not. */
    static void awaitCommitted(FaultStack stack) throws InterruptedException, ExecutionException {
        Map<TopicPartition, Long> ends = ends(stack);
        Await.until("the events are committed", () -> {
            long lag = lag(stack, ends);
            return lag == 0 ? "" : "records to take in: " + lag;
        });
    }

    private static Map<TopicPartition, Long> ends(FaultStack stack) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked =
                stack.admin().describeTopics(List.of(stack.topics().events())).allTopicNames().get().values().stream()
                        .flatMap(topic -> topic.partitions().stream()
                                .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        return stack
                .admin()
                .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get()
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, end -> end.getValue().offset()));
    }

    private static long lag(FaultStack stack, Map<TopicPartition, Long> ends)
            throws InterruptedException, ExecutionException {
        String group = stack.kafka().config().get(Settings.APPLICATION_ID);
        Map<TopicPartition, OffsetAndMetadata> taken = stack.admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        long lag = 0;
        for (var end : ends.entrySet()) {
            OffsetAndMetadata at = taken.get(end.getKey());
            lag += Math.max(0, end.getValue() - (at == null ? 0 : at.offset()));
        }
        return lag;
    }
}
