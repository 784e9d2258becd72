package dev.ebb.store.forecast;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.model.SeededCases;
import dev.ebb.store.NaiveSweep;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreFixture.Removal;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.StaleWork;
import dev.ebb.store.read.ReadOnlyView;
import dev.ebb.store.state.NamespaceCounts;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A forecast deletes nothing, and names the events that a sweep then deletes. */
public class StreamForecastTest {

    public static final StreamName STREAM = new StreamName("a/1");
    private static final String[] STATUSES = {null, "completed", "pending", "read"};

    @Test
    @Tag("O-5")
    @Tag("O-15")
    void shouldForetellWhatTheNextSweepDeletesUnderAnyPolicy() {
        SeededCases.forAll(400, random -> {
            StoreFixture fixture = filled(random);
            for (int round = 0; round < 3; round++) {
                RetentionPolicy policy = randomPolicy(random);
                fixture.nowMs += random.nextInt(3000);
                List<Removal> expected = naive(fixture, effective(policy));

                List<Removal> foretold = forecast(fixture, effective(policy), false, 1 + random.nextInt(4));
                assertThat(rearranged(fixture, effective(policy), 1 + random.nextInt(4)))
                        .as("forecast in several passes")
                        .containsExactlyInAnyOrderElementsOf(expected);
                fixture.policies(policy);

                assertThat(foretold).as("forecast").containsExactlyInAnyOrderElementsOf(expected);
                assertThat(fixture.sweep(1 + random.nextInt(4)))
                        .as("sweep")
                        .containsExactlyInAnyOrderElementsOf(foretold);
            }
        });
    }

