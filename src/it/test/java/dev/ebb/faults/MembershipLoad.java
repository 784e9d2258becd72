package dev.ebb.faults;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** One event for each of many streams, and then some a second for any of them. Its policy takes each event after a minute. */
final class MembershipLoad implements AutoCloseable {

    private final KafkaProducer<String, String> producer;
    private final int streams;
    private final Thread thread = new Thread(this::run, "membership-load");
    private final Random random;
    private volatile int perSecond;
    private volatile boolean isClosed;

    MembershipLoad(String bootstrapServers, int streams, long seed) {
        this.streams = streams;
        this.random = new Random(seed);
        this.producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.LINGER_MS_CONFIG, 50),
                new StringSerializer(),
                new StringSerializer());
    }

    /** Returns when all streams have their first event, which stays. */
    void begin() {
        producer.send(new ProducerRecord<>("ebb.policies", "namespace:load", "{\"maxAge\":\"1m\",\"undo\":\"none\"}"));
        for (int i = 0; i < streams; i++) {
            producer.send(new ProducerRecord<>("ebb.events", "many/s-" + i, "{\"id\": \"first\"}"));
        }
        producer.flush();
        thread.setDaemon(true);
        thread.start();
    }

    void rate(int eventsPerSecond) {
        perSecond = eventsPerSecond;
    }

    private void run() {
        long sent = 0;
        while (!isClosed) {
            for (int i = 0; i < perSecond / 20; i++) {
                String stream = "load/s-" + random.nextInt(streams);
                producer.send(new ProducerRecord<>("ebb.events", stream, "{\"id\": \"e-" + sent++ + "\"}"));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        thread.join();
        producer.close();
    }
}
