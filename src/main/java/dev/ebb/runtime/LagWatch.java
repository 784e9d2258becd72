package dev.ebb.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures the lag of consumer groups again and again, so that others can read it from memory. */
final class LagWatch implements Runnable, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LagWatch.class);

    private final Consumer<byte[], byte[]> reader;
    private final Admin admin;
    private final List<Watched> watched = new ArrayList<>();
    private final Map<String, Long> lags = new ConcurrentHashMap<>();

    /**
     * Closes both when it is closed.
     *
     * @param topics the topics of each group
     */
    LagWatch(Consumer<byte[], byte[]> reader, Admin admin, Map<String, List<String>> topics) {
        this.reader = reader;
        this.admin = admin;
        topics.forEach((group, names) -> watched.add(new Watched(group, new GroupLag(reader, admin, group, names))));
    }

    /** Measures once; called by one thread at a time. */
    @Override
    public synchronized void run() {
        for (Watched group : watched) {
            try {
                lags.put(group.name, group.lag.measure());
            } catch (KafkaException e) {
                lags.remove(group.name);
                LOG.atDebug().setCause(e).addKeyValue("group", group.name).log("the lag of a group is not known");
            }
        }
    }

    /** Records that the group has not taken; empty if that is not known. */
    OptionalLong of(String group) {
        Long lag = lags.get(group);
        return lag == null ? OptionalLong.empty() : OptionalLong.of(lag);
    }

    @Override
    public synchronized void close() {
        reader.close();
        admin.close();
    }

    private record Watched(String name, GroupLag lag) {}
}
