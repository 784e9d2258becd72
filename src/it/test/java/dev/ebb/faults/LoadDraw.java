package dev.ebb.faults;

import static dev.ebb.model.EventBuilder.event;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.EventBuilder;
import dev.ebb.serde.records.AvroRecords;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/**
 * Decides by chance what comes next; the same seed gives the same records in the same order, but for the times, which
 * count from the moment in which a record is drawn. One thread at a time.
 */
final class LoadDraw {

    private static final int STREAMS = 12;
    private static final int LONGEST_OWN_TTL_S = 10;
    private static final int LATENESS_MS = 9000;
    private static final int MEMORY = 300;

    private final Random random;
    private final AvroRecords records;
    private final Queue<Drawn> finishing = new ArrayDeque<>();
    private final Event[] recent = new Event[MEMORY];
    private int events;
    private int executions;

    LoadDraw(long seed, AvroRecords records) {
        this.random = new Random(seed);
        this.records = records;
    }

    /** A record and the stream that it belongs to. */
    record Drawn(String stream, byte[] value) {}

    Drawn next() {
        int dice = random.nextInt(1000);
        if (dice < 60 && finishing.size() > 5 || finishing.size() > 150) {
            return finishing.remove();
        }
        long nowMs = System.currentTimeMillis();
        if (dice < 110) {
            return execution(nowMs);
        }
        if (dice < 125) {
            return again();
        }
        if (dice < 150) {
            return update(nowMs);
        }
        return of(remembered(drawn(dice, nowMs)));
    }

    /** A record that ends work in progress; null if all has ended. */
    Drawn finish() {
        return finishing.poll();
    }

    /** An event that falls due at this moment, in one of {@code streams} streams. */
    Drawn due(String namespace, int streams, long dueAtMs) {
        String stream = namespace + "/" + random.nextInt(streams);
        return of(event(stream, "b" + events++)
                .payload(payload(60))
                .expiresAt(dueAtMs)
                .build());
    }

    /** An event that stays. */
    Event kept(String namespace, int streams) {
        return event(namespace + "/" + random.nextInt(streams), "k" + events++)
                .payload(payload(60))
                .build();
    }

    private Event drawn(int dice, long nowMs) {
        if (dice < 450) {
            return ordinary(nowMs);
        }
        if (dice < 600) {
            return draft("late").occurredAt(nowMs - random.nextInt(LATENESS_MS)).build();
        }
        if (dice < 760) {
            return draft("cap").occurredAt(nowMs - random.nextInt(3000)).build();
        }
        if (dice < 860) {
            return draft("bytes").build();
        }
        return draft("keep").occurredAt(nowMs - random.nextInt(1_000_000)).build();
    }

    private Event ordinary(long nowMs) {
        EventBuilder draft = draft("flow");
        int dice = random.nextInt(100);
        if (dice < 2) {
            draft.status("pending");
        } else if (dice < 8) {
            Event event = draft.status("running").build();
            finishing.add(new Drawn(
                    event.stream().value(),
                    records.update(
                            new EventUpdate(event.stream(), event.id(), completed(dice), null, null, Map.of()))));
            return event;
        } else if (dice < 20) {
            draft.ttlSeconds(1 + random.nextInt(LONGEST_OWN_TTL_S));
        } else if (dice < 26) {
            draft.expiresAt(nowMs + random.nextInt(LONGEST_OWN_TTL_S * 1000));
        } else if (dice < 30) {
            draft.status("read").metadata(Map.of("n", "" + dice));
        }
        return draft.build();
    }

    private static String completed(int dice) {
        return dice % 2 == 0 ? "completed" : "";
    }

    /** The event again, or another one with its id. */
    private Drawn again() {
        Event old = recent[random.nextInt(MEMORY)];
        if (old == null) {
            return of(remembered(draft("flow").build()));
        }
        if (random.nextBoolean()) {
            return of(old);
        }
        return of(event(old.stream().value(), old.id().value())
                .occurredAt(old.occurredAt())
                .payload(payload(80))
                .build());
    }

    private Drawn update(long nowMs) {
        Event old = recent[random.nextInt(MEMORY)];
        if (old == null) {
            return of(remembered(draft("flow").build()));
        }
        OwnTtl ttl =
                switch (random.nextInt(3)) {
                    case 0 -> OwnTtl.of(1L + random.nextInt(LONGEST_OWN_TTL_S), null, false);
                    case 1 -> OwnTtl.of(null, nowMs + random.nextInt(LONGEST_OWN_TTL_S * 1000), false);
                    default -> null;
                };
        Map<String, String> metadata = ttl == null ? Map.of("again", "yes") : null;
        return new Drawn(
                old.stream().value(),
                records.update(new EventUpdate(old.stream(), old.id(), null, null, ttl, metadata)));
    }

    /** An execution with some events, which ends some records later; some have a parent. */
    private Drawn execution(long nowMs) {
        long number = 1 + executions++;
        StreamName stream = new StreamName("jobs/" + number % STREAMS);
        StreamName parent = random.nextInt(3) == 0 ? new StreamName("jobs/parent" + number % 3) : null;
        for (int i = random.nextInt(4); i >= 0; i--) {
            finishing.add(of(event(stream.value(), "j" + events++)
                    .execution(number)
                    .payload(payload(40))
                    .build()));
        }
        String end = random.nextInt(5) == 0 ? "failed" : "completed";
        finishing.add(execution(new ExecutionUpdate(stream, number, end, null, null, null)));
        return execution(new ExecutionUpdate(stream, number, "running", parent, nowMs, null));
    }

    private Drawn execution(ExecutionUpdate update) {
        return new Drawn(update.stream().value(), records.execution(update));
    }

    /** The streams of a namespace differ much in their traffic. */
    private EventBuilder draft(String namespace) {
        double place = random.nextDouble();
        int stream = (int) (STREAMS * place * place);
        return event(namespace + "/" + stream, new EventId("e" + events++).value())
                .payload(payload(100));
    }

    private Event remembered(Event event) {
        recent[random.nextInt(MEMORY)] = event;
        return event;
    }

    Drawn of(Event event) {
        return new Drawn(event.stream().value(), records.event(event));
    }

    private byte[] payload(int limit) {
        byte[] payload = new byte[random.nextInt(limit)];
        random.nextBytes(payload);
        return payload;
    }
}
