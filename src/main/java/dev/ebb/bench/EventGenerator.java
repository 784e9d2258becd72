package dev.ebb.bench;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/**
 * The load of all measurements: payloads of 200 bytes, streams by Zipf's law, 5 % protected events, 5 % that happened up
 * to a day earlier than their neighbours, 1 % with an own TTL, 1 % with an id that was there before. Not thread-safe.
 */
final class EventGenerator implements Iterator<EventGenerator.Timed> {

    private static final int PAYLOAD_BYTES = 200;
    private static final int REMEMBERED_IDS = 4096;
    private static final long SPAN_MS = Duration.ofHours(1).toMillis();
    private static final long LATEST_MS = Duration.ofDays(1).toMillis();
    private static final long SHORTEST_TTL_S = Duration.ofDays(1).toSeconds();
    private static final long LONGEST_TTL_S = Duration.ofDays(30).toSeconds();

    private final Workload workload;
    private final SplittableRandom random;
    private final Zipf activity;
    private final List<StreamName> streams;
    private final List<Identity> earlier = new ArrayList<>();
    private int made;

    EventGenerator(Workload workload) {
        this.workload = workload;
        this.random = new SplittableRandom(workload.seed());
        this.activity = new Zipf(workload.streams());
        this.streams = BalancedStreams.of(activity, workload.partitions());
    }

    /**
     * An event and when it was sent.
     *
     * @param timestampMs the Kafka timestamp of its record
     */
    record Timed(Event event, long timestampMs) {}

    private record Identity(StreamName stream, EventId id) {}

    @Override
    public boolean hasNext() {
        return made < workload.events();
    }

    @Override
    public Timed next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        long timestampMs = workload.endMs() - SPAN_MS + SPAN_MS * made / workload.events();
        Event event = event(identity(), timestampMs);
        made++;
        return new Timed(event, timestampMs);
    }

    private Event event(Identity identity, long timestampMs) {
        String status = isOneOf(20) ? "pending" : "completed";
        long occurredAt = isOneOf(20) ? timestampMs - random.nextLong(LATEST_MS) : timestampMs;
        OwnTtl ttl = isOneOf(100) ? ttl() : OwnTtl.NONE;
        byte[] payload = new byte[PAYLOAD_BYTES];
        random.nextBytes(payload);
        return new Event(
                identity.stream(),
                identity.id(),
                "changed",
                status,
                occurredAt,
                null,
                ttl,
                0,
                null,
                Map.of(),
                "application/octet-stream",
                payload);
    }

    private OwnTtl ttl() {
        return OwnTtl.of(random.nextLong(SHORTEST_TTL_S, LONGEST_TTL_S), null, false);
    }

    private Identity identity() {
        if (!earlier.isEmpty() && isOneOf(100)) {
            return earlier.get(random.nextInt(earlier.size()));
        }
        Identity identity = new Identity(streams.get(activity.draw(random)), newId());
        if (earlier.size() < REMEMBERED_IDS) {
            earlier.add(identity);
        } else {
            earlier.set(random.nextInt(REMEMBERED_IDS), identity);
        }
        return identity;
    }

    /** Random in its first half, as ids are; unique by its second. */
    private EventId newId() {
        return new EventId(Long.toHexString(random.nextLong() | Long.MIN_VALUE) + "-" + Integer.toString(made, 36));
    }

    private boolean isOneOf(int outcomes) {
        return random.nextInt(outcomes) == 0;
    }
}
