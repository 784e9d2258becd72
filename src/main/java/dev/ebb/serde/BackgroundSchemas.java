package dev.ebb.serde;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Schemas that one background thread asks the registry for, so that no caller ever waits for it: an id that is not
 * known yet is pending, and asked for until the registry answers.
 */
final class BackgroundSchemas implements WriterSchemas {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundSchemas.class);

    /** What a flood of invented ids can make this remember; beyond it an id is pending without being asked for. */
    private static final int MAX_REMEMBERED = 10_000;

    /**
     * How patient it is.
     *
     * @param firstRetry how long it waits before it asks a registry again that did not answer; doubles each time
     * @param maxRetry where the doubling ends
     * @param forgetRefusal how long it believes that the registry does not have a schema
     */
    record Patience(Duration firstRetry, Duration maxRetry, Duration forgetRefusal) {

        static final Patience DEFAULT =
                new Patience(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofSeconds(30));

        long retryMs(int attempt) {
            return Math.min(maxRetry.toMillis(), firstRetry.toMillis() << Math.min(attempt, 20));
        }
    }

    private final SchemaRegistry registry;
    private final Patience patience;
    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ebb-schemas");
        thread.setDaemon(true);
        return thread;
    });

    BackgroundSchemas(SchemaRegistry registry, Patience patience) {
        this.registry = registry;
        this.patience = patience;
    }

    @Override
    public DatumReader<GenericRecord> reader(int id) {
        Entry entry = entries.get(id);
        return entry == null || entry.isOver() ? ask(id).reader() : entry.reader();
    }

    @Override
    public void close() {
        worker.shutdownNow();
        registry.close();
    }

    private Entry ask(int id) {
        if (entries.size() >= MAX_REMEMBERED) {
            entries.values().removeIf(Entry::isOver);
        }
        return entries.size() < MAX_REMEMBERED ? entries.compute(id, this::askUnlessAsked) : pending(id, null);
    }

    /** Two threads may come here at once with one id; the registry is asked once. */
    private Entry askUnlessAsked(int id, @Nullable Entry before) {
        if (before != null && !before.isOver()) {
            return before;
        }
        submit(id, 0, 0);
        return pending(id, null);
    }

    private void submit(int id, int attempt, long delayMs) {
        try {
            // Its outcome is kept where the answer is; nobody waits for the task itself.
            var unused = worker.schedule(() -> find(id, attempt), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().addKeyValue("schema", id).log("Not asking for a schema any more, since this is closed");
        }
    }

    private void find(int id, int attempt) {
        try {
            entries.put(id, answer(id, registry.find(id)));
        } catch (IOException | RuntimeException e) {
            LOG.atLevel(attempt == 0 ? Level.WARN : Level.DEBUG)
                    .addKeyValue("schema", id)
                    .addKeyValue("attempt", attempt)
                    .setCause(e)
                    .log("The schema registry does not answer; records with this schema wait");
            entries.put(id, pending(id, e));
            submit(id, attempt + 1, patience.retryMs(attempt));
        }
    }

    private Entry answer(int id, Optional<String> text) {
        if (text.isEmpty()) {
            return refused(new UnknownSchemaException(id));
        }
        try {
            return new Entry(WriterSchema.reader(id, text.get()), null, Long.MAX_VALUE);
        } catch (SerializationException e) {
            return refused(e);
        }
    }

    private Entry refused(SerializationException why) {
        return new Entry(null, why, System.nanoTime() + patience.forgetRefusal().toNanos());
    }

    private static Entry pending(int id, @Nullable Exception failure) {
        String what = "schema " + id + " of the registry"
                + (failure == null ? "" : ", which does not answer: " + failure.getMessage());
        return new Entry(null, new SchemaPendingException(what), Long.MAX_VALUE);
    }

    /**
     * What is known of an id.
     *
     * @param known the reader; null if there is none
     * @param problem why there is no reader
     * @param overNanos the nano time after which this counts no more; {@link Long#MAX_VALUE}: never
     */
    private record Entry(
            @Nullable DatumReader<GenericRecord> known,
            @Nullable SerializationException problem,
            long overNanos) {

        boolean isOver() {
            return overNanos != Long.MAX_VALUE && System.nanoTime() - overNanos > 0;
        }

        DatumReader<GenericRecord> reader() {
            if (known == null) {
                throw problem == null ? new IllegalStateException("neither reader nor problem") : problem;
            }
            return known;
        }
    }
}
