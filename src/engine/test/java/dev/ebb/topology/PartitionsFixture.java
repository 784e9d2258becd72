package dev.ebb.topology;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.model.EventBuilder;
import dev.ebb.store.StoreCheck;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Several partitions, each with its own task, and the topic of commands between them. */
final class PartitionsFixture {

    final List<TaskFixture> tasks = new ArrayList<>();

    private final TestRecords records = new TestRecords();
    private final Topics topics;
    private final int[] carried;
    private long nowMs = TopologyFixture.T0;

    PartitionsFixture(int partitions) {
        this(partitions, TopologyFixture.settings(OptionalLong.of(1), 10_000));
    }

    PartitionsFixture(int partitions, TopologySettings settings) {
        topics = new Topics("ebb.", partitions);
        carried = new int[partitions];
        for (int partition = 0; partition < partitions; partition++) {
            tasks.add(new TaskFixture(topics, partition, records, settings));
        }
        tick();
    }

    TestRecords records() {
        return records;
    }

    long nowMs() {
        return nowMs;
    }

    /** A name with that prefix whose stream lives in that partition. */
    String nameIn(int partition, String prefix) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> prefix + i)
                .filter(name -> partitionOf(name) == partition)
                .findFirst()
                .orElseThrow();
    }

    int partitionOf(String stream) {
        return StreamPartition.of(new StreamName(stream), topics.partitions());
    }

    void event(EventBuilder event) {
        var built = event.build();
        send(topics.events(), built.stream(), built);
    }

    void execution(ExecutionUpdate update) {
        send(topics.events(), update.stream(), update);
    }

    private void send(String topic, StreamName stream, Object value) {
        tasks.get(partitionOf(stream.value())).process(topic, bytes(stream.value()), records.bytes(value), nowMs);
    }

    /** Sends a command to its stream's partition; one over many streams goes to that partition. */
    void send(CommandRequest request, int partition) {
        boolean isOfOne = request.command() instanceof Command.OfStream;
        String key = isOfOne ? ((Command.OfStream) request.command()).stream().value() : request.commandId();
        int to = isOfOne ? partitionOf(key) : partition;
        tasks.get(to).process(topics.commands(), bytes(key), records.bytes(request));
    }

    CommandResult carryOut(CommandRequest request) {
        send(request, 0);
        return finish(request.commandId());
    }

    CommandResult finish(String commandId) {
        for (int i = 0; i < 10_000; i++) {
            List<CommandResult> last = results(commandId);
            if (!last.isEmpty() && last.get(last.size() - 1).isFinal()) {
                return last.get(last.size() - 1);
            }
            tick();
        }
        throw new AssertionError(commandId + " does not end");
    }

    /** All that any partition has said of the command. */
    List<CommandResult> results(String commandId) {
        return tasks.stream()
                .flatMap(task -> task.results().stream())
                .filter(result -> result.commandId().equals(commandId))
                .toList();
    }

    /** One tick of each task, after which what they have sent to each other arrives. */
    void tick() {
        nowMs += 10;
        tasks.forEach(task -> task.tick(nowMs));
        carry();
    }

    void emptyOut() {
        for (int i = 0; i < 10_000 && tasks.stream().anyMatch(task -> StoreCheck.hasRetired(task.rawUsage())); i++) {
            tick();
        }
    }

    private void carry() {
        for (int from = 0; from < tasks.size(); from++) {
            var sent = tasks.get(from).commands();
            for (; carried[from] < sent.size(); carried[from]++) {
                var record = sent.get(carried[from]);
                tasks.get(record.key().partition())
                        .process(topics.commands(), record.key().key(), record.value());
            }
        }
    }

    /** The names of all streams, by partition and name. */
    List<String> streams() {
        return tasks.stream()
                .flatMap(task -> task.reader().streams(null, "", null, Integer.MAX_VALUE).stream())
                .map(StreamUsage::stream)
                .map(StreamName::value)
                .sorted()
                .toList();
    }

    boolean has(String... streams) {
        return streams().containsAll(Arrays.asList(streams));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
