package dev.ebb.runtime.forecast;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
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
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.model.EventBuilder;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.forecast.ForecastQueries.Due;
import dev.ebb.port.forecast.ForecastQueries.DueStream;
import dev.ebb.port.forecast.ForecastQueries.DueStreams;
import dev.ebb.port.forecast.ForecastQueries.Forecast;
import dev.ebb.port.forecast.ForecastQueries.Place;
import dev.ebb.port.forecast.ForecastQueries.Question;
import dev.ebb.port.forecast.ForecastQueries.Sums;
import dev.ebb.runtime.ReadingSide;
import dev.ebb.runtime.SameThread;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import dev.ebb.store.read.ReadOnlyEventStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("C-3")
class LocalForecastTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final List<Long> HOURS =
            LongStream.rangeClosed(0, 24).map(i -> T0 + i * HOUR).boxed().toList();

    private final CountingStore events = new CountingStore("events", EventStore.indexes());
    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();
    private final Map<Scope, VersionedPolicy> policies = new HashMap<>();
    private final Map<String, Hold> holds = new HashMap<>();
    private final EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
    private long nowMs = T0;
    private boolean isReady = true;
    private final Clock clock = new ReadingSide.TestClock(() -> nowMs);
    private final LocalForecast forecast =
            new LocalForecast(this::storeOf, () -> List.of(0), this::policySet, clock, new SameThread());

    @BeforeEach
    void open() {
        policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(10 * HOUR)).build());
        events.whileReadingAll(() -> store.open(policySet()));
    }

    @Test
    void shouldTellWhenEventsFallDue() {
        // given
        put(event("orders/1", "overdue"), T0 - 11 * HOUR);
        put(event("orders/1", "in an hour"), T0 - 9 * HOUR + 1);
        put(event("orders/1", "in ten"), T0);
        put(event("orders/2", "short").ttlSeconds(7200), T0);
        put(event("orders/2", "late").ttlSeconds(1_000_000), T0);
        put(event("orders/2", "protected").status("pending"), T0 - 11 * HOUR);
        put(event("other", "one"), T0 - 5 * HOUR);

        // when
        Forecast told = ask(HOURS);
        Sums orders = told.namespaces().get("orders");

        // then
        assertThat(told.atMs()).isEqualTo(T0);
        assertThat(told.partitionsMissing()).isZero();
        assertThat(orders.stored().events()).isEqualTo(6);
        assertThat(orders.overdue().events()).isEqualTo(1);
        assertThat(orders.sooner().events()).isZero();
        assertThat(inBuckets(orders)).containsExactlyInAnyOrderEntriesOf(Map.of(1, 1L, 2, 1L, 10, 1L));
        assertThat(orders.later().events()).isEqualTo(1);
        assertThat(orders.never().events()).isEqualTo(1);
        assertThat(orders.due()).allMatch(Due::isExact);
        assertThat(inBuckets(told.namespaces().get("default"))).isEqualTo(Map.of(5, 1L));
    }

    /** M-13: at its due time an event is still there, one millisecond later it is overdue; buckets have no gaps. */
    @ParameterizedTest
    @CsvSource({"-1,1,0,0", "0,0,1,0", "1,0,1,0", "3599999,0,1,0", "3600000,0,0,1"})
    void shouldCountAnEventInTheBucketOfItsDueTime(long offset, long overdue, long first, long second) {
        // given
        put(event("a", "1"), T0 - 10 * HOUR + offset);

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        assertThat(sums.overdue().events()).isEqualTo(overdue);
        assertThat(sums.due().get(0).tally().events()).isEqualTo(first);
        assertThat(sums.due().get(1).tally().events()).isEqualTo(second);
    }

    @Test
    void shouldCountNothingThatDoesNotGo() {
        // given
        policy(RetentionPolicy.of(Scope.namespace("warned"))
                .mode(PolicyMode.WARN)
                .build());
        policy(RetentionPolicy.of(Scope.namespace("kept"))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        policy(RetentionPolicy.of(Scope.namespace("endless")).maxAge(Limit.NONE).build());
        holds.put("c", new Hold("c", Scope.namespace("held"), "", "", 0));
        put(event("warned/1", "1"), T0 - 11 * HOUR);
        put(event("held/1", "1"), T0 - 11 * HOUR);
        put(event("kept/1", "1").noExpiration(), T0 - 11 * HOUR);
        put(event("endless/1", "1"), T0 - 11 * HOUR);

        // when
        Forecast told = ask(HOURS);

        // then
        assertThat(told.namespaces().keySet()).containsExactly("endless", "held", "kept", "warned");
        assertThat(told.namespaces().values()).allSatisfy(sums -> {
            assertThat(sums.never()).isEqualTo(sums.stored());
            assertThat(sums.overdue().events()).isZero();
        });
    }

    /** keepLast 3: of 2, 3 and 4 events. */
    @ParameterizedTest
    @CsvSource({"2,0", "3,0", "4,1"})
    void shouldLeaveOutTheLastOnesThatAreKept(int stored, long goes) {
        // given
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.KEEP_LAST, Limit.of(3))
                .build());
        for (int i = 0; i < stored; i++) {
            put(event("a", "e" + i), T0 + i);
        }

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        assertThat(sums.due().get(10).tally().events()).isEqualTo(goes);
        assertThat(sums.never().events()).isEqualTo(stored - goes);
    }

    /** A cap of 3: with 2, 3 and 4 events. */
    @ParameterizedTest
    @CsvSource({"2,0", "3,0", "4,1"})
    void shouldCountEventsOverACapAsOverdue(int stored, long over) {
        // given
        for (int i = 0; i < stored; i++) {
            put(event("a", "e" + i), T0 + i);
        }
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.MAX_COUNT, Limit.of(3))
                .build());

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        assertThat(sums.overdue().events()).isEqualTo(over);
        assertThat(sums.due().get(10).tally().events()).isEqualTo(stored - over);
    }

    /** The forecast of short streams is what the walk over the due events says, event by event. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldAgreeWithTheEventsThemselves(long seed) {
        // given
        Random random = new Random(seed);
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of((1 + random.nextInt(20)) * HOUR))
                .set(PolicyField.MIN_AGE, random.nextBoolean() ? Limit.of(HOUR) : Limit.NONE)
                .build());
        for (int i = 0; i < 200; i++) {
            EventBuilder one = event("n" + random.nextInt(3) + "/" + random.nextInt(20), "e" + i);
            one = random.nextInt(5) == 0 ? one.ttlSeconds(1 + random.nextInt(100_000)) : one;
            one = random.nextInt(7) == 0 ? one.status("pending") : one;
            one = random.nextInt(4) == 0 ? one.execution(random.nextInt(3)) : one;
            put(one, T0 - random.nextInt(20 * (int) HOUR));
        }
        Map<String, Map<Long, Long>> expected = dueTimes();

        // when
        Forecast told = ask(HOURS);

        // then
        told.namespaces().forEach((name, sums) -> {
            Map<Long, Long> times = expected.getOrDefault(name, Map.of());
            assertThat(sums.overdue().events()).as("seed %d, %s", seed, name).isEqualTo(sum(times, 0, T0));
            for (int i = 0; i < sums.due().size(); i++) {
                Due due = sums.due().get(i);
                if (due.isExact()) {
                    assertThat(due.tally().events())
                            .as("seed %d, %s, bucket %d", seed, name, i)
                            .isEqualTo(sum(times, HOURS.get(i), HOURS.get(i + 1)));
                }
            }
            assertThat(all(sums)).isEqualTo(sums.stored().events());
        });
        assertThat(told.namespaces().values().stream()
                        .flatMap(sums -> sums.due().stream())
                        .filter(Due::isExact))
                .hasSizeGreaterThan(40);
    }

    /** A long stream is not read: a few of its keys say where its events lie, and the answer says that it is not exact. */
    @Test
    @Tag("A-1")
    void shouldLookAtAFewKeysOfALongStream() {
        // given: the second half of the events came within the last of twenty hours
        for (int i = 0; i < 20_000; i++) {
            long agoMs = i < 10_000 ? 20 * HOUR - i * 19L * HOUR / 10_000 : HOUR - (i - 10_000) * HOUR / 10_000;
            put(event("long", "e" + i), T0 - agoMs);
        }
        policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(20 * HOUR)).build());

        events.resetCounts();

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        assertThat(events.operations()).isLessThan(100);
        assertThat(sums.due().get(19).isExact()).isFalse();
        assertThat(sums.due().get(19).tally().events()).isBetween(9_000L, 11_000L);
        assertThat(sums.due().get(5).tally().events()).isBetween(400L, 700L);
        assertThat(all(sums)).isEqualTo(20_000);
        assertThat(sums.stored().bytes())
                .isEqualTo(sums.overdue().bytes()
                        + sums.due().stream()
                                .mapToLong(due -> due.tally().bytes())
                                .sum()
                        + sums.later().bytes());
    }

    /** A stream whose events fall into one bucket is exact without a look at them. */
    @Test
    void shouldBeExactWhereAStreamFallsIntoOneBucket() {
        // given
        for (int i = 0; i < 2000; i++) {
            put(event("long", "e" + i), T0 - HOUR / 2 + i);
        }

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        assertThat(sums.due().get(9))
                .extracting(Due::isExact, due -> due.tally().events())
                .containsExactly(true, 2000L);
    }

    @Test
    void shouldNotLookAgainAtWhatHasNotChanged() {
        // given
        put(event("a", "1"), T0);
        put(event("a", "2"), T0 + 1);
        ask(HOURS);
        nowMs += Duration.ofMinutes(1).toMillis();
        events.resetCounts();

        // when
        Forecast told = ask(HOURS);

        // then
        assertThat(told.atMs()).isEqualTo(nowMs);
        assertThat(events.operations()).isZero();
    }

    /** C-4: the forecast under policies that are not in force. */
    @Test
    @Tag("C-4")
    void shouldTellWhatOtherPoliciesWouldDo() {
        // given
        put(event("a/1", "1"), T0 - 5 * HOUR);
        PolicySet inForce = policySet();
        policy(RetentionPolicy.of(Scope.namespace("a"))
                .maxAge(Limit.of(4 * HOUR))
                .build());
        PolicySet planned = policySet();
        policies.remove(Scope.namespace("a"));

        // then
        assertThat(ask(new Question(null, HOURS, planned))
                        .namespaces()
                        .get("a")
                        .overdue()
                        .events())
                .isEqualTo(1);
        assertThat(ask(new Question(null, HOURS, inForce))
                        .namespaces()
                        .get("a")
                        .overdue()
                        .events())
                .isZero();
    }

    @Test
    void shouldSayThatAPolicySweepsInAWindow() {
        // given
        put(event("a", "1"), T0);

        // then
        assertThat(ask(HOURS).hasWindows()).isFalse();
        policy(RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.WINDOW, SweepWindow.parse("22:00-06:00 Europe/Berlin"))
                .build());
        assertThat(ask(HOURS).hasWindows()).isTrue();
    }

    @Test
    void shouldAddUpTheSmallestNamespaces() {
        // given
        put(event("big/1", "1"), T0);
        put(event("big/1", "2"), T0);
        put(event("small/1", "1"), T0);
        put(event("tiny/1", "1"), T0);

        // when
        Forecast told = forecast.forecast(new Question(null, HOURS, null), List.of(0), 1);

        // then
        assertThat(told.namespaces().keySet()).containsExactly("big");
        assertThat(told.others()).isEqualTo(2);
        assertThat(told.sumOfOthers().stored().events()).isEqualTo(2);
    }

    @Test
    void shouldSayWhichPartitionsAreMissing() {
        // given
        put(event("a", "1"), T0);
        isReady = false;

        // then
        assertThat(ask(HOURS).partitionsMissing()).isEqualTo(1);
    }

    @Test
    void shouldListStreamsWithTheMostEventsFirst() {
        // given
        put(event("a/1", "1"), T0 - HOUR);
        put(event("a/2", "1"), T0 - HOUR);
        put(event("a/2", "2"), T0 - HOUR + 5);
        put(event("a/3", "1"), T0);
        put(event("b/1", "1"), T0 - HOUR);
        Question question = new Question("a", List.of(T0 + 9 * HOUR, T0 + 10 * HOUR), null);

        // when
        DueStreams first = forecast.streams(question, List.of(0), null, 1);
        DueStreams second = forecast.streams(question, List.of(0), new Place(2, "a/2"), 10);

        // then
        assertThat(first.count()).isEqualTo(2);
        assertThat(first.due().events()).isEqualTo(3);
        assertThat(first.isExact()).isTrue();
        DueStream biggest = first.streams().get(0);
        assertThat(biggest.stream()).isEqualTo(new StreamName("a/2"));
        assertThat(biggest.firstMs()).isEqualTo(T0 + 9 * HOUR);
        assertThat(biggest.lastMs()).isEqualTo(T0 + 9 * HOUR + 5);
        assertThat(second.streams()).extracting(DueStream::stream).containsExactly(new StreamName("a/1"));
    }

    /** Every event of the namespace by its due time, as the walk over due events tells it. */
    private Map<String, Map<Long, Long>> dueTimes() {
        Map<String, Map<Long, Long>> times = new HashMap<>();
        ReadOnlyEventStore reader = new ReadOnlyEventStore(events, usage);
        reader.contexts(null, 1000)
                .forEach(stream -> stream.visitDue(
                        policySet().effective(stream.stream()), 0, RetentionDecider.NEVER - 1, null, due -> {
                            times.computeIfAbsent(stream.stream().namespace(), name -> new HashMap<>())
                                    .merge(due.lastMs(), 1L, Long::sum);
                            return true;
                        }));
        return times;
    }

    private static long sum(Map<Long, Long> times, long fromMs, long toMs) {
        return times.entrySet().stream()
                .filter(entry -> fromMs <= entry.getKey() && entry.getKey() < toMs)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static long all(Sums sums) {
        List<Tally> parts = new ArrayList<>(List.of(sums.overdue(), sums.sooner(), sums.later(), sums.never()));
        sums.due().forEach(due -> parts.add(due.tally()));
        return parts.stream().mapToLong(Tally::events).sum();
    }

    private static Map<Integer, Long> inBuckets(Sums sums) {
        Map<Integer, Long> found = new HashMap<>();
        for (int i = 0; i < sums.due().size(); i++) {
            long count = sums.due().get(i).tally().events();
            if (count > 0) {
                found.put(i, count);
            }
        }
        return found;
    }

    private Forecast ask(List<Long> buckets) {
        return ask(new Question(null, buckets, null));
    }

    private Forecast ask(Question question) {
        return forecast.forecast(question, List.of(0), 100);
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
