package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka alone truncates a log up to an offset, as its retention does. All records before the offset go, whatever their
 * status, and neither a table nor an audit learns of it.
 */
final class LogSweepTrial implements Trial<Rate> {

    private final Lane lane;
    private final Workload workload;

    LogSweepTrial(Lane lane, Workload workload) {
        this.lane = lane;
        this.workload = workload;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public Rate run() throws InterruptedException {
        lane.renewAllTopics();
        new EventSender(lane, EventSender.BY_STREAM).send(workload.generator());
        CpuMeter cpu = lane.stack().cpu();
        try (Admin admin = lane.clients().admin()) {
            Map<TopicPartition, Long> ends = offsets(admin, OffsetSpec.latest());
            Map<TopicPartition, RecordsToDelete> all = ends.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, end -> RecordsToDelete.beforeOffset(end.getValue())));
            Duration cpuBefore = cpu.used();
            long begin = System.nanoTime();
            admin.deleteRecords(all).all().get();
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            Duration used = cpu.used().minus(cpuBefore);
            if (!offsets(admin, OffsetSpec.earliest()).equals(ends)) {
                throw new VoidRunException("kafka still has records");
            }
            return new Rate(workload.events(), took, used);
        } catch (ExecutionException e) {
            throw new VoidRunException("kafka does not delete: " + e.getMessage(), e);
        }
    }

    private Map<TopicPartition, Long> offsets(Admin admin, OffsetSpec spec)
            throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> asked = IntStream.range(0, lane.partitions())
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(lane.topics().events(), partition), partition -> spec));
        return admin.listOffsets(asked).all().get().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }
}
