package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DatumReader;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Schemas that background threads request from the registry, several at once, so that no caller ever waits for one. An
 * unknown id is pending, and requested until the registry answers. Thread-safe.
 */
public final class BackgroundSchemas implements WriterSchemas, SchemaQuestions {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundSchemas.class);

    /**
     * Maximum number of ids to remember, against a flood of invented ids; a further id is pending without a question.
     */
    private static final int MAX_REMEMBERED = 10_000;

    /**
     * Number of questions at once: one slow answer must not delay all others, and a registry that comes back must not
     * be flooded.
     */
    private static final int QUESTIONS_AT_ONCE = 4;

    /**
     * Pauses between questions. Each pause doubles with each failure of one id.
     *
     * @param firstRetry the pause before the next question to a registry that did not answer
     * @param maxRetry the longest such pause
     * @param maxUnusableRetry the longest pause for a schema that the registry cannot or will not provide in full
     * @param forgetRefusal the time for which the first answer that the registry does not have a schema counts
     * @param maxForgetRefusal the longest time for which such an answer counts
     */
    public record Patience(
            Duration firstRetry,
            Duration maxRetry,
            Duration maxUnusableRetry,
            Duration forgetRefusal,
            Duration maxForgetRefusal) {

        public static final Patience DEFAULT = new Patience(
                Duration.ofMillis(200),
                Duration.ofSeconds(10),
                Duration.ofMinutes(2),
                Duration.ofSeconds(30),
                Duration.ofMinutes(10));

        long retryMs(int attempt, Wait.Kind kind) {
            Duration most = kind == Wait.Kind.REGISTRY_AWAY ? maxRetry : maxUnusableRetry;
            return doubled(firstRetry, attempt, most).toMillis();
        }

        Duration refusal(int refusalsBefore) {
            return doubled(forgetRefusal, refusalsBefore, maxForgetRefusal);
        }

        private static Duration doubled(Duration first, int times, Duration most) {
            Duration grown = first.multipliedBy(1L << Math.min(times, 20));
            return grown.compareTo(most) > 0 ? most : grown;
        }
    }

    private final SchemaRegistry registry;
    private final Patience patience;
    private final Map<Integer, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong tickets = new AtomicLong();
    private final AtomicInteger threads = new AtomicInteger();
    private final ScheduledExecutorService workers = Executors.newScheduledThreadPool(QUESTIONS_AT_ONCE, task -> {
        Thread thread = new Thread(task, "ebb-schemas-" + threads.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });

    public BackgroundSchemas(SchemaRegistry registry, Patience patience) {
        this.registry = registry;
        this.patience = patience;
    }

    @Override
    public DatumReader<GenericRecord> reader(int id) {
        Entry entry = entries.get(id);
        return entry == null || entry.isOver() ? ask(id).reader() : entry.reader();
    }

    @Override
    public @Nullable Wait stillWaits(Wait wait) {
        int id = SchemaQuestions.idOf(wait);
        Entry entry = id == WireFormat.NO_ID ? null : entries.get(id);
        return entry == null ? null : entry.waitsFor();
    }

    /** Keeps a known schema, forgets a refusal, and restarts a pending question. */
    @Override
    public void askAgain(Wait wait) {
        int id = SchemaQuestions.idOf(wait);
        if (id != WireFormat.NO_ID) {
            entries.computeIfPresent(
                    id, (same, entry) -> entry.known() != null ? entry : begin(id, entry.waitsFor(), 0));
        }
    }

    @Override
    public void close() {
        workers.shutdownNow();
        registry.close();
    }

    private Entry ask(int id) {
        if (entries.size() >= MAX_REMEMBERED) {
            makeRoom();
        }
        return entries.size() < MAX_REMEMBERED
                ? entries.compute(id, this::askUnlessAsked)
                : Entry.pending(SchemaQuestions.waitFor(id), 0, 0);
    }

    /**
     * Forgets schemas that the registry does not have or cannot provide; each is requested again for the next record.
     */
    private void makeRoom() {
        entries.values().removeIf(Entry::isOver);
        if (entries.size() >= MAX_REMEMBERED) {
            entries.values().removeIf(Entry::isHopeless);
        }
    }

    /** Returns the entry of an id. If two threads ask for one id at once, the registry is asked only once. */
    private Entry askUnlessAsked(int id, @Nullable Entry before) {
        return before != null && !before.isOver() ? before : begin(id, null, before == null ? 0 : before.refusals());
    }

    /** Starts a new question; an earlier one for the same id ends when its ticket no longer matches. */
    private Entry begin(int id, @Nullable Wait known, int refusals) {
        long ticket = tickets.incrementAndGet();
        submit(id, ticket, 0, 0);
        return Entry.pending(known == null ? SchemaQuestions.waitFor(id) : known, ticket, refusals);
    }

    private void submit(int id, long ticket, int attempt, long delayMs) {
        try {
            // The entry holds the outcome; no thread waits for the task itself.
            var unused = workers.schedule(() -> find(id, ticket, attempt), delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().addKeyValue("schema", id).log("Not asking for a schema any more, since this is closed");
        }
    }

    private void find(int id, long ticket, int attempt) {
        // A plain get could run before the entry with this ticket exists; this call waits until it does.
        Entry before = entries.computeIfPresent(id, (same, entry) -> entry);
        if (before == null || before.ticket() != ticket) {
            return;
        }
        try {
            settle(id, answer(id, registry.find(id), before));
        } catch (IOException | RuntimeException | Error e) {
            findLater(id, before, attempt, e);
        }
    }

    private void findLater(int id, Entry before, int attempt, Throwable e) {
        Wait.Kind kind = SchemaProblemException.kindOf(e);
        LOG.atLevel(attempt == 0 ? Level.WARN : Level.DEBUG)
                .addKeyValue("schema", id)
                .addKeyValue("attempt", attempt)
                .addKeyValue("problem", kind)
                .setCause(e)
                .log("The schema registry does not provide a schema; records with this schema wait");
        Wait wait = SchemaQuestions.waitFor(id).because(kind, String.valueOf(e.getMessage()));
        settle(id, Entry.pending(wait, before.ticket(), before.refusals()));
        submit(id, before.ticket(), attempt + 1, patience.retryMs(attempt, kind));
    }

    /** Stores the answer, unless the id was asked for again or forgotten meanwhile. */
    private void settle(int id, Entry entry) {
        entries.computeIfPresent(id, (same, now) -> now.ticket() == entry.ticket() ? entry : now);
    }

    private Entry answer(int id, Optional<String> text, Entry before) {
        if (text.isEmpty()) {
            return refused(new UnknownSchemaException(id), before);
        }
        try {
            return Entry.known(WriterSchema.reader(id, text.get()), before.ticket());
        } catch (SerializationException e) {
            return refused(e, before);
        }
    }

    private Entry refused(SerializationException why, Entry before) {
        long overNanos = System.nanoTime() + patience.refusal(before.refusals()).toNanos();
        return new Entry(null, why, null, overNanos, before.ticket(), before.refusals() + 1);
    }

    /**
     * The state of an id: its reader, the reason why there is none, or the wait for it.
     *
     * @param known the reader; null if there is none
     * @param problem the reason why there is no reader; null if there is a reader
     * @param waitsFor the wait; null if the id is not pending
     * @param overNanos the nano time after which the entry no longer counts; {@link Long#MAX_VALUE} for never
     * @param ticket distinguishes the present question from earlier ones
     * @param refusals number of answers that the registry does not have the schema
     */
    private record Entry(
            @Nullable DatumReader<GenericRecord> known,
            @Nullable SerializationException problem,
            @Nullable Wait waitsFor,
            long overNanos,
            long ticket,
            int refusals) {

        static Entry known(DatumReader<GenericRecord> reader, long ticket) {
            return new Entry(reader, null, null, Long.MAX_VALUE, ticket, 0);
        }

        static Entry pending(Wait waitsFor, long ticket, int refusals) {
            return new Entry(null, new SchemaPendingException(waitsFor), waitsFor, Long.MAX_VALUE, ticket, refusals);
        }

        boolean isOver() {
            return overNanos != Long.MAX_VALUE && System.nanoTime() - overNanos > 0;
        }

        /** Returns true if the registry has answered that it does not have the schema or cannot provide it. */
        boolean isHopeless() {
            return known == null && (waitsFor == null || waitsFor.kind() == Wait.Kind.SCHEMA_UNUSABLE);
        }

        DatumReader<GenericRecord> reader() {
            if (known == null) {
                throw problem == null ? new IllegalStateException("neither reader nor problem") : problem;
            }
            return known;
        }
    }
}
