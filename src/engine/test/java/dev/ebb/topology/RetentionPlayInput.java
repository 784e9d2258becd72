package dev.ebb.topology;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The records of events, updates and executions that a play sends, and the registry without which they wait. */
final class RetentionPlayInput {

    private final RetentionPlay play;
    private final RetentionPlayDraw draw;
    private final List<Runnable> waiting = new ArrayList<>();
    private final Set<String> waitingStreams = new TreeSet<>();
    private boolean isRegistryDown;

    RetentionPlayInput(RetentionPlay play) {
        this.play = play;
        this.draw = play.draw;
    }

    boolean isRegistryDown() {
        return isRegistryDown;
    }

    /** Returns true if records of that stream wait, so that no sweep may take anything from it. */
    boolean waits(String stream) {
        return waitingStreams.contains(stream);
    }

    void event() {
        event(draw.stream());
        while (draw.oneIn(2)) {
            event(draw.stream());
        }
    }

    void event(StreamName stream) {
        Event event = draw.event(stream, play.now());
        long timestamp = play.now() - draw.below(3000);
        send(event, timestamp);
        if (draw.oneIn(10)) {
            send(event, timestamp);
        }
    }

    void send(Event event, long timestamp) {
        play.note("event " + event + " of execution " + event.execution() + ", " + event.ttl() + ", occurred at "
                + event.occurredAt() + ", completed at " + event.completedAt() + ", " + event.payload().length
                + " bytes");
        play.fixture.event(event, timestamp);
        later(event.stream(), () -> {
            if (RetentionPlayDraw.isUsable(event, play.now())) {
                long held = play.model.held;
                long late = play.model.late;
                play.model.event(event, timestamp, play.now());
                if (play.model.late > late) {
                    play.check().rejected(RejectReason.STREAM_DELETED);
                } else if (play.model.held > held) {
                    play.check().rejected(RejectReason.HELD);
                }
            } else {
                play.check().rejected(RejectReason.BAD_TIME);
            }
        });
    }

    void update() {
        EventUpdate update = draw.update(play.now());
        long timestamp = play.now() - draw.below(3000);
        play.note(update.toString());
        play.fixture.update(update, timestamp);
        later(update.stream(), () -> play.model.update(update, timestamp, play.now()));
    }

    void execution() {
        List<String> deleted = List.copyOf(play.model.graves().keySet());
        if (!deleted.isEmpty() && draw.oneIn(3)) {
            String name = deleted.get(draw.below(deleted.size()));
            afterDelete(new StreamName(name), play.model.graves().get(name));
            return;
        }
        ExecutionUpdate update = draw.executionUpdate(play.now());
        long timestamp = play.now() - draw.below(3000);
        play.note(update.toString());
        play.fixture.execution(update, timestamp);
        later(update.stream(), () -> play.model.execution(update, timestamp, play.now()));
    }

    /** Records that come after a delete of the stream, of its executions and their events, in any order. */
    void afterDelete(StreamName stream, long deletedMs) {
        do {
            if (draw.oneIn(3)) {
                event(stream);
            } else {
                ExecutionUpdate update = draw.afterDelete(stream, deletedMs, play.now());
                long timestamp = play.now() - (draw.oneIn(4) ? draw.below(3000) : 0);
                play.note(update.toString());
                play.fixture.execution(update, timestamp);
                later(stream, () -> play.model.execution(update, timestamp, play.now()));
            }
        } while (!draw.oneIn(3));
    }

    void registryOrGarbage() {
        if (isRegistryDown) {
            registryUp();
        } else if (draw.oneIn(2)) {
            play.note("the registry is away");
            isRegistryDown = true;
            play.fixture.records.registryDown(true);
        } else {
            garbage();
        }
    }

    private void garbage() {
        StreamName stream = draw.stream();
        play.note("garbage");
        play.fixture.send(stream.value().getBytes(StandardCharsets.UTF_8), new byte[] {1}, play.now());
        later(stream, () -> play.check().rejected(RejectReason.UNDECODABLE));
    }

    void registryUp() {
        if (!isRegistryDown) {
            return;
        }
        play.note("the registry is back");
        play.fixture.records.registryDown(false);
        play.tick(RetentionPlay.TICK_MS, () -> {
            isRegistryDown = false;
            waiting.forEach(Runnable::run);
            waiting.clear();
            waitingStreams.clear();
        });
        play.settle();
    }

    /** While the registry is away, records wait; the model takes them in when the topology does. */
    private void later(StreamName stream, Runnable change) {
        if (isRegistryDown) {
            waiting.add(change);
            waitingStreams.add(stream.value());
        } else {
            change.run();
        }
    }
}
