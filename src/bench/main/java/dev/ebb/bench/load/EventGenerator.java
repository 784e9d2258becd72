package dev.ebb.bench.load;

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
 * The load of all measurements: payloads of 200 bytes, streams by Zipf's law, and all else by the {@link Mix}. Not
 * thread-safe.
 */
public final class EventGenerator implements Iterator<EventGenerator.Timed> {

    static final String PENDING = "pending";
    public static final String COMPLETED = "completed";

    private static final int REMEMBERED_IDS = 4096;
    private static final long LATEST_MS = Duration.ofDays(1).toMillis();
    /** Longer than the greatest lateness, so that nothing is due before it is stored. */
    private static final long SHORTEST_TTL_S = Duration.ofDays(2).toSeconds();

    private static final long LONGEST_TTL_S = Duration.ofDays(30).toSeconds();

    private final Workload workload;
    private final Mix mix;
    private final SplittableRandom random;
    private final Zipf activity;
    private final List<StreamName> streams;
    private final List<Identity> earlier = new ArrayList<>();
    private int made;

    EventGenerator(Workload workload) {
        this.workload = workload;
        this.mix = workload.mix();
        this.random = new SplittableRandom(workload.seed());
        this.activity = new Zipf(workload.streams());
        this.streams = BalancedStreams.of(activity, workload.partitions());
    }

    /**
     * An event and the time at which it was sent.
     *
     * @param timestampMs the Kafka timestamp of its record, epoch milliseconds
     * @param isRepeat true if the id has occurred before
     */
    public record Timed(Event event, long timestampMs, boolean isRepeat) {}

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
        long spanMs = mix.spanMs();
        long timestampMs = workload.endMs() - spanMs + spanMs * made / workload.events();
        boolean isRepeat = !earlier.isEmpty() && isOneOf(mix.repeatEvery());
        Identity identity = isRepeat ? earlier.get(random.nextInt(earlier.size())) : newIdentity();
        Event event = event(identity, timestampMs);
        made++;
        return new Timed(event, timestampMs, isRepeat);
    }

    private Event event(Identity identity, long timestampMs) {
        boolean isPending = made < mix.protectedFirst() || isOneOf(mix.protectedEvery());
        long lateMs = isOneOf(mix.lateEvery()) ? random.nextLong(LATEST_MS) : 0;
        long occurredAt = timestampMs - mix.agoMs() - lateMs;
        OwnTtl ttl = isOneOf(mix.ttlEvery()) ? ttl() : OwnTtl.NONE;
        String status = isPending ? PENDING : COMPLETED;
        byte[] payload = Payloads.next(random, made);
        return event(identity.stream(), identity.id(), status, occurredAt, ttl, payload);
    }

    /** Returns an event of finished work without an own TTL, for a load whose events occur when they are sent. */
    public static Timed now(SplittableRandom random, String stream, String id, long number) {
        long nowMs = System.currentTimeMillis();
        byte[] payload = Payloads.next(random, number);
        Event event = event(new StreamName(stream), new EventId(id), COMPLETED, nowMs, OwnTtl.NONE, payload);
        return new Timed(event, nowMs, false);
    }

    /** Returns an event as this generator makes it, reassembled from the fields that a peer has stored. */
    public static Event event(
            StreamName stream, EventId id, String status, long occurredAt, OwnTtl ttl, byte[] payload) {
        String contentType = Payloads.contentType(payload);
        return new Event(stream, id, "changed", status, occurredAt, null, ttl, 0, null, Map.of(), contentType, payload);
    }

    private OwnTtl ttl() {
        return OwnTtl.of(random.nextLong(SHORTEST_TTL_S, LONGEST_TTL_S), null, false);
    }

    private Identity newIdentity() {
        Identity identity = new Identity(streams.get(stream()), newId());
        if (earlier.size() < REMEMBERED_IDS) {
            earlier.add(identity);
        } else {
            earlier.set(random.nextInt(REMEMBERED_IDS), identity);
        }
        return identity;
    }

    private int stream() {
        if (mix.isEachStreamFirst() && made < streams.size()) {
            return made;
        }
        return activity.draw(random);
    }

    /** Returns an id whose first half is random, as ids usually are, and whose second half makes it unique. */
    private EventId newId() {
        return new EventId(Long.toHexString(random.nextLong() | Long.MIN_VALUE) + "-" + Integer.toString(made, 36));
    }

    /** @param every the mean number of calls for one true; 0 for never */
    private boolean isOneOf(int every) {
        return every > 0 && random.nextInt(every) == 0;
    }
}
