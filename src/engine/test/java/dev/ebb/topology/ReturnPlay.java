package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteEvent;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.named;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.EventBuilder;
import dev.ebb.store.StoreCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Names that are used again and again at equal anchors, deletes and undos of them, and anchors that change. After each
 * step exactly the events are stored that came or came back, byte for byte; those of one anchor stand in the order in
 * which they were stored first (T-2, A-7, I-3).
 */
final class ReturnPlay {

    static final int STEPS = 40;

    private static final List<String> STREAMS = List.of("orders/1", "jobs/1");
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final int IDS = 5;

    private final Random random;
    private final TopologyFixture fixture;

    /** The events that must be stored. */
    private final Map<Name, StoredEvent> stored = new LinkedHashMap<>();

    /** The order in which events were stored first, by the places that they keep. */
    private final Map<StoredEvent, Integer> places = new HashMap<>();

    private final List<Gone> trash = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private Anchor anchor = Anchor.STORED;
    private int sent;

    /** True if no policy can be in force that the keys do not lie by. */
    private boolean isSettled;

    private ReturnPlay(Random random, TopologyFixture fixture) {
        this.random = random;
        this.fixture = fixture;
    }

    private record Name(String stream, String id) {

        static Name of(StoredEvent event) {
            return new Name(event.event().stream().value(), event.event().id().value());
        }
    }

    /** An event that waits in the trash, the last deleted behind the others. */
    private record Gone(StoredEvent event, String reason) {}

    static void play(Random random) {
        try (TopologyFixture fixture = TopologyFixture.inMemory()) {
            fixture.restart(TopologyFixture.settings(OptionalLong.of(1), 1 + random.nextInt(4)));
            fixture.settle();
            new ReturnPlay(random, fixture).run();
        }
    }

    private void run() {
        for (int step = 0; step < STEPS; step++) {
            try {
                step();
                compare();
            } catch (AssertionError e) {
                throw new AssertionError(String.join("\n", log) + "\n" + e.getMessage(), e);
            }
        }
    }

    private void step() {
        int dice = random.nextInt(20);
        if (dice < 8) {
            arrive();
        } else if (dice < 11) {
            delete();
        } else if (dice < 16) {
            undo();
        } else if (dice < 18) {
            changeAnchor();
        } else if (dice == 18) {
            emptyByPolicy();
        } else if (random.nextBoolean()) {
            note("restart");
            fixture.restart();
            fixture.advance(1000);
        } else {
            note("execution");
            fixture.execution(execution(STREAMS.get(1), 1 + random.nextInt(2), oneOf("completed", "running")));
        }
        isSettled = random.nextBoolean();
        if (isSettled) {
            fixture.settle();
        }
    }

