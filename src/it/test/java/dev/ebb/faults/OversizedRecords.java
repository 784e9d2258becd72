package dev.ebb.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.it.CommittedTopic;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Records that are small when they arrive and big when they are read, on every topic that is read and that people write, and
 * records that would fit but for what is written around them while they wait for their schema. All are set aside, and no
 * thread ends.
 */
final class OversizedRecords implements Fault {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final byte[] KEY = "huge/oversized".getBytes(UTF_8);
    private static final int UNKNOWN_SCHEMA_ID = 987_655;

    @Override
    public String name() {
        return "oversized";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        String servers = stack.services().endpoints().bootstrapServers();
        try (CommittedTopic rejected =
                new CommittedTopic(servers, stack.topics().rejected())) {
            for (int round = 0; round < run.rounds(1, 5); round++) {
                int before = rejected.read().size();
                int sent = 0;
                for (String compression : List.of("gzip", "zstd")) {
                    try (var producer = producer(servers, compression)) {
                        sent += sendBig(stack, producer);
                    }
                }
                try (var producer = producer(servers, "none")) {
                    sent += sendParked(stack, producer, run.random());
                }
                awaitRejected(rejected, before + sent);
                awaitGoingOn(stack, round);
                run.round();
                run.remark(leftOut(rejected.read()) + " records set aside without their values");
            }
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(String servers, String compression) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "compression.type",
                        compression,
                        "max.request.size",
                        64 << 20,
                        "buffer.memory",
                        128L << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static int sendBig(FaultStack stack, KafkaProducer<byte[], byte[]> producer)
            throws InterruptedException, ExecutionException {
        int limit = stack.kafka().config().get(Settings.RECORD_MAX_BYTES);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (String topic : List.of(
                stack.topics().events(),
                stack.topics().policies(),
                stack.topics().commands())) {
            for (int bytes : new int[] {limit + 33 * 1024, 3_000_000, 8_000_000}) {
                sent.add(producer.send(new ProducerRecord<>(topic, KEY, new byte[bytes])));
            }
            sent.add(producer.send(new ProducerRecord<>(topic, new byte[2_000_000], new byte[] {1})));
            var bigHeader = new ProducerRecord<>(topic, KEY, new byte[] {1});
            bigHeader.headers().add("big", new byte[3_000_000]);
            sent.add(producer.send(bigHeader));
            var manyHeaders = new ProducerRecord<>(topic, KEY, new byte[] {1});
            for (int i = 0; i < 100_000; i++) {
                manyHeaders.headers().add("h", null);
            }
            sent.add(producer.send(manyHeaders));
        }
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
        return sent.size();
    }

    /** Near the limit of the topic, of a schema that is not known: the first fits while it waits, the second would not. */
    private static int sendParked(FaultStack stack, KafkaProducer<byte[], byte[]> producer, Random random)
            throws InterruptedException, ExecutionException {
        int limit = stack.kafka().config().get(Settings.RECORD_MAX_BYTES);
        byte[] value = new byte[limit - 1025];
        random.nextBytes(value);
        ByteBuffer.wrap(value).put((byte) 0).putInt(UNKNOWN_SCHEMA_ID + random.nextInt(1_000_000));
        for (int header : new int[] {30_000, 64_000}) {
            var record = new ProducerRecord<>(stack.topics().events(), KEY, value);
            record.headers()
                    .add(
                            "random",
                            random.ints(header)
                                    .collect(
                                            () -> ByteBuffer.allocate(header),
                                            (all, next) -> all.put((byte) next),
                                            (one, other) -> {})
                                    .array());
            producer.send(record).get();
        }
        return 2;
    }

    private static void awaitRejected(CommittedTopic rejected, int expected) throws InterruptedException {
        Await.until("all that is too big is set aside", LIMIT, () -> {
            int found = rejected.read().size();
            return found == expected ? "" : "rejected are " + found + " of " + expected;
        });
    }

    private static long leftOut(List<ConsumerRecord<byte[], byte[]>> rejected) {
        return rejected.stream()
                .filter(record -> record.headers().lastHeader("ebb-rejected-value-bytes") != null)
                .count();
    }

    /** Of the stream whose key they had, too. */
    private static void awaitGoingOn(FaultStack stack, int round) throws InterruptedException {
        var event = dev.ebb.model.EventBuilder.event(new String(KEY, UTF_8), "behind-" + round)
                .build();
        stack.load()
                .send(new ProducerRecord<>(
                        stack.topics().events(), KEY, stack.records().event(event)));
        String path = "/v1/streams/huge%2Foversized/events/behind-" + round;
        Await.until("the event behind them is stored", LIMIT, () -> {
            int status = Rest.get(stack.any().url(), path).status();
            return status == 200 ? "" : path + " is " + status;
        });
    }
}