    /** With the last execution its place among the others is gone: the caps count on in a stream without any. */
    @Test
    @Tag("M-14")
    void shouldForetellWhatTheCapsTakeWhenAgeHasTakenAllExecutions() {
        // given
        StoreFixture fixture = new StoreFixture();
        for (int i = 0; i < 6; i++) {
            fixture.event(event(STREAM.value(), "young" + i).occurredAt(fixture.nowMs - i));
        }
        fixture.event(event(STREAM.value(), "old").execution(1).occurredAt(fixture.nowMs - 1000));
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .maxAge(Limit.of(500))
                .maxCount(Limit.of(4))
                .build();

        // when
        List<Removal> expected = naive(fixture, effective(policy));

        // then
        assertThat(expected).hasSize(3);
        for (int window = 1; window < 10; window++) {
            assertThat(rearranged(fixture, effective(policy), window)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    @Tag("O-5")
    void shouldForetellTheSameAsTimeGoesOnUnderOnePolicy() {
        SeededCases.forAll(300, random -> {
            StoreFixture fixture = filled(random);
            RetentionPolicy policy = randomPolicy(random);
            fixture.policies(policy);
            for (int round = 0; round < 6; round++) {
                fixture.nowMs += random.nextInt(1500);
                List<Removal> expected = naive(fixture, effective(policy));

                assertThat(forecast(fixture, effective(policy), false, 2))
                        .as("forecast")
                        .containsExactlyInAnyOrderElementsOf(expected);
                assertThat(fixture.sweep()).as("sweep").containsExactlyInAnyOrderElementsOf(expected);
            }
        });
    }

    @Test
    @Tag("M-18")
    void shouldForetellNothingForAStreamThatIsHeld() {
        SeededCases.forAll(100, random -> {
            StoreFixture fixture = filled(random);
            fixture.nowMs += 10_000;

            assertThat(forecast(fixture, effective(randomPolicy(random)), true, 3))
                    .isEmpty();
        });
    }

    @Test
    void shouldChangeNothing() {
        SeededCases.forAll(100, random -> {
            StoreFixture fixture = filled(random);
            var before = fixture.events.contents();

            forecast(fixture, effective(randomPolicy(random)), false, 3);

            assertThat(fixture.events.contents().keySet()).isEqualTo(before.keySet());
        });
    }

    @Test
    void shouldComeToAnEndWhileTheStreamChanges() {
        SeededCases.forAll(300, random -> {
            StoreFixture fixture = filled(random);
            StreamState stream = fixture.store.stream(STREAM);
            if (stream == null) {
                return;
            }
            EffectivePolicy policy = effective(randomPolicy(random));
            StreamForecast forecast = fixture.store.forecast(stream, policy, false, fixture.nowMs + 4000);
            for (int step = 0; !forecast.step(budget(2), (state, removed) -> {}); step++) {
                assertThat(step).isLessThan(1000);
                fixture.nowMs += random.nextInt(500);
                if (random.nextBoolean()) {
                    fixture.sweep();
                } else {
                    change(fixture, random);
                }
            }
        });
    }

    private static List<Removal> naive(StoreFixture fixture, EffectivePolicy policy) {
        StreamState stream = fixture.store.stream(STREAM);
        return stream == null ? List.of() : new NaiveSweep(fixture, stream, policy).removals();
    }

    private static List<Removal> forecast(StoreFixture fixture, EffectivePolicy policy, boolean isHeld, int deletes) {
        StreamState stream = fixture.store.stream(STREAM);
        if (stream == null) {
            return List.of();
        }
        StreamForecast forecast = fixture.store.forecast(stream, policy, isHeld, fixture.nowMs);
        return removals(forecast, deletes);
    }

    /** As if the events lay in another order, and so few positions fitted into memory. */
    private static List<Removal> rearranged(StoreFixture fixture, EffectivePolicy policy, int window) {
        StreamState stream = fixture.store.stream(STREAM);
        if (stream == null) {
            return List.of();
        }
        StreamState shadow = stream.shadow();
        shadow.setPolicy(policy, false);
        ReadOnlyView view = new ReadOnlyView(fixture.events);
        EventTable events = new EventTable(view, new NamespaceCounts(), new StaleWork(view));
        return removals(new RearrangedForecast(events, stream, shadow, fixture.nowMs, window), 3);
    }

    private static List<Removal> removals(StreamForecast forecast, int deletes) {
        List<Removal> removed = new ArrayList<>();
        int slices = 0;
        while (!forecast.step(budget(deletes), (state, gone) -> removed.add(Removal.of(gone)))) {
            assertThat(slices++).as("slices").isLessThan(10_000);
        }
        return removed;
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }

    public static EffectivePolicy effective(RetentionPolicy policy) {
        return Policies.setOf(policy).effective(STREAM);
    }

    /** A stream of one of three kinds: without executions, with some, with declared ones. May be on the move. */
    public static StoreFixture filled(Random random) {
        StoreFixture fixture = new StoreFixture();
        fixture.policies(randomPolicy(random));
        int executions = random.nextBoolean() ? 0 : 1 + random.nextInt(4);
        boolean isDeclared = executions > 0 && random.nextBoolean();
        for (int i = 0; i < 10 + random.nextInt(25); i++) {
            fixture.nowMs += random.nextInt(200);
            fixture.event(randomEvent(random, fixture.nowMs, executions));
            if (isDeclared && random.nextInt(4) == 0) {
                declare(fixture, random, executions);
            }
        }
        if (random.nextInt(3) == 0) {
            fixture.begin(randomPolicy(random));
            fixture.moveSlice();
        }
        return fixture;
    }

    private static void change(StoreFixture fixture, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> fixture.begin(randomPolicy(random));
            case 1 -> fixture.moveSlice();
            case 2 ->
                fixture.update(
                        new EventUpdate(
                                STREAM,
                                new EventId("e" + random.nextInt(30)),
                                STATUSES[random.nextInt(STATUSES.length)],
                                null,
                                null,
                                null),
                        fixture.nowMs);
            default -> fixture.event(randomEvent(random, fixture.nowMs, random.nextInt(3)));
        }
    }

    private static void declare(StoreFixture fixture, Random random, int executions) {
        boolean isOver = random.nextInt(3) > 0;
        ExecutionUpdate update = new ExecutionUpdate(
                STREAM,
                random.nextInt(executions + 2),
                isOver ? "completed" : "running",
                null,
                null,
                isOver ? (Long) (fixture.nowMs - random.nextInt(3000)) : null);
        fixture.store.apply(update, fixture.nowMs, fixture.nowMs, fixture.policies());
        StreamState stream = fixture.store.stream(STREAM);
        if (stream != null) {
            fixture.schedule.touch(stream);
        }
    }

    private static EventBuilder randomEvent(Random random, long nowMs, int executions) {
        return event(STREAM.value(), "e" + random.nextInt(30))
                .execution(executions == 0 ? 0 : random.nextInt(executions + 1))
                .status(STATUSES[random.nextInt(STATUSES.length)])
                .occurredAt(random.nextBoolean() ? null : nowMs - random.nextInt(5000))
                .completedAt(random.nextBoolean() ? null : nowMs - random.nextInt(5000))
                .ttl(ttl(random, nowMs))
                .payloadBytes(random.nextInt(60));
    }

    private static OwnTtl ttl(Random random, long nowMs) {
        return switch (random.nextInt(5)) {
            case 0 -> OwnTtl.INFINITE;
            case 1 -> OwnTtl.of(null, nowMs + random.nextInt(6000) - 3000, false);
            case 2 -> OwnTtl.of(1L + random.nextInt(4), null, false);
            default -> OwnTtl.NONE;
        };
    }

    public static RetentionPolicy randomPolicy(Random random) {
        return RetentionPolicy.of(Scope.ALL)
                .maxAge(random.nextInt(3) == 0 ? null : Limit.of(1 + random.nextInt(5000)))
                .maxCount(random.nextBoolean() ? null : Limit.of(1 + random.nextInt(12)))
                .set(PolicyField.MAX_BYTES, random.nextBoolean() ? null : Limit.of(100 + random.nextInt(2000)))
                .set(PolicyField.KEEP_LAST, random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(5)))
                .set(PolicyField.MIN_AGE, random.nextInt(3) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .anchor(Anchor.values()[random.nextInt(3)])
                .set(PolicyField.MIN_TTL, random.nextInt(4) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .set(PolicyField.MAX_TTL, random.nextInt(4) > 0 ? null : Limit.of(1 + random.nextInt(3000)))
                .set(PolicyField.ALLOW_INFINITE_TTL, random.nextBoolean())
                .build();
    }
}
