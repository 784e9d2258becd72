package dev.ebb.runtime;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.DueForecast.Due;
import dev.ebb.api.ExplainQueries.Standing;
import dev.ebb.api.NotReadyException;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.model.EventBuilder;
import dev.ebb.store.EventStore;
import dev.ebb.store.ReadOnlyEventStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocalDueForecastTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final KeyValueStore<Bytes, byte[]> events =
            Stores.inMemoryKeyValueStore("events").get();
    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();
    private final Map<Scope, VersionedPolicy> policies = new HashMap<>();
    private final Map<String, Hold> holds = new HashMap<>();
    private final EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
    private long nowMs = T0;
    private boolean isReady = true;

    private final Clock clock = new Clock() {
        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(nowMs);
        }
    };

    private final LocalDueForecast forecast = new LocalDueForecast(
            new LocalDueForecast.Sources(this::storeOf, () -> List.of(0), 1, this::policySet, new ListedDueReads()),
            clock);

    @BeforeEach
    void open() {
        policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10 * HOUR)).build());
        store.open(policySet());
    }

    @Test
    void shouldCountWhatComesDueWithinAnHourAndADay() {
        // given
        put(event("orders/1", "overdue"), T0 - 11 * HOUR);
        put(event("orders/1", "in an hour"), T0 - 9 * HOUR);
        put(event("orders/1", "in a day"), T0 - 8 * HOUR);
        put(event("orders/2", "short").ttlSeconds(60), T0);
        put(event("orders/2", "long").ttlSeconds(1_000_000), T0);
        put(event("orders/2", "pending").status("pending"), T0 - 11 * HOUR);
        put(event("other", "in a day"), T0);

        // when
        Due orders = forecast.byNamespace().get("orders");

        // then
        assertThat(orders.nextHour().events()).isEqualTo(3);
        assertThat(orders.nextDay().events()).isEqualTo(4);
        assertThat(orders.nextHour().bytes())
                .isPositive()
                .isLessThan(orders.nextDay().bytes());
        assertThat(orders.isExact()).isTrue();
        assertThat(orders.countedAtMs()).isEqualTo(T0);
        assertThat(forecast.byNamespace().get("default").nextDay().events()).isEqualTo(1);
        assertThat(forecast.byNamespace().get("default").nextHour().events()).isZero();
    }

    @Test
    void shouldLeaveOutWhatNothingWillTake() {
        // given
        policy(RetentionPolicy.of(Scope.namespace("warned"))
                .mode(PolicyMode.WARN)
                .build());
        holds.put("c", new Hold("c", Scope.namespace("held"), "", "", 0));
        put(event("held/1", "1"), T0 - 11 * HOUR);
        put(event("held/1", "2"), T0);
        put(event("warned/1", "1"), T0 - 11 * HOUR);

        // then
        assertThat(forecast.byNamespace().get("held").nextDay().events()).isZero();
        assertThat(forecast.forecasts().get("held").held()).isEqualTo(2);
        assertThat(forecast.byNamespace()).doesNotContainKey("warned");
    }

    @Test
    void shouldCountAgainOnlyAfterAMinute() {
        // given
        put(event("a/1", "1"), T0 - 11 * HOUR);
        forecast.byNamespace();
        put(event("a/1", "2"), T0 - 11 * HOUR);

        // when / then
        nowMs += 59_999;
        assertThat(forecast.byNamespace().get("a").nextHour().events()).isEqualTo(1);
        nowMs += 1;
        assertThat(forecast.byNamespace().get("a").nextHour().events()).isEqualTo(2);
    }

    @Test
    void shouldCountWhatIsOverdueButNotHeld() {
        // given
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .mode(PolicyMode.WARN)
                .build());
        put(event("a/1", "1"), T0 - 10 * HOUR - 1);
        put(event("a/1", "2"), T0 - 10 * HOUR);
        var stream = storeOf(0).usage(new StreamName("a/1")).orElseThrow();

        // then
        assertThat(forecast.overdue(stream).events()).isEqualTo(1);
        holds.put("c", new Hold("c", Scope.ALL, "", "", 0));
        assertThat(forecast.overdue(stream).events()).isZero();
    }

    @Test
    void shouldStandStillForPartitionsThatMove() {
        // given
        isReady = false;

        // then
        assertThat(forecast.byNamespace()).isEmpty();
    }

    @Test
    void shouldTellHowAnEventStands() {
        // given
        put(event("a/1", "1"), T0);
        var queries = new LocalExplainQueries(this::storeOf, 1, this::policySet);

        // when
        Standing standing =
                queries.standing(new StreamName("a/1"), new EventId("1")).orElseThrow();

        // then
        assertThat(standing.isHeld()).isFalse();
        assertThat(standing.event().event().id()).isEqualTo(new EventId("1"));
        assertThat(queries.standing(new StreamName("a/1"), new EventId("2"))).isEmpty();
    }

    private ReadOnlyEventStore storeOf(int partition) {
        if (!isReady) {
            throw new NotReadyException("partition " + partition + " moves", Duration.ofSeconds(1));
        }
        return new ReadOnlyEventStore(events, usage);
    }

    private void policy(RetentionPolicy policy) {
        policies.put(policy.scope(), new VersionedPolicy(policy, policies.size()));
    }

    private PolicySet policySet() {
        return new PolicySet(policies, holds, new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE), 1);
    }

    private void put(EventBuilder builder, long storedAtMs) {
        Event event = builder.build();
        store.put(store.prepare(event, storedAtMs, storedAtMs, policySet()), policySet());
    }
}
