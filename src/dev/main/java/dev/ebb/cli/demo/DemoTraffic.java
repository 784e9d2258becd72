package dev.ebb.cli.demo;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes up events of five kinds, one for each kind of retention: chat (age), metrics (a count cap), logs (a byte cap),
 * sessions (TTLs of their producer) and orders, which are pending until an update completes them. Not thread-safe; the
 * same seed makes the same events.
 */
final class DemoTraffic {

    private static final int COMPLETED_AFTER_TICKS = 40;
    /** One in this many orders is never completed: retention must leave these alone. */
    private static final int FORGOTTEN_ONE_IN = 10;

    private final Random random;
    private final Consumer<Event> events;
    private final Consumer<EventUpdate> updates;
    private final Deque<Pending> pending = new ArrayDeque<>();
    private long tick;

    private record Pending(StreamName stream, EventId id, long tick) {}

    DemoTraffic(long seed, Consumer<Event> events, Consumer<EventUpdate> updates) {
        this.random = new Random(seed);
        this.events = events;
        this.updates = updates;
    }

    /** Sends the traffic of one step, about 20 events. */
    void tick() {
        tick++;
        for (int i = 0; i < 6; i++) {
            send("chat/room-" + random.nextInt(5), i, "message", null, OwnTtl.NONE, 40);
            send("metrics/cpu-" + random.nextInt(4), i, "sample", null, OwnTtl.NONE, 16);
        }
        for (int i = 0; i < 3; i++) {
            send("logs/app-" + random.nextInt(3), i, "line", null, OwnTtl.NONE, 900);
            send("sessions/web-" + random.nextInt(3), i, "login", null, ttl(), 60);
        }
        order();
        complete();
    }

    private void order() {
        StreamName stream = new StreamName("orders/" + (random.nextBoolean() ? "eu-1" : "us-1"));
        EventId id = send(stream.value(), 0, "ordered", "pending", OwnTtl.NONE, 200);
        if (random.nextInt(FORGOTTEN_ONE_IN) != 0) {
            pending.add(new Pending(stream, id, tick));
        }
    }

    private void complete() {
        while (!pending.isEmpty() && pending.peek().tick() + COMPLETED_AFTER_TICKS <= tick) {
            Pending order = pending.remove();
            updates.accept(new EventUpdate(order.stream(), order.id(), "completed", null, null, null));
        }
    }

    private OwnTtl ttl() {
        return OwnTtl.of(5L + random.nextInt(40), null, false);
    }

    private EventId send(String stream, int number, String type, @Nullable String status, OwnTtl ttl, int bytes) {
        EventId id = new EventId(String.format(Locale.ROOT, "%08d-%d", tick, number));
        byte[] payload = "x".repeat(bytes).getBytes(StandardCharsets.UTF_8);
        events.accept(new Event(
                new StreamName(stream), id, type, status, null, null, ttl, 0, null, Map.of(), "text/plain", payload));
        return id;
    }
}
