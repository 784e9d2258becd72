package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Topics as readers of committed records see them: the records of a transaction appear together, when it is committed,
 * and a marker behind them takes an offset.
 */
class Broker {

    private final Map<String, List<List<Message>>> topics = new HashMap<>();
    private final Map<String, long[]> nextOffsets = new HashMap<>();

    void topic(String name, int partitions) {
        List<List<Message>> logs = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            logs.add(new ArrayList<>());
        }
        topics.put(name, logs);
        nextOffsets.put(name, new long[partitions]);
    }

    /** All records of a partition; a live view. */
    List<Message> log(String topic, int partition) {
        return topics.get(topic).get(partition);
    }

    int partitions(String topic) {
        return topics.get(topic).size();
    }

    /** The changelog of a store of a task. */
    Changelog changelog(int task, String store) {
        return new Changelog();
    }

    long lastOffset(String topic, int partition) {
        List<Message> log = log(topic, partition);
        return log.isEmpty() ? -1 : log.get(log.size() - 1).offset();
    }

    Message append(
            String topic,
            int partition,
            long timestampMs,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers) {
        int to = partition % partitions(topic);
        long offset = nextOffsets.get(topic)[to]++;
        Message message = new Message(topic, to, offset, timestampMs, key, value, headers);
        log(topic, to).add(message);
        return message;
    }

    /** A task sends a record, which others see when its transaction is committed. */
    void send(int task, Message message) {}

    /**
     * The end of a transaction takes an offset in each partition that it has written to.
     *
     * @param sent records that the task has sent in it
     * @param next number of records of each input that the task has taken in by now
     */
    void commit(int task, List<Message> sent, Map<String, Integer> next) {
        for (Message message : sent) {
            append(
                    message.topic(),
                    message.partition(),
                    message.timestampMs(),
                    message.key(),
                    message.value(),
                    message.headers());
        }
        for (Message message : sent) {
            int to = message.partition() % partitions(message.topic());
            List<Message> log = log(message.topic(), to);
            if (log.get(log.size() - 1).offset() == nextOffsets.get(message.topic())[to] - 1) {
                nextOffsets.get(message.topic())[to]++;
            }
        }
    }

    /** Leaves the gap of an aborted transaction in the logs. */
    void abort(int task, List<Message> sent) {
        for (Message message : sent) {
            nextOffsets.get(message.topic())[message.partition() % partitions(message.topic())]++;
        }
    }
}
