package dev.ebb.runtime.unpacking;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Makes a consumer unpack records in bounded memory. Kafka has no setting for this: each fetch passes through a queue
 * of the consumer, which is replaced by a queue that substitutes the batches of each fetch before they are read. The
 * fields behind this are those of the version of Kafka that Ebb is built with; a consumer without them is not used at
 * all.
 */
public final class Unpacking {

    private static final String BATCHES = "batches";

    private Unpacking() {}

    /**
     * Bounds the consumer; must be called before the consumer is given anything to read.
     *
     * @param mostBytes the maximum number of bytes to keep of the key of a record, of its value, and of its headers; a
     *     longer value is replaced by a {@link LongValue}
     * @throws IllegalStateException if the version of Kafka is another one
     */
    public static void bound(KafkaConsumer<byte[], byte[]> consumer, int mostBytes) {
        Object delegate = value(KafkaConsumer.class, "delegate", consumer);
        Object buffer;
        if (delegate.getClass().getSimpleName().startsWith("Classic")) {
            Object fetcher = value(delegate.getClass(), "fetcher", delegate);
            buffer = value(fetcher.getClass().getSuperclass(), "fetchBuffer", fetcher);
        } else {
            buffer = value(delegate.getClass(), "fetchBuffer", delegate);
        }
        set(buffer.getClass(), "completedFetches", buffer, new Fetches(mostBytes));
    }

    private static Object value(Class<?> type, String name, Object of) {
        try {
            return Objects.requireNonNull(field(type, name).get(of));
        } catch (IllegalAccessException e) {
            throw missing(type, name, e);
        }
    }

    private static void set(Class<?> type, String name, Object of, Object value) {
        try {
            field(type, name).set(of, value);
        } catch (IllegalAccessException e) {
            throw missing(type, name, e);
        }
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw missing(type, name, e);
        }
    }

    private static IllegalStateException missing(Class<?> type, String name, Exception cause) {
        return new IllegalStateException(
                "this version of Kafka has another consumer: " + type.getName() + "." + name, cause);
    }

    /** Fetches that have not been read yet. */
    private static final class Fetches extends ConcurrentLinkedQueue<Object> {

        private static final long serialVersionUID = 1;

        private final int mostBytes;

        Fetches(int mostBytes) {
            this.mostBytes = mostBytes;
        }

        @Override
        public boolean add(Object fetch) {
            bound(fetch);
            return super.add(fetch);
        }

        @Override
        public boolean addAll(Collection<?> fetches) {
            fetches.forEach(this::bound);
            return super.addAll(fetches);
        }

        private void bound(Object fetch) {
            Iterator<?> batches = (Iterator<?>) value(fetch.getClass(), BATCHES, fetch);
            set(fetch.getClass(), BATCHES, fetch, new Batches(batches, mostBytes));
        }
    }

    private record Batches(Iterator<?> all, int mostBytes) implements Iterator<RecordBatch> {

        @Override
        public boolean hasNext() {
            return all.hasNext();
        }

        @Override
        public RecordBatch next() {
            RecordBatch batch = (RecordBatch) all.next();
            return batch instanceof DefaultRecordBatch records && !batch.isControlBatch()
                    ? new BoundedBatch(records, mostBytes)
                    : batch;
        }
    }
}
