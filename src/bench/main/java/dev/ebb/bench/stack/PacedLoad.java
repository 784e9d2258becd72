package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Events that occur now, sent at a steady rate by a separate thread. */
public final class PacedLoad implements AutoCloseable {

    private static final int TICKS_PER_SECOND = 100;
    private static final int STREAMS = 1000;
    private static final int PAYLOAD_BYTES = 200;

    private final Lane lane;
    private final int perSecond;
    private final int seconds;
    private final SplittableRandom random;
    private final Thread thread = new Thread(this::send, "bench-paced-load");
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private volatile boolean isEnding;
    private volatile long sent;
    private volatile long mostLateNanos;

    /** Begins to send. */
    public PacedLoad(Lane lane, int perSecond, int seconds, long seed) {
        this.lane = lane;
        this.perSecond = perSecond;
        this.seconds = seconds;
        this.random = new SplittableRandom(seed);
        thread.start();
    }

    /** Returns true while events are sent. */
    public boolean isSending() {
        RuntimeException reason = failure.get();
        if (reason != null) {
            throw new VoidRunException("the load cannot be sent: " + reason.getMessage(), reason);
        }
        return thread.isAlive();
    }

    /** Returns the number of events that have been sent. */
    public long sent() {
        return sent;
    }

    /** Returns the greatest delay of the sender in seconds; with more than a moment, the rate was not kept. */
    public double mostLateSeconds() {
        return mostLateNanos / 1e9;
    }

    private void send() {
        EventSender sender = new EventSender(lane, EventSender.BY_STREAM);
        String series = Long.toString(random.nextLong(), Character.MAX_RADIX);
        int perTick = Math.max(1, perSecond / TICKS_PER_SECOND);
        long count = 0;
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            // Fetches the partitions, for which the first record would otherwise wait.
            producer.partitionsFor(lane.topics().events());
            long begin = System.nanoTime();
            for (int tick = 0; tick < seconds * TICKS_PER_SECOND && !isEnding; tick++) {
                long due = begin + TimeUnit.SECONDS.toNanos(tick) / TICKS_PER_SECOND;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                long now = System.currentTimeMillis();
                for (int i = 0; i < perTick; i++) {
                    Event event = event(series + "-" + count, now);
                    var unused = producer.send(sender.record(new EventGenerator.Timed(event, now, false)));
                    count++;
                }
                sent = count;
                mostLateNanos = Math.max(mostLateNanos, System.nanoTime() - due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private Event event(String id, long occurredAt) {
        byte[] payload = new byte[PAYLOAD_BYTES];
        random.nextBytes(payload);
        StreamName stream = new StreamName("bench/paced-" + random.nextInt(STREAMS));
        return EventGenerator.event(
                stream, new EventId(id), EventGenerator.COMPLETED, occurredAt, OwnTtl.NONE, payload);
    }

    /**
     * Stops sending, and waits until all events that were counted as sent are on the topic. The thread is not
     * interrupted: a producer that an interrupted thread closes discards its buffer.
     */
    @Override
    public void close() throws InterruptedException {
        isEnding = true;
        thread.join();
    }
}
