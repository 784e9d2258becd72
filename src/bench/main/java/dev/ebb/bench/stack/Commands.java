package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.serde.records.DecodedResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Commands to an application on a lane. */
public final class Commands {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Lane lane;

    public Commands(Lane lane) {
        this.lane = lane;
    }

    /**
     * Erases the events that meet the condition, protected ones too; returns the time from the command to its result.
     */
    public Duration erase(String condition) throws InterruptedException {
        return carryOut(new Command.EraseEvents(List.of(EventCondition.parse(condition)), null, "bench", true));
    }

    /** Undoes all deletes since that time, in epoch milliseconds; returns the time from the command to its result. */
    public Duration undo(long sinceMs) throws InterruptedException {
        UndoFilter filter = new UndoFilter(null, null, null, null, sinceMs, null, null, null);
        return carryOut(new Command.UndoDeletes(filter, null));
    }

    private Duration carryOut(Command command) throws InterruptedException {
        String id = UUID.randomUUID().toString();
        try (Consumer<byte[], byte[]> results = lane.clients().reader()) {
            List<TopicPartition> partitions = results
                    .partitionsFor(lane.topics().results())
                    .stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            results.assign(partitions);
            results.seekToEnd(partitions);
            partitions.forEach(results::position);
            long begin = System.nanoTime();
            send(id, new CommandRequest(id, "bench", "measured", false, null, command));
            while (!isDone(results, id)) {
                if (System.nanoTime() - begin > LIMIT.toNanos()) {
                    throw new VoidRunException("the command has no result after " + LIMIT);
                }
            }
            return Duration.ofNanos(System.nanoTime() - begin);
        }
    }

    private void send(String id, CommandRequest request) throws InterruptedException {
        byte[] key = id.getBytes(StandardCharsets.UTF_8);
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            producer.send(new ProducerRecord<>(
                            lane.topics().commands(), key, lane.records().command(request)))
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the command cannot be sent: " + e.getMessage(), e);
        }
    }

    private boolean isDone(Consumer<byte[], byte[]> results, String id) {
        for (ConsumerRecord<byte[], byte[]> record : results.poll(POLL)) {
            if (lane.records().readResult(record.value()) instanceof DecodedResult.Good good
                    && good.result().commandId().equals(id)
                    && good.result().isFinal()) {
                requireDone(good.result());
                return true;
            }
        }
        return false;
    }

    private static void requireDone(CommandResult result) {
        if (result.state() != CommandResult.State.DONE) {
            throw new VoidRunException("the command was refused: " + result.detail());
        }
    }
}
