package dev.ebb.runtime.forecast;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.ExecutionUpdate;
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
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.model.EventBuilder;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.UnavailableException;
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
import dev.ebb.store.StreamWalk;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import dev.ebb.store.state.StreamState;
import java.lang.ref.SoftReference;
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

    /** By age, own TTL and cap: no earlier than the end of the notice, and as before behind it (T-3). */
    @Test
    @Tag("T-3")
    void shouldTellWhatIsUnderNoticeAsDueAtItsEnd() {
        // given
        put(event("orders/1", "overdue"), T0 - 11 * HOUR);
        put(event("orders/1", "in an hour"), T0 - 9 * HOUR + 1);
        put(event("orders/1", "in ten"), T0);
        policy(RetentionPolicy.of(Scope.namespace("capped"))
                .maxAge(Limit.NONE)
                .maxCount(Limit.of(1))
                .build());
        put(event("capped/1", "first"), T0);
        put(event("capped/1", "second"), T0);
        StreamWalk walk = store.walk();
        for (StreamState stream = walk.next(); stream != null; stream = walk.next()) {
            stream.giveNotice(T0 + 3 * HOUR + 1);
        }
        put(event("orders/1", "saved").status("pending"), T0);
        put(event("capped/1", "third"), T0);

        // when
        Forecast told = ask(HOURS);

        // then
        Sums orders = told.namespaces().get("orders");
        assertThat(orders.overdue().events()).isZero();
        assertThat(inBuckets(orders)).containsExactlyInAnyOrderEntriesOf(Map.of(3, 2L, 10, 1L));
        Sums capped = told.namespaces().get("capped");
        assertThat(capped.overdue().events()).isZero();
        assertThat(inBuckets(capped)).containsExactlyInAnyOrderEntriesOf(Map.of(3, 2L));
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

    /**
     * What is told as exact is what sweeps delete, event by event: by age, own TTLs and their bounds, guards and caps, under
     * the policy by which the events stand and under another one.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
    void shouldAgreeWithTheEventsThemselves(long seed) {
        // given
        Random random = new Random(seed);
        boolean isRich = seed % 4 != 0;
        policy(drawn(random, isRich));
        int streams = 1 + random.nextInt(12);
        for (int i = 0; i < 200; i++) {
            EventBuilder one = event("n" + random.nextInt(3) + "/" + random.nextInt(streams), "e" + i);
            one = random.nextInt(8) == 0 ? one.ttlSeconds(1 + random.nextInt(100_000)) : one;
            one = random.nextInt(20) == 0 ? one.noExpiration() : one;
            one = random.nextInt(15) == 0 ? one.status("pending") : one;
            one = random.nextInt(30) == 0 ? one.execution(random.nextInt(4)) : one;
            put(one.payloadBytes(random.nextInt(50)), T0 - random.nextInt(20 * (int) HOUR));
        }
        // some executions go on, and keep their events
        for (int i = 0; i < 20; i++) {
            declare("n" + random.nextInt(3) + "/" + random.nextInt(streams), 1 + random.nextInt(3));
        }
        if (isRich && random.nextBoolean()) {
            policy(drawn(random, true));
        }

        // when
        Forecast told = ask(HOURS);

        // then
        Map<String, long[]> expected = goneUpTo(HOURS);
        told.namespaces().forEach((name, sums) -> {
            long[] gone = expected.get(name);
            for (int i = 0; i < sums.due().size(); i++) {
                Due due = sums.due().get(i);
                if (due.isExact()) {
                    assertThat(due.tally().events())
                            .as("seed %d, %s, bucket %d", seed, name, i)
                            .isEqualTo(gone[i + 1] - gone[i]);
                }
            }
            if (sums.due().get(0).isExact()) {
                assertThat(sums.overdue().events())
                        .as("seed %d, %s", seed, name)
                        .isEqualTo(gone[0]);
            }
            assertThat(all(sums)).isEqualTo(sums.stored().events());
        });
        if (!isRich) {
            assertThat(told.namespaces().values().stream()
                            .flatMap(sums -> sums.due().stream())
                            .filter(Due::isExact))
                    .as("seed %d", seed)
                    .hasSizeGreaterThan(30);
        }
    }

    /** A policy of all fields that decide, or of those alone by which forecasts of short streams are exact. */
    private static RetentionPolicy drawn(Random random, boolean isRich) {
        RetentionPolicy.Builder policy = RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of((1 + random.nextInt(20)) * HOUR))
                .set(PolicyField.MIN_AGE, random.nextInt(3) == 0 ? Limit.of(HOUR) : Limit.NONE);
        if (!isRich) {
            return policy.build();
        }
        return policy.set(PolicyField.KEEP_LAST, random.nextInt(3) == 0 ? Limit.of(1 + random.nextInt(9)) : Limit.NONE)
                .set(PolicyField.MAX_COUNT, random.nextInt(3) == 0 ? Limit.of(1 + random.nextInt(9)) : Limit.NONE)
                .set(PolicyField.MAX_BYTES, random.nextInt(3) == 0 ? Limit.of(1 + random.nextInt(900)) : Limit.NONE)
                .set(PolicyField.MIN_TTL, random.nextInt(4) == 0 ? Limit.of(5 * HOUR) : Limit.NONE)
                .set(PolicyField.MAX_TTL, random.nextInt(4) == 0 ? Limit.of(9 * HOUR) : Limit.NONE)
                .set(PolicyField.ALLOW_INFINITE_TTL, random.nextInt(3) == 0)
                .build();
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

    /** Two batches, each in one millisecond: where the second one lies is found, and how many lie in each is an estimate. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldPutTheBatchesOfALongStreamWhereTheyAre(int each) {
        // given: of the first batch, every second event is protected if each is 2, so that the order of arrival
        // misleads
        for (int i = 0; i < 1000; i++) {
            EventBuilder one = event("long", "e" + i);
            put(i % each == 1 ? one.status("pending") : one, i < 500 ? T0 - 10 * HOUR + 1 : T0 + 1);
        }
        nowMs = T0 - HOUR;

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        long first = 500 / each;
        assertThat(sums.due().get(0).tally().events()).isBetween(first * 3 / 5, first * 7 / 5);
        assertThat(sums.due().get(10).tally().events()).isBetween(first * 3 / 5, first * 7 / 5);
        assertThat(sums.due().get(0).isExact()).isFalse();
        assertThat(all(sums)).isEqualTo(1000);
    }

    /** Of many TTLs only the first end is known before a closer look: no later bucket is told as exact. */
    @Test
    void shouldCallNoBucketExactBehindAnEndThatIsGuessed() {
        // given: more streams than one survey looks at closely
        for (int i = 0; i < 5000; i++) {
            put(event("s" + i, "a").ttlSeconds(7200), T0);
            put(event("s" + i, "b").ttlSeconds(400L * 24 * 3600), T0);
        }

        // when
        Sums sums = ask(List.of(T0, T0 + HOUR, T0 + 3 * HOUR, T0 + 399 * 24 * HOUR, T0 + 401 * 24 * HOUR))
                .namespaces()
                .get("default");

        // then
        assertThat(sums.due()).extracting(Due::isExact).containsExactly(true, false, false, false);
        assertThat(all(sums)).isEqualTo(10_000);
    }

    /** What the record of a stream does not show counts as well: another TTL, and another execution. */
    @Test
    void shouldLookAgainWhereDueTimesHaveChanged() {
        // given
        put(event("a", "1").ttlSeconds(3600), T0);
        assertThat(inBuckets(ask(HOURS).namespaces().get("default"))).isEqualTo(Map.of(1, 1L));

        // when
        nowMs += 2000;
        put(event("a", "1").ttlSeconds(4 * 3600), T0);

        // then
        assertThat(inBuckets(ask(HOURS).namespaces().get("default"))).isEqualTo(Map.of(4, 1L));
    }

    @Test
    void shouldLookAgainWhereAnExecutionHasChanged() {
        // given: keepLast 1 keeps the last execution
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.KEEP_LAST, Limit.of(1))
                .build());
        put(event("a", "1").execution(1), T0);
        declare("a", 1);
        assertThat(ask(HOURS).namespaces().get("default").never().events()).isEqualTo(1);

        // when
        nowMs += 2000;
        declare("a", 2);

        // then
        assertThat(inBuckets(ask(HOURS).namespaces().get("default"))).isEqualTo(Map.of(10, 1L));
    }

    /** Each caller would look at a count without outlines again and again, until it is refused. */
    @Test
    void shouldMakeOutlinesAnewThatMemoryHadNoRoomFor() {
        // given
        List<SoftReference<Outlines>> kept = new ArrayList<>();
        LocalForecast scarce = new LocalForecast(
                this::storeOf,
                () -> List.of(0),
                this::policySet,
                clock,
                new SameThread(),
                outlines -> {
                    kept.add(new SoftReference<>(outlines));
                    return kept.get(kept.size() - 1);
                },
                Long.MAX_VALUE);
        put(event("a", "1"), T0);
        Question question = new Question(null, HOURS, null);
        scarce.forecast(question, List.of(0), 100);

        // when: within the time for which a count stands
        kept.get(0).clear();
        Forecast told = scarce.forecast(question, List.of(0), 100);

        // then
        assertThat(told.namespaces().get("default").stored().events()).isEqualTo(1);
        assertThat(kept).hasSize(2);
    }

    /** A forecast that needs more memory than there is would end the instance for the sake of a page. */
    @ParameterizedTest
    @CsvSource({"2,false", "3,false", "4,true"})
    @Tag("A-17")
    void shouldRefuseAForecastOfMoreStreamsThanTheHeapHasRoomFor(int streams, boolean isRefused) {
        // given
        LocalForecast small = new LocalForecast(
                this::storeOf, () -> List.of(0), this::policySet, clock, new SameThread(), SoftReference::new, 3);
        for (int i = 0; i < streams; i++) {
            put(event("s" + i, "1"), T0);
        }
        Question question = new Question(null, HOURS, null);

        // then
        if (isRefused) {
            assertThatThrownBy(() -> small.forecast(question, List.of(0), 100))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContainingAll("3 streams", "larger heap");
        } else {
            assertThat(small.forecast(question, List.of(0), 100).partitionsMissing())
                    .isZero();
        }
    }

    /** A cap of 2 with a guard of an hour: the event over it goes when the guard ends, not now. */
    @ParameterizedTest
    @CsvSource({"2,0", "3,1", "4,2"})
    @Tag("M-12")
    void shouldWaitForTheGuardOfYoungEventsOverACap(int stored, long over) {
        // given
        for (int i = 0; i < stored; i++) {
            put(event("a", "e" + i), T0);
        }
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.MAX_COUNT, Limit.of(2))
                .set(PolicyField.MIN_AGE, Limit.of(HOUR))
                .build());

        // when
        Sums sums = ask(HOURS).namespaces().get("default");

        // then
        assertThat(sums.overdue().events()).isZero();
        assertThat(sums.due().get(0).tally().events()).isEqualTo(over);
        assertThat(sums.due().get(10).tally().events()).isEqualTo(stored - over);
        assertThat(sums.due()).allMatch(Due::isExact);
    }

    /** How many events a cap on bytes takes depends on their sizes, of which a part tells the sum alone. */
    @Test
    @Tag("M-12")
    void shouldNotBeCertainHowManyEventsACapOnBytesTakes() {
        // given: the oldest are the smallest
        for (int i = 0; i < 64; i++) {
            put(event("a", "e" + i).payloadBytes(20 * i), T0 + i);
        }
        long stored = ask(HOURS).namespaces().get("default").stored().bytes();

        // when
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.MAX_BYTES, Limit.of(stored / 2 + 1))
                .build());

        // then
        Sums sums = ask(HOURS).namespaces().get("default");
        assertThat(sums.overdue().events()).isPositive();
        assertThat(sums.due().get(10).isExact()).isFalse();
        assertThat(all(sums)).isEqualTo(64);
    }

    /** A bound that is not in force yet moves deadlines that no outline has. */
    @Test
    @Tag("C-4")
    void shouldCallNothingExactWhereAPlannedBoundMovesDeadlines() {
        // given
        put(event("a", "1").ttlSeconds(8 * 3600), T0);
        assertThat(ask(HOURS).namespaces().get("default").due()).allMatch(Due::isExact);

        // when
        policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10 * HOUR))
                .set(PolicyField.MAX_TTL, Limit.of(2 * HOUR))
                .build());

        // then
        assertThat(ask(HOURS).namespaces().get("default").due()).noneMatch(Due::isExact);
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

    /** O-25: a figure that is not complete says how much of it has been read. */
    @Test
    @Tag("O-25")
    void shouldSayHowMuchOfTheEventsItHasRead() {
        // given more than one survey reads, and an event that needs no look
        int streams = 140;
        int each = 500;
        for (int stream = 0; stream < streams; stream++) {
            for (int i = 0; i < each; i++) {
                put(event("long/" + stream, "e" + i), T0 + i);
            }
        }
        put(event("orders/1", "protected").status("pending"), T0);
        long all = (long) streams * each + 1;

        // when
        Forecast first = ask(HOURS);
        Forecast last = first;
        for (int i = 0; i < 50 && last.readEvents() < all; i++) {
            nowMs += 60_000;
            last = ask(HOURS);
        }

        // then
        assertThat(first.readEvents()).isBetween(1L, all - each);
        assertThat(last.readEvents()).isEqualTo(all);
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

    /** A look at nothing does not stand: at the start of an instance its streams are shown once they are there. */
    @Test
    void shouldLookAgainAtOnceWhereNothingCouldBeLookedAt() {
        // given
        put(event("a", "1"), T0);
        isReady = false;
        ask(HOURS);

        // when no time has passed
        isReady = true;
        Forecast told = ask(HOURS);

        // then
        assertThat(told.partitionsMissing()).isZero();
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

    /** Events of each namespace that a sweep at each of these times would have taken, those of former sweeps among them. */
    private Map<String, long[]> goneUpTo(List<Long> times) {
        Map<String, long[]> gone = new HashMap<>();
        ReadOnlyEventStore reader = new ReadOnlyEventStore(events, usage);
        reader.contexts(null, null).forEach(stream -> {
            long[] sums = gone.computeIfAbsent(stream.stream().namespace(), name -> new long[times.size()]);
            for (int i = 0; i < times.size(); i++) {
                sums[i] += goneAt(stream, times.get(i));
            }
        });
        return gone;
    }

    private long goneAt(StreamContext stream, long sweepMs) {
        Map<Long, Long> byExecution = new HashMap<>();
        RemovalListener listener = new RemovalListener() {

            @Override
            public void removed(StreamState state, Removed removed) {
                byExecution.merge(removed.event().execution(), 1L, Long::sum);
            }

            @Override
            public void began(StreamState state, long execution) {
                byExecution.remove(execution);
            }
        };
        StreamForecast sweep = stream.forecast(policySet().effective(stream.stream()), false, sweepMs);
        while (!sweep.step(new SweepBudget(1000, Duration.ofMinutes(1).toNanos(), System::nanoTime), listener)) {
            // until all of the stream has been looked at
        }
        return byExecution.values().stream().mapToLong(Long::longValue).sum();
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
        policies.put(policy.scope(), new VersionedPolicy(policy, policies.size(), 0));
    }

    private PolicySet policySet() {
        return new PolicySet(policies, holds, new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE), 1);
    }

    /** Declares an execution that has ended. */
    private void declare(String stream, long execution) {
        ExecutionUpdate update =
                new ExecutionUpdate(new StreamName(stream), execution, "completed", null, T0 - HOUR, T0);
        store.apply(update, T0, T0, policySet());
    }

    private void put(EventBuilder builder, long storedAtMs) {
        Event event = builder.build();
        store.put(store.prepare(event, storedAtMs, storedAtMs, policySet()), policySet());
    }
}
