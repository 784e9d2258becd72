package dev.ebb.runtime.reads;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.model.EventBuilder;
import dev.ebb.port.NotReadyException;
import dev.ebb.runtime.ReadingSide;
import dev.ebb.runtime.SameThread;
import dev.ebb.store.EventStore;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.rocks.InMemoryStores;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalDueForecastTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final KeyValueStore<Bytes, byte[]> events = InMemoryStores.open("events", EventStore.indexes());
    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();
    private final Map<Scope, VersionedPolicy> policies = new HashMap<>();
    private final Map<String, Hold> holds = new HashMap<>();
    private final EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
    private long nowMs = T0;
    private boolean isReady = true;

    private final Clock clock = new ReadingSide.TestClock(() -> nowMs);

    private final LocalDueForecast forecast = new LocalDueForecast(
            new LocalDueForecast.Sources(this::storeOf, () -> List.of(0), this::policySet), clock, new SameThread());

    @BeforeEach
    void open() {
        policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10 * HOUR)).build());
        store.open(policySet());
    }

    @Test
    void shouldCountEventsThatComeDueWithinAnHourAndADay() {
        // given
        put(event("orders/1", "overdue"), T0 - 11 * HOUR);
        put(event("orders/1", "in an hour"), T0 - 9 * HOUR);
        put(event("orders/1", "in a day"), T0 - 8 * HOUR);
        put(event("orders/2", "short").ttlSeconds(60), T0);
        put(event("orders/2", "long").ttlSeconds(1_000_000), T0);
        put(event("orders/2", "pending").status("pending"), T0 - 11 * HOUR);
        put(event("other", "in a day"), T0);

        // when
        DueSums orders = forecast.outlook().of("orders");

        // then
        assertThat(orders.nextHour().events()).isEqualTo(3);
        assertThat(orders.nextDay().events()).isEqualTo(4);
        assertThat(orders.nextHour().bytes())
                .isPositive()
                .isLessThan(orders.nextDay().bytes());
        assertThat(forecast.outlook().isExact(List.of(0))).isTrue();
        assertThat(forecast.outlook().countedAtMs()).isEqualTo(T0);
        assertThat(forecast.outlook().of("default").nextDay().events()).isEqualTo(1);
        assertThat(forecast.outlook().of("default").nextHour().events()).isZero();
    }

    @Test
    void shouldLeaveOutEventsThatNoRuleDeletes() {
        // given
        policy(RetentionPolicy.of(Scope.namespace("warned"))
                .mode(PolicyMode.WARN)
                .build());
        holds.put("c", new Hold("c", Scope.namespace("held"), "", "", 0));
        put(event("held/1", "1"), T0 - 11 * HOUR);
        put(event("held/1", "2"), T0);
        put(event("warned/1", "1"), T0 - 11 * HOUR);

        // then
        assertThat(forecast.outlook().of("held").nextDay().events()).isZero();
        assertThat(forecast.outlook().of("held").held()).isEqualTo(2);
        assertThat(forecast.outlook().of("warned").nextDay().events()).isZero();
    }

    @Test
    void shouldCountAgainOnlyAfterASecond() {
        // given
        put(event("a/1", "1"), T0 - 11 * HOUR);
        forecast.outlook();
        put(event("a/1", "2"), T0 - 11 * HOUR);

        // when / then
        nowMs += 999;
        assertThat(forecast.outlook().of("a").nextHour().events()).isEqualTo(1);
        nowMs += 1;
        assertThat(forecast.outlook().of("a").nextHour().events()).isEqualTo(2);
    }

    @Test
    void shouldStandStillForPartitionsThatMove() {
        // given
        isReady = false;

        // then
        assertThat(forecast.outlook().byNamespace()).isEmpty();
        assertThat(forecast.outlook().isExact(List.of(0))).isFalse();
    }

    /** M-13: events due within warnBefore, at −1, 0 and +1 ms, in both modes. */
    @ParameterizedTest
    @CsvSource({"ENFORCE,-1,0", "ENFORCE,0,1", "ENFORCE,1,1", "WARN,-1,0", "WARN,0,1", "WARN,1,1"})
    void shouldWarnBeforeEventsExpire(PolicyMode mode, long offsetMs, long warned) {
        // given
        policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.WARN_BEFORE, Limit.of(HOUR))
                .mode(mode)
                .build());
        put(event("a/1", "1"), T0);
        put(event("a/1", "2"), T0 + 2);
        put(event("a/1", "pending").status("pending"), T0);

        // when
        nowMs = T0 + 9 * HOUR + offsetMs;
        DueSums expiring = forecast.outlook().of("a");

        // then
        assertThat(expiring.expiring().events()).isEqualTo(warned);
        assertThat(expiring.expiring().bytes()).isEqualTo(warned * sizeOf("a/1", "1"));
        assertThat(expiring.earliestMs()).isEqualTo(warned == 0 ? null : (Long) (T0 + 10 * HOUR));
    }

    @Test
    void shouldWarnOfNothingWithoutWarnBefore() {
        // given
        policy(RetentionPolicy.of(Scope.namespace("a"))
                .set(PolicyField.WARN_BEFORE, Limit.NONE)
                .build());
        put(event("a/1", "1"), T0 - 10 * HOUR);
        put(event("b/1", "1"), T0 - 10 * HOUR);

        // then
        assertThat(forecast.outlook().of("a").expiring().events()).isZero();
        assertThat(forecast.outlook().of("a").nextDay().events()).isEqualTo(1);
        assertThat(forecast.outlook().of("b").expiring().events()).isEqualTo(1);
    }

    /** A warning may reach further than the day that every forecast covers. */
    @Test
    void shouldWarnLongBeforeEventsExpire() {
        // given
        policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(1000 * HOUR))
                .set(PolicyField.WARN_BEFORE, Limit.of(2000 * HOUR))
                .build());
        put(event("a/1", "1"), T0);

        // then
        assertThat(forecast.outlook().of("a").earliestMs()).isEqualTo(T0 + 1000 * HOUR);
        assertThat(forecast.outlook().of("a").nextDay().events()).isZero();
    }

    @Test
    void shouldNotKeepTheCallerWaitingForALongCount() {
        // given
        var counter = new Later();
        var slow = new LocalDueForecast(
                new LocalDueForecast.Sources(this::storeOf, () -> List.of(0), this::policySet),
                clock,
                counter,
                Duration.ZERO);
        put(event("a/1", "1"), T0 - 11 * HOUR);

        // when / then
        assertThatThrownBy(slow::outlook).isInstanceOf(NotReadyException.class);
        counter.run();
        assertThat(slow.outlook().of("a").nextHour().events()).isEqualTo(1);
        put(event("a/1", "2"), T0 - 11 * HOUR);
        nowMs += 1000;
        assertThat(slow.outlook().countedAtMs()).isEqualTo(T0);
        counter.run();
        assertThat(slow.outlook().of("a").nextHour().events()).isEqualTo(2);
        slow.close();
        assertThat(slow.outlook().of("a").nextHour().events()).isEqualTo(2);
    }

    private long sizeOf(String stream, String id) {
        return storeOf(0)
                .find(new StreamName(stream), new EventId(id))
                .orElseThrow()
                .sizeBytes();
    }

    /** Runs its tasks when the test says so. */
    private static final class Later extends SameThread {

        private final Deque<Runnable> tasks = new ArrayDeque<>();

        void run() {
            tasks.remove().run();
        }

        @Override
        public void execute(Runnable command) {
            tasks.add(command);
        }
    }

    private ReadOnlyEventStore storeOf(int partition) {
        if (!isReady) {
            throw new NotReadyException("partition " + partition + " moves", Duration.ofSeconds(1));
        }
        return new ReadOnlyEventStore(events, usage);
    }

    private void policy(RetentionPolicy policy) {
        policies.put(policy.scope(), new VersionedPolicy(policy, policies.size(), 0));
    }

    private PolicySet policySet() {
        return new PolicySet(policies, holds, new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE), 1);
    }

    private void put(EventBuilder builder, long storedAtMs) {
        Event event = builder.build();
        store.put(store.prepare(event, storedAtMs, storedAtMs, policySet()), policySet());
    }
}
