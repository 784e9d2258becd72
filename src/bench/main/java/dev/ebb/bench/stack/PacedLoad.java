package dev.ebb.bench.stack;

import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.bench.load.EventGenerator.Timed;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** Events that occur now, sent at a steady rate by a separate thread. */
public final class PacedLoad implements AutoCloseable {

    private static final long TICK_MS = 10;
    private static final double SECOND_NANOS = 1e9;
    private static final int STREAMS = 1000;

    private final Lane lane;
    private final double perSecond;
    private final long events;
    private final SplittableRandom random;
    private final Consumer<Timed> onSent;
    private final Thread thread = new Thread(this::send, "bench-paced-load");
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private volatile boolean isEnding;
    private volatile long sent;
    private volatile double mostLateSeconds;

    /** Begins to send. */
    public PacedLoad(Lane lane, int perSecond, int seconds, long seed) {
        this(lane, perSecond, (long) perSecond * seconds, seed, event -> {});
    }

    /** @param onSent takes each event that was sent; called on the thread of the load */
    public PacedLoad(Lane lane, double perSecond, long events, long seed, Consumer<Timed> onSent) {
        this.lane = lane;
        this.perSecond = perSecond;
        this.events = events;
        this.random = new SplittableRandom(seed);
        this.onSent = onSent;
        thread.start();
    }

    /** Returns true while events are sent. */
    public boolean isSending() {
        requireSending();
        return thread.isAlive();
    }

    /** @throws VoidRunException if the load cannot be sent */
    public void requireSending() {
        RuntimeException reason = failure.get();
        if (reason != null) {
            throw new VoidRunException("the load cannot be sent: " + reason.getMessage(), reason);
        }
    }

    /** Returns the number of events that have been sent. */
    public long sent() {
        return sent;
    }

    /** Returns the greatest delay of the sender in seconds; with more than a moment, the rate was not kept. */
    public double mostLateSeconds() {
        return mostLateSeconds;
    }

    private void send() {
        EventSender sender = new EventSender(lane, EventSender.BY_STREAM);
        String series = Long.toString(random.nextLong(), Character.MAX_RADIX);
        long count = 0;
        try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
            // Fetches the partitions, for which the first record would otherwise wait.
            producer.partitionsFor(lane.topics().events());
            long begin = System.nanoTime();
            while (count < events && !isEnding) {
                double seconds = (System.nanoTime() - begin) / SECOND_NANOS;
                mostLateSeconds = Math.max(mostLateSeconds, seconds - count / perSecond);
                for (; count < events && count <= seconds * perSecond; count++) {
                    String stream = "bench/paced-" + random.nextInt(STREAMS);
                    Timed next = EventGenerator.now(random, stream, series + "-" + count, count);
                    var unused = producer.send(sender.record(next));
                    onSent.accept(next);
                }
                sent = count;
                TimeUnit.MILLISECONDS.sleep(TICK_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
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
