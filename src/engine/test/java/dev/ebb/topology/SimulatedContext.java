package dev.ebb.topology;

import dev.ebb.topology.wire.Addressed;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Kafka Streams as our processors see it, in the hands of a simulation. Not thread-safe.
 *
 * @param <T> type of the forwarded records: bytes
 */
public final class SimulatedContext<T> implements ProcessorContext<Addressed, T> {

    /** Takes what is forwarded. */
    @FunctionalInterface
    public interface Outlet {
        void send(
                String sink,
                byte @Nullable [] key,
                int partition,
                byte @Nullable [] value,
                long timeMs,
                Headers headers);
    }

    /** A punctuator by the wall clock; the simulation decides when its turn comes. */
    public static final class Punctuation implements Cancellable {

        private final Punctuator punctuator;
        private final long periodMs;
        private long nextMs;
        private boolean isCancelled;

        private Punctuation(Punctuator punctuator, long periodMs, long nextMs) {
            this.punctuator = punctuator;
            this.periodMs = periodMs;
            this.nextMs = nextMs;
        }

        /** When its turn comes, by the clock that the simulation goes by. */
        public long nextMs() {
            return nextMs;
        }

        public long periodMs() {
            return periodMs;
        }

        /** @param clockMs time on the clock of the instance */
        public void fire(long simulatedMs, long clockMs) {
            nextMs = simulatedMs + periodMs;
            punctuator.punctuate(clockMs);
        }

        @Override
        public void cancel() {
            isCancelled = true;
        }
    }

    private final TaskId task;
    private final LongSupplier clock;
    private final LongSupplier simulated;
    private final Outlet outlet;
    private final Map<String, StateStore> stores = new HashMap<>();
    private final List<Punctuation> punctuations = new ArrayList<>();
    private @Nullable RecordMetadata metadata;
    private boolean isCommitWanted;

    /**
     * @param clock of the instance, epoch milliseconds
     * @param simulated the time by which the simulation gives punctuators their turns
     */
    public SimulatedContext(TaskId task, LongSupplier clock, LongSupplier simulated, Outlet outlet) {
        this.task = task;
        this.clock = clock;
        this.simulated = simulated;
        this.outlet = outlet;
    }

    public void store(String name, StateStore store) {
        stores.put(name, store);
    }

    /** Punctuators that are not cancelled, the oldest first. */
    public List<Punctuation> punctuations() {
        punctuations.removeIf(punctuation -> punctuation.isCancelled);
        return punctuations;
    }

    void forgetPunctuations() {
        punctuations.clear();
    }

    void record(@Nullable RecordMetadata current) {
        metadata = current;
    }

    /** Returns true if a commit has been asked for since the last call. */
    public boolean takeCommitWanted() {
        boolean wasWanted = isCommitWanted;
        isCommitWanted = false;
        return wasWanted;
    }

    @Override
    public <K extends Addressed, V extends T> void forward(Record<K, V> record) {
        throw new UnsupportedOperationException("every record is forwarded to a sink");
    }

    @Override
    public <K extends Addressed, V extends T> void forward(Record<K, V> record, String sink) {
        Addressed to = record.key();
        byte[] value = (byte[]) record.value();
        outlet.send(sink, to.key(), to.partition(), value, record.timestamp(), record.headers());
    }

    @Override
    @SuppressWarnings("unchecked")
    public <S extends StateStore> S getStateStore(String name) {
        return (S) Objects.requireNonNull(stores.get(name), name);
    }

    @Override
    public Cancellable schedule(Duration period, PunctuationType type, Punctuator punctuator) {
        return add(new Punctuation(punctuator, period.toMillis(), simulated.getAsLong() + period.toMillis()));
    }

    @Override
    public Cancellable schedule(Instant first, Duration period, PunctuationType type, Punctuator punctuator) {
        long delayMs = Math.max(0, Math.min(period.toMillis(), first.toEpochMilli() - clock.getAsLong()));
        return add(new Punctuation(punctuator, period.toMillis(), simulated.getAsLong() + delayMs));
    }

    private Punctuation add(Punctuation punctuation) {
        punctuations.add(punctuation);
        return punctuation;
    }

    @Override
    public void commit() {
        isCommitWanted = true;
    }

    @Override
    public TaskId taskId() {
        return task;
    }

    @Override
    public Optional<RecordMetadata> recordMetadata() {
        return Optional.ofNullable(metadata);
    }

    @Override
    public long currentSystemTimeMs() {
        return clock.getAsLong();
    }

    @Override
    public String applicationId() {
        return "ebb";
    }

    @Override
    public Serde<?> keySerde() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Serde<?> valueSerde() {
        throw new UnsupportedOperationException();
    }

    @Override
    public File stateDir() {
        throw new UnsupportedOperationException();
    }

    @Override
    public StreamsMetrics metrics() {
        throw new UnsupportedOperationException();
    }

    /** Without a guarantee that lets rows wait for the commit: each step is judged by what it has sent. */
    @Override
    public Map<String, Object> appConfigs() {
        return Map.of();
    }

    @Override
    public Map<String, Object> appConfigsWithPrefix(String prefix) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long currentStreamTimeMs() {
        throw new UnsupportedOperationException();
    }
}
