package dev.ebb.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Topics and transactions of a walk on a real broker: each task has a transactional producer, its changelogs and the offsets
 * of its inputs are part of its transactions, and everything is read with {@code read_committed}. Each second abort is a
 * death: the transaction stays open until the next producer of the task fences it. Not thread-safe.
 */
final class KafkaBroker extends Broker implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    private final Map<String, Object> connection;
    private final String prefix;
    private final Admin admin;
    private final Producer<byte[], byte[]> plain;
    private final Consumer<byte[], byte[]> committed;
    private final Consumer<byte[], byte[]> uncommitted;
    private final Map<Integer, Transaction> transactions = new HashMap<>();
    private final Map<TopicPartition, Long> nextOffsets = new HashMap<>();
    private final Set<TopicPartition> stale = new HashSet<>();
    private int aborts;

    /**
     * @param connection the properties of all clients
     * @param prefix of its topics, groups and transactional ids
     */
    KafkaBroker(Map<String, Object> connection, String prefix) {
        this.connection = connection;
        this.prefix = prefix;
        this.admin = Admin.create(new HashMap<>(connection));
        this.plain = producer(Map.of());
        this.committed = consumer(Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"));
        this.uncommitted = consumer(Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted"));
    }

    /** The producer of a task, and where its open transaction begins in each partition. */
    private static final class Transaction {

        private final Producer<byte[], byte[]> producer;
        private final ConsumerGroupMetadata group;
        private final Map<TopicPartition, Long> firstOffsets = new HashMap<>();
        private boolean isOpen;

        Transaction(Producer<byte[], byte[]> producer, ConsumerGroupMetadata group) {
            this.producer = producer;
            this.group = group;
            producer.initTransactions();
        }

        void open() {
            if (!isOpen) {
                producer.beginTransaction();
                isOpen = true;
            }
        }

        Collection<TopicPartition> end() {
            isOpen = false;
            List<TopicPartition> written = List.copyOf(firstOffsets.keySet());
            firstOffsets.clear();
            return written;
        }
    }

    private Producer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(connection);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // The broker refuses the next transaction of a producer for the moment in which it ends the former one.
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 5);
        settings.putAll(more);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(connection);
        settings.putAll(more);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private Transaction transaction(int task) {
        return transactions.computeIfAbsent(
                task,
                number -> new Transaction(
                        producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, nameOf(number))), group(number)));
    }

    private String nameOf(int task) {
        return prefix + "task" + task;
    }

    /** That of a member that has never joined. */
    private ConsumerGroupMetadata group(int task) {
        try (Consumer<byte[], byte[]> member = consumer(Map.of(ConsumerConfig.GROUP_ID_CONFIG, nameOf(task)))) {
            return member.groupMetadata();
        }
    }

    @Override
    void topic(String name, int partitions) {
        super.topic(name, partitions);
        // The walks play in a time that is long over.
        NewTopic topic = new NewTopic(prefix + name, partitions, (short) 1).configs(Map.of("retention.ms", "-1"));
        get(admin.createTopics(List.of(topic)).all());
    }

    @Override
    List<Message> log(String topic, int partition) {
        List<Message> log = super.log(topic, partition);
        TopicPartition place = place(topic, partition);
        if (stale.remove(place)) {
            read(topic, place, log);
        }
        return log;
    }

    /** Reads up to the first record of a transaction that is still open, or to the end. */
    private void read(String topic, TopicPartition place, List<Message> log) {
        long end = uncommitted.endOffsets(Set.of(place)).get(place);
        for (Transaction transaction : transactions.values()) {
            end = Math.min(end, transaction.firstOffsets.getOrDefault(place, Long.MAX_VALUE));
        }
        committed.assign(Set.of(place));
        committed.seek(place, nextOffsets.getOrDefault(place, 0L));
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (committed.position(place) < end) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(place + " cannot be read up to " + end);
            }
            committed.poll(POLL).forEach(record -> log.add(message(topic, record)));
        }
        nextOffsets.put(place, committed.position(place));
    }

    private static Message message(String topic, ConsumerRecord<byte[], byte[]> record) {
        return new Message(
                topic,
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                new RecordHeaders(record.headers()));
    }

    private TopicPartition place(String topic, int partition) {
        return new TopicPartition(prefix + topic, partition % partitions(topic));
    }

    @Override
    Message append(
            String topic,
            int partition,
            long timestampMs,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers) {
        TopicPartition place = place(topic, partition);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(place.topic(), place.partition(), timestampMs, key, value, headers);
        try {
            long offset = plain.send(record).get().offset();
            stale.add(place);
            return new Message(topic, place.partition(), offset, timestampMs, key, value, headers);
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void send(int task, Message message) {
        Transaction transaction = transaction(task);
        transaction.open();
        TopicPartition place = place(message.topic(), message.partition());
        var sent = transaction.producer.send(new ProducerRecord<>(
                place.topic(),
                place.partition(),
                message.timestampMs(),
                message.key(),
                message.value(),
                message.headers()));
        if (!transaction.firstOffsets.containsKey(place)) {
            try {
                transaction.firstOffsets.put(place, sent.get().offset());
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    void commit(int task, List<Message> sent, Map<String, Integer> next) {
        Transaction transaction = transaction(task);
        transaction.open();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        next.forEach((topic, count) -> {
            if (count > 0) {
                int partition = Math.max(0, task);
                offsets.put(
                        place(topic, partition),
                        new OffsetAndMetadata(
                                log(topic, partition).get(count - 1).offset() + 1));
            }
        });
        transaction.producer.sendOffsetsToTransaction(offsets, transaction.group);
        transaction.producer.commitTransaction();
        stale.addAll(transaction.end());
        requireCommitted(nameOf(task), offsets);
    }

    /** The offsets are committed with the transaction, a moment later. */
    private void requireCommitted(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!offsetsOf(group).equals(offsets)) {
            if (System.nanoTime() > deadline) {
                throw new Violation("the model of offsets", offsetsOf(group) + ", the model says " + offsets);
            }
            Thread.onSpinWait();
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> offsetsOf(String group) {
        return get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    }

    @Override
    void abort(int task, List<Message> sent) {
        Transaction transaction = transaction(task);
        if (aborts++ % 2 == 0 && transaction.isOpen) {
            transaction.producer.abortTransaction();
        } else {
            // It is closed without a word to the broker, and the next producer fences it.
            transaction.producer.flush();
            transactions.remove(task);
            transaction(task);
            transaction.producer.close(Duration.ZERO);
        }
        stale.addAll(transaction.end());
    }

    @Override
    Changelog changelog(int task, String store) {
        String topic = "changelog." + task + "." + store;
        topic(topic, 1);
        return new Changelog() {
            @Override
            void append(List<LogRecord> writes) {
                for (LogRecord write : writes) {
                    send(task, new Message(topic, 0, -1, World.T0, write.key(), write.value(), write.headers()));
                }
            }

            @Override
            List<LogRecord> records() {
                List<LogRecord> records = new ArrayList<>();
                log(topic, 0)
                        .forEach(message ->
                                records.add(new LogRecord(message.key(), message.value(), message.headers())));
                return records;
            }

            @Override
            void compact(int keep, boolean dropsTombstones) {
                // Left to the broker.
            }

            @Override
            void shorten(long readBefore) {
                // Its records are those of the topic.
            }

            @Override
            int size() {
                return log(topic, 0).size();
            }
        };
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        transactions.values().forEach(transaction -> transaction.producer.close(Duration.ZERO));
        plain.close();
        committed.close();
        uncommitted.close();
        admin.close();
    }
}