    private void arrive() {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String stream = STREAMS.get(random.nextInt(STREAMS.size()));
            EventBuilder event = event(stream, "e" + random.nextInt(IDS))
                    .payload(new byte[] {(byte) sent})
                    .occurredAt(TopologyFixture.T0 - HOUR_MS * random.nextInt(2))
                    .completedAt(TopologyFixture.T0 - HOUR_MS * random.nextInt(2));
            if (random.nextInt(6) == 0) {
                event.ttlSeconds(1_000_000);
            }
            if (stream.equals(STREAMS.get(1))) {
                event.execution(random.nextInt(3));
            }
            note("event " + event.build());
            fixture.event(event);
            arrived();
            sent++;
            fixture.advance(random.nextInt(2));
        }
    }

    /** The engine knows times and places of what is new; an upsert keeps those of its event (M-1). */
    private void arrived() {
        for (StoredEvent now : fixture.stored()) {
            StoredEvent before = stored.put(Name.of(now), now);
            if (before == null) {
                places.put(now, places.size());
            } else if (!now.equals(before)) {
                assertThat(now.storedAt()).isEqualTo(before.storedAt());
                places.put(now, places.get(before));
            }
        }
    }

    private void delete() {
        String stream = STREAMS.get(random.nextInt(STREAMS.size()));
        Command command =
                switch (random.nextInt(3)) {
                    case 0 -> deleteEvent(stream, "e" + random.nextInt(IDS), true);
                    case 1 -> purge(named(stream));
                    default -> deleteForced(stream);
                };
        String id = "c-" + sent++;
        carryOut(request(id, command));
        if (random.nextBoolean()) {
            fixture.emptyOut();
        }
        gone(id);
    }

    private CommandResult carryOut(CommandRequest request) {
        note(request.toString());
        return fixture.carryOut(request);
    }

    /** Everything that is not stored any more waits in the trash for that reason. */
    private void gone(String reason) {
        Map<Name, StoredEvent> left = byName(fixture.stored());
        stored.entrySet().removeIf(entry -> {
            boolean isGone = !left.containsKey(entry.getKey());
            if (isGone) {
                trash.add(new Gone(entry.getValue(), reason));
            }
            return isGone;
        });
    }

    private void undo() {
        if (trash.isEmpty()) {
            return;
        }
        String reason = trash.get(random.nextInt(trash.size())).reason();
        UndoFilter filter =
                switch (random.nextInt(3)) {
                    case 0 -> new UndoFilter(null, null, null, null, TopologyFixture.T0, null, null, null);
                    default ->
                        reason.startsWith("stream:")
                                ? new UndoFilter(null, null, reason, null, null, null, null, null)
                                : new UndoFilter(reason, null, null, null, null, null, null, null);
                };
        CommandResult result = carryOut(request("u-" + sent++, new Command.UndoDeletes(filter, null)));
        assertThat(result.refusal()).as(result.detail()).isNull();
        Undone outcome = Objects.requireNonNull(Outcomes.undone(result));
        long back = bringBack(filter.sinceMs() != null ? null : reason);
        assertThat(outcome.events()).as("events back of " + outcome).isEqualTo(back);
        assertThat(outcome.count(NotReturned.FORGED)).isZero();
    }

    /** Of several deletions of an id the last one counts; an id that is used again stays away. */
    private long bringBack(@Nullable String reason) {
        Map<Name, Gone> last = new LinkedHashMap<>();
        trash.stream()
                .filter(gone -> reason == null || reason.equals(gone.reason()))
                .forEach(gone -> last.put(Name.of(gone.event()), gone));
        last.keySet().removeAll(stored.keySet());
        last.forEach((name, gone) -> {
            trash.remove(gone);
            stored.put(name, gone.event());
        });
        return last.size();
    }

    private void changeAnchor() {
        anchor = Anchor.values()[random.nextInt(Anchor.values().length)];
        note("anchor " + anchor);
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ANCHOR, anchor)
                .maxAge(Limit.of(1000 * HOUR_MS))
                .build());
    }

    /** A policy by mistake takes what it can of a stream, and is taken back. */
    private void emptyByPolicy() {
        Scope scope = Scope.stream(STREAMS.get(random.nextInt(STREAMS.size())));
        note("mistake for " + scope);
        fixture.settle();
        fixture.policy(RetentionPolicy.of(scope).maxAge(Limit.of(1)).build());
        fixture.settleFor(10);
        fixture.settle();
        fixture.removePolicy(scope);
        fixture.settle();
        gone(scope.toString());
    }

    private void compare() {
        assertThat(byName(fixture.stored())).as("what is stored").isEqualTo(stored);
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
        if (isSettled && fixture.status().movingStreams() == 0) {
            STREAMS.forEach(stream -> compareOrder(fixture.stored(new StreamName(stream))));
        }
        if (!fixture.hasRetired()) {
            assertThat(fixture.mirror).as("rows").hasSize(stored.size());
        }
    }

    private void compareOrder(List<StoredEvent> events) {
        Map<String, List<StoredEvent>> ofOneAnchor = events.stream()
                .filter(event -> !event.isProtected() && !event.ttl().isFinite())
                .collect(Collectors.groupingBy(event -> event.event().execution() + " " + anchorOf(event)));
        assertThat(ofOneAnchor.values())
                .allSatisfy(group -> assertThat(group).extracting(places::get).isSorted());
    }

    private long anchorOf(StoredEvent event) {
        boolean isCompletedAsOne = anchor == Anchor.COMPLETED && event.event().execution() > 0;
        return isCompletedAsOne ? 0 : event.anchorMs(anchor);
    }

    private static Map<Name, StoredEvent> byName(List<StoredEvent> events) {
        return events.stream().collect(Collectors.toMap(Name::of, event -> event));
    }

    private String oneOf(String one, String other) {
        return random.nextBoolean() ? one : other;
    }

    private void note(String what) {
        log.add("at " + (fixture.nowMs() - TopologyFixture.T0) + ": " + what);
    }
}
