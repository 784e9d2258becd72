package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.EventBuilder;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelSweep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rush of events that arrive due, more than a slice deletes, while other streams have something due or are over a
 * cap. Whatever arrives, none of them waits for more than one slice of every other (O-2).
 */
final class RetentionPlayRush {

    /** Slices in which a stream lost something although another one had more due events than the slice deletes. */
    static final AtomicLong SERVED = new AtomicLong();

    private static final int TICKS = 30;

    /** Counts of mode warn take every other slice. */
    private static final int MOST_WAITS = 2 * RetentionPlayDraw.STREAMS.size() + 2;

    private final RetentionPlay play;
    private final RetentionPlayDraw draw;
    private final Map<String, Integer> waits = new HashMap<>();
    private boolean isOn;
    private int auditsSeen;
    private int sent;

    RetentionPlayRush(RetentionPlay play) {
        this.play = play;
        this.draw = play.draw;
    }

    /** Returns true while sweeps meet events that came after their beginning. */
    boolean isOn() {
        return isOn;
    }

    void step() {
        List<String> streams = new ArrayList<>(RetentionPlayDraw.STREAMS);
        Collections.rotate(streams, draw.below(streams.size()));
        List<String> busy = streams.subList(0, 1 + draw.below(2));
        play.note("due events come without end for " + busy);
        isOn = true;
        waits.clear();
        auditsSeen = play.fixture.audits.size();
        streams.forEach(this::due);
        for (int tick = 0; tick < TICKS; tick++) {
            for (int i = 0; i < 2 * play.plan.batchDeletes() + 1; i++) {
                busy.forEach(this::due);
            }
            if (draw.oneIn(3)) {
                due(draw.stream().value());
            }
            play.tick(RetentionPlay.TICK_MS, () -> {});
            look();
        }
        play.settle();
        isOn = false;
    }

    private void due(String stream) {
        long now = play.now();
        play.input()
                .send(
                        EventBuilder.event(stream, "rush-" + sent++)
                                .occurredAt(now - 3_600_000)
                                .expiresAt(now - 1)
                                .build(),
                        now);
    }

    private void look() {
        Set<String> served = new HashSet<>();
        for (; auditsSeen < play.fixture.audits.size(); auditsSeen++) {
            String sweepId = play.fixture.audits.get(auditsSeen).sweepId();
            String stream = play.fixture.audits.get(auditsSeen).stream();
            if (sweepId != null && stream != null) {
                served.add(stream);
            }
        }
        for (RetentionModelStream stream : play.model.streams().values()) {
            boolean isWaiting = !served.contains(stream.name) && hasSomethingDue(stream);
            int waited = isWaiting ? waits.merge(stream.name, 1, Integer::sum) : 0;
            if (!isWaiting) {
                waits.remove(stream.name);
            }
            assertThat(waited)
                    .as("O-2 slices for which " + stream.name + " waits")
                    .isLessThanOrEqualTo(MOST_WAITS);
        }
        SERVED.addAndGet(served.size());
    }

    /** The model takes things in when their sweep ends, so they may be gone from the store. */
    private boolean hasSomethingDue(RetentionModelStream stream) {
        if (!play.model.policies().rules(stream.name).isEnforced()) {
            return false;
        }
        Set<String> stored = Set.copyOf(play.fixture.ids(stream.name));
        return RetentionModelSweep.of(stream, play.model.policies(), play.now() - RetentionPlay.TICK_MS).gone().stream()
                .anyMatch(gone -> stored.contains(gone.event().id));
    }
}
