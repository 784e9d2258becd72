package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes another vendor's deserializer safe for a stream thread: the first record with a schema id, for which the
 * deserializer asks its registry, is tried on a background thread, and is pending until the try succeeds. Thread-safe
 * if that deserializer is.
 */
public final class PatientDeserializer implements Deserializer<Object>, SchemaQuestions {

    private static final Logger LOG = LoggerFactory.getLogger(PatientDeserializer.class);

    /** Maximum number of ids to remember, against a flood of invented ids; a further id is pending without a try. */
    private static final int MAX_REMEMBERED = 10_000;

    /** Maximum size of the records kept for further tries, in bytes, not counting the last record. */
    private static final long MAX_KEPT_BYTES = 64L << 20;

    /** Number of tries at once: one slow answer must not delay all others. */
    private static final int TRIES_AT_ONCE = 4;

    private final Deserializer<?> delegate;
    private final BackgroundSchemas.Patience patience;
    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong keptBytes = new AtomicLong();
    private final AtomicLong tickets = new AtomicLong();
    private final AtomicInteger threads = new AtomicInteger();
    private final ScheduledExecutorService workers = Executors.newScheduledThreadPool(TRIES_AT_ONCE, task -> {
        Thread thread = new Thread(task, "ebb-deserializer-" + threads.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    public PatientDeserializer(Deserializer<?> delegate, BackgroundSchemas.Patience patience) {
        this.delegate = delegate;
        this.patience = patience;
    }

    @Override
    public @Nullable Object deserialize(String topic, byte[] data) {
        throw new UnsupportedOperationException("call it with headers");
    }

    @Override
    public @Nullable Object deserialize(String topic, Headers headers, byte[] data) {
        int id = WireFormat.schemaId(data);
        // Ids of another wire format are unknown to this class, so the delegate can only try.
        Wait wait = id == WireFormat.NO_ID ? null : pending(id, new Sample(topic, headers, data));
        if (wait != null) {
            throw new SchemaPendingException(wait);
        }
        return delegate.deserialize(topic, headers, data);
    }

    @Override
    public @Nullable Wait stillWaits(Wait wait) {
        int id = SchemaQuestions.idOf(wait);
        Entry entry = id == WireFormat.NO_ID ? null : entries.get(id);
        return entry == null ? null : entry.waitsFor();
    }

    @Override
    public void askAgain(Wait wait) {
        int id = SchemaQuestions.idOf(wait);
        if (id != WireFormat.NO_ID) {
            entries.computeIfPresent(id, (same, entry) -> entry.isSettled() ? entry : begin(id, entry));
        }
    }

    @Override
    public void close() {
        workers.shutdownNow();
        delegate.close();
    }

    private @Nullable Wait pending(int id, Sample sample) {
        Entry entry = entries.get(id);
        if (entry != null) {
            return entry.waitsFor();
        }
        return hasRoom()
                ? entries.computeIfAbsent(id, same -> keep(id, sample)).waitsFor()
                : SchemaQuestions.waitFor(id);
    }

    /**
     * Returns true if there is room for another id. Settled ids make room: the next record with such an id is tried
     * once more, which costs little.
     */
    private boolean hasRoom() {
        if (entries.size() >= MAX_REMEMBERED) {
            entries.values().removeIf(Entry::isSettled);
        }
        return entries.size() < MAX_REMEMBERED && keptBytes.get() < MAX_KEPT_BYTES;
    }

    private Entry keep(int id, Sample sample) {
        keptBytes.addAndGet(sample.data().length);
        return begin(id, new Entry(SchemaQuestions.waitFor(id), sample, 0));
    }

    /** Starts a new try; an earlier one for the same id ends when its ticket no longer matches. */
    private Entry begin(int id, Entry entry) {
        long ticket = tickets.incrementAndGet();
        submit(id, ticket, 0, 0);
        return new Entry(entry.waitsFor(), entry.sample(), ticket);
    }

    private void submit(int id, long ticket, int attempt, long delayMs) {
        try {
            // The entry holds the outcome; no thread waits for the task itself.
            var unused = workers.schedule(() -> tryOut(id, ticket, attempt), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().addKeyValue("schema", id).log("Not trying a schema any more, since this is closed");
        }
    }

    private void tryOut(int id, long ticket, int attempt) {
        // A plain get could run before the entry with this ticket exists; this call waits until it does.
        Entry entry = entries.computeIfPresent(id, (same, now) -> now);
        if (entry == null || entry.ticket() != ticket || entry.sample() == null) {
            return;
        }
        Wait waitsFor = waitsFor(id, entry.sample());
        if (!settle(id, new Entry(waitsFor, waitsFor == null ? null : entry.sample(), ticket))) {
            return;
        }
        if (waitsFor == null) {
            keptBytes.addAndGet(-entry.sample().data().length);
        } else {
            submit(id, ticket, attempt + 1, patience.retryMs(attempt, waitsFor.kind()));
        }
    }

    /**
     * Returns the wait of a record; also null for a record that cannot be read although the registry answers, which the
     * calling thread rejects.
     */
    private @Nullable Wait waitsFor(int id, Sample sample) {
        try {
            delegate.deserialize(sample.topic(), sample.headers(), sample.data());
            return null;
        } catch (RuntimeException | Error e) {
            Wait wait = ReadFailure.waitsFor(e);
            return wait == null ? null : SchemaQuestions.waitFor(id).because(wait.kind(), wait.problem());
        }
    }

    /** Stores the outcome; returns false if a new try was started meanwhile. */
    private boolean settle(int id, Entry entry) {
        Entry settled = entries.computeIfPresent(id, (same, now) -> now.ticket() == entry.ticket() ? entry : now);
        return settled != null && settled.ticket() == entry.ticket();
    }

    private record Sample(String topic, Headers headers, byte[] data) {}

    /**
     * The state of an id.
     *
     * @param waitsFor null once it is settled
     * @param sample the record that is tried; null once it is settled
     * @param ticket distinguishes the present try from earlier ones
     */
    private record Entry(@Nullable Wait waitsFor, @Nullable Sample sample, long ticket) {

        boolean isSettled() {
            return waitsFor == null;
        }
    }
}
