package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.store.layout.SavedTree;
import dev.ebb.topology.receipt.AuditTree;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.Stores;

/**
 * A sweep whose deletes are final, after which its audit records are added to a tree once more, which is the cost of
 * receipts to a sweep. There is no build without receipts for a comparison, so their share of the CPU time is measured.
 */
final class ReceiptTrial implements Trial<Rate> {

    private static final Duration POLL = Duration.ofMillis(200);

    private final InputTopic input;
    private final EbbSweepTrial sweep;
    private final List<Double> shares = new ArrayList<>();

    ReceiptTrial(InputTopic input) {
        this.input = input;
        this.sweep = new EbbSweepTrial(input, "final", Policies.DROP_FOR_GOOD);
    }

    @Override
    public String name() {
        return sweep.name();
    }

    @Override
    public int warmUps() {
        return sweep.warmUps();
    }

    @Override
    public Rate run() throws InterruptedException {
        Rate rate = sweep.run();
        List<byte[]> records = audit();
        if (records.isEmpty()) {
            throw new VoidRunException("the sweep has no audit records");
        }
        double cpuSeconds = rate.count() / rate.perCpuSecond();
        shares.add(1 - leaves(records).toNanos() / 1e9 / cpuSeconds);
        return rate;
    }

    /** Returns, for each run, the share of the CPU time of all processes that is not for receipts. */
    List<Double> shares() {
        return List.copyOf(shares);
    }

    private static Duration leaves(List<byte[]> records) {
        SavedTree saved = new SavedTree(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore("tree"), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingDisabled()
                        .build(),
                () -> {});
        AuditTree tree = new AuditTree(TreeName.of(0), "bench", saved, NoteSigner.NONE);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        records.forEach(record -> tree.add(tree.leaf(record)));
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
    }

    private List<byte[]> audit() {
        Lane lane = input.lane();
        List<byte[]> records = new ArrayList<>();
        try (Consumer<byte[], byte[]> log = lane.clients().reader()) {
            List<TopicPartition> partitions = log.partitionsFor(lane.topics().audit()).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            log.assign(partitions);
            log.seekToBeginning(partitions);
            var ends = log.endOffsets(partitions);
            while (partitions.stream().anyMatch(one -> log.position(one) < ends.getOrDefault(one, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : log.poll(POLL)) {
                    records.add(record.value());
                }
            }
        }
        return records;
    }
}
