package dev.ebb.runtime.writes;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** One producer for single policies that are sent at the same time; replaced after a failure. Thread-safe. */
final class SharedProducer implements AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private @Nullable Lent current;
    private boolean isClosed;

    SharedProducer(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /** Closes the producer; records that the broker has not taken by then are not sent. */
    @Override
    public void close() {
        Lent last = end();
        if (last != null) {
            last.producer.close(CLOSE_TIMEOUT);
        }
    }

    /**
     * Sends the record and waits until the broker has taken it.
     *
     * @return the offset of the record
     * @throws KafkaException if the broker did not take it
     */
    long send(ProducerRecord<byte[], byte[]> record) {
        Lent lent = take();
        boolean isSound = false;
        try {
            long offset = lent.producer.send(record).get().offset();
            isSound = true;
            return offset;
        } catch (ExecutionException e) {
            throw new KafkaException("the policy was not sent", e.getCause());
        } catch (InterruptedException e) {
            isSound = true;
            throw new InterruptException(e);
        } finally {
            giveBack(lent, isSound);
        }
    }

    private synchronized Lent take() {
        if (isClosed) {
            throw new KafkaException("no policies are sent any more");
        }
        Lent known = current == null ? new Lent(producers.get()) : current;
        current = known;
        known.users++;
        return known;
    }

    /**
     * After some failures a producer sends nothing more, so the next record gets a new one. The former one is closed
     * when no call waits for its answer any more, since the hold of another call may be on its way.
     */
    private void giveBack(Lent lent, boolean isSound) {
        if (isLeft(lent, isSound)) {
            lent.producer.close(Duration.ZERO);
        }
    }

    private synchronized boolean isLeft(Lent lent, boolean isSound) {
        lent.users--;
        lent.hasFailed |= !isSound;
        if (lent.hasFailed && current == lent) {
            current = null;
        }
        return lent.hasFailed && lent.users == 0;
    }

    private synchronized @Nullable Lent end() {
        isClosed = true;
        Lent last = current;
        current = null;
        return last;
    }

    /** A producer and the calls that use it; changed only under the lock of the outer object. */
    private static final class Lent {

        private final Producer<byte[], byte[]> producer;

        /** Number of calls that wait for an answer of the producer. */
        private int users;

        private boolean hasFailed;

        Lent(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }
    }
}
