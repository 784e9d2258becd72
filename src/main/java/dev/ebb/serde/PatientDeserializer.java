package dev.ebb.serde;

import dev.ebb.domain.event.Wait;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Makes somebody else's deserializer safe for a stream thread: the first record with a schema id, for which such a
 * deserializer asks its registry, is tried on a background thread, and is pending until that has gone well.
 */
final class PatientDeserializer implements Deserializer<Object>, SchemaQuestions {

    private static final long RETRY_MS = 1000;

    private final Deserializer<?> delegate;
    private final Set<Integer> known = ConcurrentHashMap.newKeySet();
    private final Set<Integer> asked = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Wait> problems = new ConcurrentHashMap<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ebb-deserializer");
        thread.setDaemon(true);
        return thread;
    });

    PatientDeserializer(Deserializer<?> delegate) {
        this.delegate = delegate;
    }

    @Override
    public @Nullable Object deserialize(String topic, byte[] data) {
        throw new UnsupportedOperationException("call it with headers");
    }

    @Override
    public @Nullable Object deserialize(String topic, Headers headers, byte[] data) {
        int id = WireFormat.schemaId(data);
        // Another wire format has ids that this class cannot see; then there is nothing to do but to try.
        if (id == WireFormat.NO_ID || known.contains(id)) {
            return delegate.deserialize(topic, headers, data);
        }
        if (asked.add(id)) {
            tryLater(id, topic, headers, data, 0);
        }
        throw new SchemaPendingException(pending(id));
    }

    @Override
    public @Nullable Wait stillWaits(Wait wait) {
        int id = SchemaQuestions.idOf(wait);
        return id == WireFormat.NO_ID || known.contains(id) || !asked.contains(id) ? null : pending(id);
    }

    /** It is asked each second anyway. */
    @Override
    public void askAgain(Wait wait) {}

    private Wait pending(int id) {
        return problems.getOrDefault(id, SchemaQuestions.waitFor(id));
    }

    @Override
    public void close() {
        worker.shutdownNow();
        delegate.close();
    }

    private void tryLater(int id, String topic, Headers headers, byte[] data, long delayMs) {
        try {
            // Its outcome is kept where the answer is; nobody waits for the task itself.
            var unused = worker.schedule(() -> tryOut(id, topic, headers, data), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            throw new SerializationException("this deserializer is closed", e);
        }
    }

    /** A record that cannot be read although the registry answers is found bad by the thread that brought it. */
    private void tryOut(int id, String topic, Headers headers, byte[] data) {
        try {
            delegate.deserialize(topic, headers, data);
            settle(id);
        } catch (RuntimeException e) {
            Wait waitsFor = ReadFailure.waitsFor(e);
            if (waitsFor == null) {
                settle(id);
            } else {
                problems.put(id, SchemaQuestions.waitFor(id).because(waitsFor.kind(), waitsFor.problem()));
                tryLater(id, topic, headers, data, RETRY_MS);
            }
        }
    }

    private void settle(int id) {
        known.add(id);
        problems.remove(id);
    }
}
