package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random things that happen to one partition. */
final class StoreSteps {

    private static final String[] STREAMS = {"a/1", "a/2", "b"};
    private static final String[] STATUSES = {null, "", "completed", "read", "pending", "archived"};
    private static final String[] EXECUTION_STATUSES = {"completed", "failed", "completed", "running", "archived", null
    };

    private final StoreFixture fixture;
    private final Random random;

    StoreSteps(StoreFixture fixture, Random random) {
        this.fixture = fixture;
        this.random = random;
    }

    /** A partition with events and executions, a policy whose moves are done, and time gone by. */
    static StoreFixture filled(Random random) {
        StoreFixture fixture = new StoreFixture();
        StoreSteps steps = new StoreSteps(fixture, random);
        for (int i = 0; i < 40; i++) {
            steps.arrive();
            fixture.nowMs += random.nextInt(200);
        }
        fixture.policies(steps.policies());
        fixture.nowMs += random.nextInt(5000);
        return fixture;
    }

    /** Any of them. */
    void step() {
        switch (random.nextInt(20)) {
            case 0 -> fixture.begin(policies());
            case 1 -> fixture.moveSlice();
            case 2 -> fixture.sweep(1 + random.nextInt(4));
            case 3 -> fixture.reopen(statuses());
            case 4, 5 -> fixture.nowMs += random.nextInt(3000);
            case 6, 7, 8 -> fixture.update(update(), fixture.nowMs);
            case 9 -> fixture.remove(stream(), id());
            case 10 -> prune();
            case 11 -> retire();
            case 12 -> fixture.emptySlice(1 + random.nextInt(4));
            case 13 -> fixture.store.savePending("n" + random.nextInt(3), random.nextBoolean() ? null : new byte[1]);
            case 14 -> fixture.store.saveDone("n" + random.nextInt(3), new byte[1], fixture.nowMs);
            default -> arrive();
        }
    }

    /** An event, or news of an execution. */
    private void arrive() {
        if (random.nextInt(5) == 0) {
            fixture.execution(execution(), fixture.nowMs - random.nextInt(2000));
        } else {
            EventBuilder event = randomEvent();
            if (!isHeld(event)) {
                fixture.event(event);
            }
        }
    }

    /** Records that the topology rejects: nothing takes the place of a held event (M-18). */
    private boolean isHeld(EventBuilder event) {
        var arrival = fixture.store.prepare(event.build(), fixture.nowMs, fixture.nowMs, fixture.policies());
        return !arrival.isNew() && fixture.policies().isHeld(arrival.event().event().stream());
    }

    private void prune() {
        StreamState stream = fixture.store.stream(new StreamName(stream()));
        if (stream != null && !stream.isMoving() && !stream.isHeld()) {
            PruneCondition condition = new PruneCondition(
                    random.nextBoolean() ? null : (Long) (long) random.nextInt(4),
                    random.nextBoolean() ? null : (Long) (fixture.nowMs - random.nextInt(3000)));
            fixture.prune(stream, condition, 1 + random.nextInt(4));
        }
    }

    /** The name is often used again at once. */
    private void retire() {
        String stream = stream();
        if (fixture.store.stream(new StreamName(stream)) != null) {
            fixture.retire(stream);
            if (random.nextBoolean()) {
                fixture.event(event(stream, id()));
            }
        }
    }

    private TerminalStatuses statuses() {
        return random.nextBoolean() ? TerminalStatuses.DEFAULT : new TerminalStatuses(List.of("archived", "read"));
    }

    private String stream() {
        return STREAMS[random.nextInt(STREAMS.length)];
    }

    private String id() {
        return "e" + random.nextInt(20);
    }

    /** The third stream never has executions. */
    private long executionOf(String stream) {
        return stream.equals("b") || random.nextBoolean() ? 0 : 1 + random.nextInt(4);
    }

    private EventBuilder randomEvent() {
        String stream = stream();
        return event(stream, id())
                .execution(executionOf(stream))
                .status(STATUSES[random.nextInt(STATUSES.length)])
                .occurredAt(random.nextBoolean() ? null : fixture.nowMs - random.nextInt(5000))
                .completedAt(random.nextBoolean() ? null : fixture.nowMs - random.nextInt(5000))
                .ttl(ttl())
                .payloadBytes(random.nextInt(60));
    }

    private EventUpdate update() {
        return new EventUpdate(
                new StreamName(stream()),
                new EventId(id()),
                STATUSES[random.nextInt(STATUSES.length)],
                random.nextBoolean() ? null : fixture.nowMs - random.nextInt(5000),
                random.nextBoolean() ? null : ttl(),
                random.nextBoolean() ? null : Map.of("k", "v".repeat(random.nextInt(9))));
    }

    /** Declares, completes, opens again, or completes earlier than before. */
    private ExecutionUpdate execution() {
        String stream = STREAMS[random.nextInt(2)];
        return new ExecutionUpdate(
                new StreamName(stream),
                random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(4),
                EXECUTION_STATUSES[random.nextInt(EXECUTION_STATUSES.length)],
                random.nextInt(4) > 0 ? null : new StreamName(stream()),
                random.nextInt(4) > 0 ? null : fixture.nowMs - random.nextInt(9000),
                random.nextBoolean() ? null : fixture.nowMs - random.nextInt(5000));
    }

    private OwnTtl ttl() {
        return switch (random.nextInt(6)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(null, fixture.nowMs + random.nextInt(6000) - 3000, false);
            case 2 -> OwnTtl.of(1L + random.nextInt(4), null, false);
            default -> OwnTtl.NONE;
        };
    }

    private PolicySet policies() {
        List<RetentionPolicy> records = new ArrayList<>();
        records.add(policy(Scope.ALL));
        if (random.nextInt(3) == 0) {
            records.add(policy(Scope.namespace("a")));
        }
        List<Hold> holds = random.nextInt(4) > 0
                ? List.of()
                : List.of(
                        new Hold("case", random.nextBoolean() ? Scope.stream("a/1") : Scope.namespace("a"), "", "", 0));
        return Policies.setOf(records, holds);
    }

    private RetentionPolicy policy(Scope scope) {
        return RetentionPolicy.of(scope)
                .maxAge(random.nextInt(3) == 0 ? null : Limit.of(1 + random.nextInt(5000)))
                .maxCount(random.nextBoolean() ? null : Limit.of(1 + random.nextInt(8)))
                .set(PolicyField.MAX_BYTES, random.nextBoolean() ? null : Limit.of(100 + random.nextInt(1000)))
                .set(PolicyField.KEEP_LAST, random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(5)))
                .set(PolicyField.MIN_AGE, random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .anchor(Anchor.values()[random.nextInt(3)])
                .set(PolicyField.MIN_TTL, random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .set(PolicyField.MAX_TTL, random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .set(PolicyField.ALLOW_INFINITE_TTL, random.nextBoolean())
                .mode(random.nextInt(6) > 0 ? null : PolicyMode.WARN)
                .build();
    }
}
