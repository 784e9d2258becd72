package dev.ebb.faults;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.model.EventBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Duplicates, reorderings, what comes after it was due or after its own end, and times of 1970 and 2099. */
final class OddTimes implements Fault {

    private static final long YEAR_2099 = 4_070_908_800_000L;
    private static final int EVENTS = 150;
    /** Longer than the short ones live, with the sweep that takes them. */
    private static final Duration SHORT_LIVES = Duration.ofSeconds(12);

    @Override
    public String name() {
        return "times";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        for (int round = 0; round < run.rounds(1, 5); round++) {
            long now = System.currentTimeMillis();
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < EVENTS; i++) {
                String id = "odd-" + round + "-" + i;
                Event event = odd(id, i, now, run);
                events.add(event);
                events.add(event);
                events.add(event);
            }
            Collections.shuffle(events, run.random());
            for (Event event : events) {
                send(stack, event, now);
            }
            // All that lived for seconds has gone, and comes once more: as new events.
            Thread.sleep(SHORT_LIVES.toMillis());
            for (Event event : events.subList(0, EVENTS / 2)) {
                send(stack, event, now);
            }
            run.round();
        }
    }

    private static Event odd(String id, int i, long now, FaultRun run) {
        EventBuilder flow = event("flow/" + i % 3, id);
        EventBuilder late = event("late/" + i % 3, id);
        return switch (i % 10) {
            case 0 -> late.occurredAt(0L).build();
            case 1 -> late.occurredAt(now - Duration.ofHours(1).toMillis()).build();
            case 2 -> late.occurredAt(now - run.random().nextInt(600_000)).build();
            case 3 -> late.occurredAt(YEAR_2099).build();
            case 4 -> flow.expiresAt(0).build();
            case 5 -> flow.expiresAt(YEAR_2099).build();
            case 6 -> flow.ttlSeconds(Long.MAX_VALUE).build();
            case 7 -> flow.completedAt(0L).build();
            case 8 ->
                late.occurredAt(now + Duration.ofMinutes(50).toMillis())
                        .expiresAt(now + 5000)
                        .build();
            default -> flow.status("running").occurredAt(0L).build();
        };
    }

    /** Some have a Kafka timestamp of 1970, and some are followed or led by an update. */
    private static void send(FaultStack stack, Event event, long now) {
        int dice = event.id().value().hashCode() & 7;
        EventUpdate update = new EventUpdate(
                event.stream(), event.id(), dice == 1 ? "completed" : null, null, OwnTtl.of(5L, null, false), null);
        if (dice < 3) {
            put(stack, event.stream().value(), stack.records().update(update), now);
        }
        put(stack, event.stream().value(), stack.records().event(event), dice == 3 ? 0 : now);
    }

    private static void put(FaultStack stack, String stream, byte[] value, long timestampMs) {
        stack.load()
                .send(new ProducerRecord<>(stack.topics().events(), null, timestampMs, stream.getBytes(UTF_8), value));
    }
}
