package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.BoundedConsumer;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that waits longer for records than its thread asks for, until it is told to hurry. Kafka Streams does not
 * know of this and must not meet a {@link WakeupException}: none leaves {@link #poll}, and none is left for the next
 * call.
 */
public abstract class PatientConsumer extends BoundedConsumer {

    private final Object lock = new Object();
    private boolean isHurried;
    private boolean isWaiting;
    private boolean isWoken;

    PatientConsumer(Map<String, Object> config, RecordLimits limits) {
        super(config, limits);
    }

    /** Returns the time to wait instead of the requested time. */
    abstract Duration waitFor(Duration asked);

    /** Ends the current wait; from now on, the consumer waits only for the requested time. Called by any thread. */
    final void hurry() {
        synchronized (lock) {
            isHurried = true;
            lock.notifyAll();
            if (isWaiting) {
                isWoken = true;
                wakeup();
            }
        }
    }

    /** Lets the thread of the consumer rest for a time, less if it is told to hurry or interrupted. */
    final void rest(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        synchronized (lock) {
            long left = time.toNanos();
            while (left > 0 && !isHurried) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
                left = end - System.nanoTime();
            }
        }
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        Duration wanted = waitFor(timeout);
        if (wanted.compareTo(timeout) <= 0) {
            return super.poll(wanted);
        }
        return beginsWait() ? await(wanted) : super.poll(timeout);
    }

    private ConsumerRecords<byte[], byte[]> await(Duration wanted) {
        ConsumerRecords<byte[], byte[]> records = pollUnlessWoken(wanted);
        if (endsWoken() && records != null) {
            // The wakeup came too late for the first poll; it ends this one before it begins.
            pollUnlessWoken(Duration.ZERO);
        }
        return records == null ? ConsumerRecords.empty() : records;
    }

    private @Nullable ConsumerRecords<byte[], byte[]> pollUnlessWoken(Duration wanted) {
        try {
            return super.poll(wanted);
        } catch (WakeupException e) {
            return null;
        }
    }

    private boolean beginsWait() {
        synchronized (lock) {
            isWaiting = !isHurried;
            return isWaiting;
        }
    }

    private boolean endsWoken() {
        synchronized (lock) {
            isWaiting = false;
            return isWoken;
        }
    }
}
