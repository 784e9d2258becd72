package dev.ebb.runtime.watch;

import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures a lag again and again, so that others can read it from memory. */
public final class LagWatch implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LagWatch.class);

    private final GroupLag lag;
    private final Consumer<byte[], byte[]> reader;
    private final Admin admin;
    private volatile OptionalLong measured = OptionalLong.empty();

    /** The reader and the admin are closed with this object. */
    public LagWatch(GroupLag lag, Consumer<byte[], byte[]> reader, Admin admin) {
        this.lag = lag;
        this.reader = reader;
        this.admin = admin;
    }

    /** Measures once. */
    @Override
    public synchronized void run() {
        try {
            measured = OptionalLong.of(lag.measure());
        } catch (KafkaException e) {
            measured = OptionalLong.empty();
            LOG.atDebug().setCause(e).log("the lag of the input is not known");
        }
    }

    /** Records that were not taken at the last look; empty if that is not known. */
    public OptionalLong measured() {
        return measured;
    }

    @Override
    public synchronized void close() {
        reader.close();
        admin.close();
    }
}
