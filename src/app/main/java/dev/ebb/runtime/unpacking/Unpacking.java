package dev.ebb.runtime.unpacking;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a consumer unpack records in bounded memory. Kafka has no setting for this: each fetch passes through a queue
 * of the consumer, which is replaced by a queue that substitutes the batches of each fetch before they are read. The
 * fields behind this are those of the version of Kafka that Ebb is built with. A consumer of another version, without
 * them, stays as it is, and the log says so once.
 */
public final class Unpacking {

    private static final Logger LOG = LoggerFactory.getLogger(Unpacking.class);
    private static final AtomicBoolean WARNED = new AtomicBoolean();
    private static final String QUEUE = "completedFetches";
    private static final String BATCHES = "batches";

    private Unpacking() {}

    /**
     * Bounds the consumer; must be called before the consumer is given anything to read.
     *
     * @param mostBytes the maximum number of bytes to keep of the key of a record, of its value, and of its headers; a
     *     longer value is replaced by a {@link LongValue}
     */
    public static void bound(KafkaConsumer<byte[], byte[]> consumer, int mostBytes) {
        boolean isBounded = bound(consumer, mostBytes, QUEUE);
        if (!isBounded && WARNED.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("kafka", AppInfoParser.getVersion())
                    .log("this version of Kafka's clients has another consumer than the one that Ebb knows: records are"
                            + " unpacked without a bound, and a hostile one may fill the heap");
        }
    }

    /**
     * Bounds the consumer if it has the fields for that.
     *
     * @param queue the name of the field with the fetches
     * @return false if it has not, and is unchanged
     */
    static boolean bound(KafkaConsumer<byte[], byte[]> consumer, int mostBytes, String queue) {
        try {
            Object buffer = buffer(value(KafkaConsumer.class, "delegate", consumer));
            requireField(Class.forName(buffer.getClass().getPackageName() + ".CompletedFetch"), BATCHES);
            set(buffer.getClass(), queue, buffer, new Fetches(mostBytes));
            return true;
        } catch (OtherVersionException | ClassNotFoundException | LinkageError | InaccessibleObjectException e) {
            LOG.atDebug().setCause(e).log("the consumer is not bounded");
            return false;
        }
    }

    private static Object buffer(Object delegate) {
        if (delegate.getClass().getSimpleName().startsWith("Classic")) {
            Object fetcher = value(delegate.getClass(), "fetcher", delegate);
            return value(fetcher.getClass().getSuperclass(), "fetchBuffer", fetcher);
        }
        return value(delegate.getClass(), "fetchBuffer", delegate);
    }

    private static void requireField(Class<?> type, String name) {
        var unused = field(type, name);
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

    private static OtherVersionException missing(Class<?> type, String name, Exception cause) {
        return new OtherVersionException(
                "this version of Kafka has another consumer: " + type.getName() + "." + name, cause);
    }

    /** Thrown where a field is missing. */
    private static final class OtherVersionException extends RuntimeException {

        private static final long serialVersionUID = 1;

        OtherVersionException(String message, Exception cause) {
            super(message, cause);
        }
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
