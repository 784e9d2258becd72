package dev.ebb.topology.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.Confirmation;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.model.Policies;
import dev.ebb.model.SeededCases;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.policy.ConfirmedClock;
import dev.ebb.topology.wire.ErrandBodies.ClockAhead;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes that the brake lets through, changes that it holds back, and their end. */
@Tag("O-8")
class PolicyBrakeTest {

    private static final Confirmation EVA = new Confirmation("eva", "they may go");

    private final List<String> read = new ArrayList<>();
    private final TestRecords records = new TestRecords() {
        @Override
        public DecodedPolicy readPolicy(String key, byte[] value) {
            read.add(key);
            return super.readPolicy(key, value);
        }
    };
    private final KeyValueStore<Bytes, byte[]> stored =
            Stores.inMemoryKeyValueStore("gate").get();
    private final GateStore store = new GateStore(stored);
    private final PolicyJudge judge = new PolicyJudge(records, store);
    private final List<Long> released = new ArrayList<>();
    private final List<@Nullable Confirmation> confirmations = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final Partitions partitions = new Partitions();
    private PolicyBrake brake = newBrake();
    private @Nullable String problem;
    private long offset;

    @Test
    void shouldLetThroughAtOnceWhatKeepsMore() {
        assertThat(take(maxAge(Scope.ALL, 1_000_000_000_000L))).isEqualTo(Answer.PASSES);
        assertThat(partitions.requests).isEmpty();
    }

    @Test
    void shouldLetThroughWhatDeletesLittle() {
        // given
        assertThat(take(maxAge(Scope.ALL, 1))).isEqualTo(Answer.WAITS);
        brake.advance(0);
        assertThat(partitions.requests).singleElement().satisfies(request -> {
            assertThat(request.limit()).isEqualTo(101);
            assertThat(request.changes()).extracting(Assessments.Change::key).containsExactly("*");
        });

        // when
        answer(0, 60, false, 200);
        assertThat(released).as("one partition is missing").isEmpty();
        answer(1, 40, false, 0);

        // then
        assertThat(released).containsExactly(0L);
        assertThat(brake.waiting()).isEmpty();
    }

    @Test
    void shouldHoldBackWhatDeletesMuchUntilItIsConfirmed() {
        // given
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when
        answer(0, 6_000, false, 20_000);
        answer(1, 4_001, true, 30_000);

        // then
        assertThat(released).isEmpty();
        assertThat(brake.waiting())
                .containsExactly(new WaitingPolicy(
                        PolicyKey.of(Scope.ALL),
                        0,
                        "otto",
                        0,
                        "it would delete at least 10001 of 50000 events within 7d; confirm it, set another one, or withdraw it",
                        new BrakeFinding(10_001, true, 50_000)));
        brake = newBrake();
        assertThat(brake.waiting()).as("after a restart").hasSize(1);

        // when
        assertThat(confirm("*", 1)).isFalse();
        assertThat(confirm("namespace:n", 0)).isFalse();
        assertThat(confirm("*", 0)).isTrue();

        // then
        assertThat(released).containsExactly(0L);
        assertThat(confirmations).containsExactly(EVA);
        assertThat(brake.waiting()).isEmpty();
        assertThat(confirm("*", 0)).as("a second time").isFalse();
        assertThat(newBrake().waiting()).as("after another restart").isEmpty();
    }

    @Test
    void shouldReadARecordOnceThatIsHeldBackAndOnceMoreAfterARestart() {
        // given
        HeldBack change = maxAge(Scope.ALL, 1);

        // when
        take(change);
        brake.advance(0);
        answer(0, 10_001, false, 20_000);
        answer(1, 10_001, false, 20_000);

        // then
        assertThat(read).containsExactly("*");

        // when
        brake = newBrake();
        brake.advance(0);
        confirm("*", change.version());
        change.records().forEach(judge::judge);

        // then
        assertThat(released).containsExactly(change.version());
        assertThat(read).containsExactly("*", "*");
    }

    @ParameterizedTest
    @CsvSource({
        // 100 events always may go: below, at, above
        "99, 0, false", "100, 0, false", "101, 0, true",
        // 20 % of 100 000 events: below, at, above
        "19999, 80000, false", "20000, 80000, false", "20001, 79999, true",
        // 20 % of 100 004 events are 20 000.8
        "20000, 80004, false", "20001, 80003, true"
    })
    void shouldHoldBackWhatIsMoreThanBothLimits(long wouldDelete, long others, boolean isHeldBack) {
        // given
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when
        answer(0, wouldDelete - 1, false, wouldDelete - 1);
        answer(1, 1, false, others + 1);

        // then
        assertThat(brake.waiting()).hasSize(isHeldBack ? 1 : 0);
        assertThat(released).hasSize(isHeldBack ? 0 : 1);
    }

    @Test
    void shouldKeepAFileThatIsTooBigForOneEntryOfTheChangelog() {
        // given
        List<GateRecord> file = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            file.addAll(maxAge(Scope.namespace("n" + i), 1).records());
        }
        HeldBack change = HeldBack.unassessed(0, "f", "otto", 5, file);

        // when
        assertThat(take(change)).isEqualTo(Answer.WAITS);

        // then
        assertThat(stored.approximateNumEntries()).isEqualTo(4);
        assertThat(store.heldBack()).hasSize(1);
        assertThat(store.heldBack().get(0))
                .usingRecursiveComparison()
                .ignoringFields("records.declaration")
                .isEqualTo(change);

        // when one of them is replaced
        take(maxAge(Scope.namespace("n1"), 1_000_000_000_000L));

        // then
        assertThat(newBrake().waiting())
                .extracting(waiting -> waiting.key().toString())
                .containsExactly("namespace:n0", "namespace:n2");
        confirm("namespace:n2", 0);
        assertThat(stored.approximateNumEntries()).isZero();
    }

    /** A later file takes the place of what it names, and of nothing else in the file that waits. */
    @ParameterizedTest
    @CsvSource({"1, WAITS", "1000000000000, PASSES"})
    @Tag("O-13")
    void shouldKeepTheRestOfAFileThatALaterFileSupersedes(long maxAgeMs, Answer answer) {
        // given a file that waits for its confirmation
        List<GateRecord> file = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            file.addAll(maxAge(Scope.namespace("n" + i), 1).records());
        }
        take(HeldBack.unassessed(3, "f", "otto", 5, file));
        brake.advance(0);
        answerAll(30_000);

        // when another file comes with two of its scopes and one of its own
        List<GateRecord> later = new ArrayList<>();
        for (int i = 2; i < 5; i++) {
            later.addAll(maxAge(Scope.namespace("n" + i), maxAgeMs).records());
        }
        assertThat(take(HeldBack.unassessed(6, "g", "eva", 7, later))).isEqualTo(answer);

        // then
        List<String> rest = List.of("3 namespace:n0", "3 namespace:n1");
        List<String> both =
                List.of("3 namespace:n0", "3 namespace:n1", "6 namespace:n2", "6 namespace:n3", "6 namespace:n4");
        assertThat(waiting(brake)).isEqualTo(answer == Answer.PASSES ? rest : both);
        assertThat(waiting(newBrake())).as("after a restart").isEqualTo(waiting(brake));

        // and the rest is counted anew, and comes into force
        brake.advance(1);
        answerAll(0);
        assertThat(released).contains(3L);
    }

    private static List<String> waiting(PolicyBrake brake) {
        return brake.waiting().stream()
                .map(waiting -> waiting.version() + " " + waiting.key())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"-1,WAITS", "0,WAITS", "1,TOO_BIG"})
    void shouldTakeNoChangeThatItCouldNotAskAbout(int more, Answer answer) {
        // given an older change for the same scope, which waits
        take(maxAge(Scope.ALL, 2));
        partitions.bytes = partitions.maxBytes() - 256 + more;
        HeldBack change = maxAge(Scope.ALL, 1);

        // then
        assertThat(take(change)).isEqualTo(answer);
        assertThat(brake.waiting())
                .extracting(WaitingPolicy::version)
                .as("what is too big takes no place")
                .containsExactly(answer == Answer.WAITS ? 1L : 0L);
        if (answer == Answer.TOO_BIG) {
            assertThat(problem).contains("10001 bytes as one record", "record.max.bytes (10000)");
        }
    }

    @Test
    void shouldTakeNothingThatItCouldNotShowAmongAllThatWaits() {
        // given names of 255 bytes, each of which would delete too much
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            answers.add(take(ofLongName(i)));
            brake.advance(0);
            answerAll(20_000);
        }

        // then 262 bytes for each key, and about as many for each change
        assertThat(answers).startsWith(Answer.WAITS).endsWith(Answer.TOO_BIG);
        assertThat(brake.waiting()).hasSizeBetween(15, 25);
        assertThat(take(maxAge(Scope.stream("x".repeat(255)), 1))).isEqualTo(Answer.TOO_BIG);
        assertThat(problem)
                .startsWith("too many changes already wait for a confirmation")
                .contains("record.max.bytes (10000)");
    }

    @Test
    void shouldLeaveRoomForTheClockAmongAllThatWaits() {
        // given as many changes as can be named
        for (int i = 0; i < 40; i++) {
            take(ofLongName(i));
            brake.advance(0);
            answerAll(20_000);
        }
        long named = brake.waiting().size() * (256L + 12 + "stream:".length() + 255);

        // when the clock of very many partitions waits as well
        ClockGaps gaps = new ClockGaps(() -> ConfirmedClock.NONE, new SavedVersion());
        for (int partition = 0; partition < 10_000; partition++) {
            gaps.report(partition, new ClockAhead(0, Long.MAX_VALUE / 2, Long.MAX_VALUE / 20_000, 1L << 48), 0);
        }
        String why = gaps.waiting().get(0).why();

        // then
        assertThat(256 + why.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(ChangeSize.CLOCK_BYTES);
        assertThat(named + ChangeSize.CLOCK_BYTES).isBetween(10_000L - 530, 10_000L);
    }

    private static final class SavedVersion implements ClockGaps.Version {

        private long saved;

        @Override
        public long clockVersion() {
            return saved;
        }

        @Override
        public void saveClockVersion(long version) {
            saved = version;
        }
    }

    @Test
    void shouldSetAsideWhatItCouldNotShowOnceItIsKnownThatItMustWait() {
        // given
        for (int i = 0; i < 40; i++) {
            assertThat(take(ofLongName(i))).as("as long as that is not known").isEqualTo(Answer.WAITS);
        }
        assertThat(brake.waiting()).as("what can be named").hasSizeBetween(15, 25);

        // when
        brake.advance(0);
        answerTruly(request -> 20_000L * request.changes().size());

        // then
        assertThat(brake.waiting()).hasSizeBetween(15, 25).allSatisfy(waiting -> assertThat(waiting.finding())
                .isNotNull());
        assertThat(refused).hasSize(40 - brake.waiting().size()).allSatisfy(why -> assertThat(why)
                .startsWith("too many changes already wait for a confirmation"));
        assertThat(newBrake().waiting()).hasSize(brake.waiting().size());
    }

    private HeldBack ofLongName(int number) {
        String begin = Integer.toString(number);
        return maxAge(Scope.stream(begin + "x".repeat(255 - begin.length())), 1);
    }

    @Test
    void shouldAskAgainWhenAPartitionStoppedTooEarly() {
        // given
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when 20 % of the scope are more than the partition has counted
        answer(0, 10_001, true, 500_000);
        answer(1, 0, false, 500_000);

        // then
        assertThat(partitions.requests).hasSize(2);
        assertThat(partitions.last().limit()).isEqualTo(200_001);
        answer(0, 150_000, false, 500_000);
        answer(1, 50_000, false, 500_000);
        assertThat(released).containsExactly(0L);
    }

    @Test
    @Tag("O-7")
    void shouldAskAgainWhenItAskedByAClockThatWasAhead() {
        // given
        take(maxAge(Scope.ALL, 1));
        brake.advance(7_200_000);

        // when
        brake.advance(7_190_000);
        assertThat(partitions.requests).hasSize(1);
        brake.advance(7_189_999);

        // then
        assertThat(partitions.requests).hasSize(2);
    }

    @Test
    void shouldSayWhichPartitionDoesNotAnswer() {
        // given
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);
        String first = partitions.last().assessmentId();
        answer(0, 0, false, 1);

        // when
        brake.advance(10_000);
        assertThat(brake.waiting().get(0).why()).isEqualTo("it is being assessed");
        brake.advance(10_001);

        // then
        assertThat(brake.waiting().get(0).why()).isEqualTo("partition 1 does not say how much it would delete");
        assertThat(partitions.requests).hasSize(2);
        brake.answered(first, 1, BrakeFinding.NOTHING, 10_002);
        assertThat(released).as("an answer to the former question").isEmpty();
        answer(0, 0, false, 1);
        assertThat(released)
                .as("the answer to the former question is none to this one")
                .isEmpty();
        answer(1, 0, false, 1);
        assertThat(released).containsExactly(0L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                     2 | partitions 0, 1 do
                    10 | partitions 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 do
                    11 | partitions 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1 more do
                    """)
    void shouldNameTenPartitionsThatDoNotAnswerAtTheMost(int silent, String named) {
        // given
        partitions.count = silent;
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when
        brake.advance(10_001);

        // then
        assertThat(brake.waiting().get(0).why()).isEqualTo(named + " not say how much it would delete");
    }

    @Test
    void shouldAssessOneAfterTheOtherWhatIsAboutTheSameStreams() {
        // given
        take(maxAge(Scope.ALL, 1));
        take(maxAge(Scope.namespace("b"), 1));
        take(maxAge(Scope.stream("b/1"), 1));
        brake.advance(0);

        // then
        for (long id = 0; id < 3; id++) {
            assertThat(partitions.requests).hasSize((int) id + 1);
            assertThat(brake.waiting())
                    .extracting(WaitingPolicy::why)
                    .startsWith("it is being assessed")
                    .filteredOn("it waits to be assessed"::equals)
                    .hasSize(2 - (int) id);
            answerAll(0);
            assertThat(released).hasSize((int) id + 1).endsWith(id);
        }
    }

    @Test
    void shouldAssessTogetherWhatIsAboutDifferentStreams() {
        // given
        take(maxAge(Scope.namespace("a"), 1));
        take(maxAge(Scope.stream("b/1"), 1));
        take(maxAge(Scope.stream("b/2"), 1));
        take(maxAge(Scope.ALL, 2));
        take(maxAge(Scope.namespace("c"), 1));
        brake.advance(0);

        // then nothing overtakes what is about all streams
        assertThat(partitions.last().changes())
                .extracting(Assessments.Change::key)
                .containsExactly("namespace:a", "stream:b/1", "stream:b/2");
        answerAll(50);
        assertThat(released).containsExactly(0L, 1L, 2L);
    }

    /** Together they may delete no more than each is always allowed to: else each is asked about as if it were alone. */
    @Test
    void shouldDecideAboutEachAsIfItWereAlone() {
        SeededCases.forAll(100, random -> {
            released.clear();
            brake.waiting().forEach(left -> confirm(left.key().toString(), left.version()));
            released.clear();
            Map<String, Long> wouldDelete = new HashMap<>();
            Set<Long> expected = new TreeSet<>();
            int changes = 1 + random.nextInt(60);
            for (int i = 0; i < changes; i++) {
                Scope scope = random.nextBoolean() ? Scope.namespace("n" + i) : Scope.stream("s" + i / 3 + "/" + i);
                HeldBack change = maxAge(scope, 1);
                long events = random.nextInt(8) == 0 ? 101 : random.nextInt(random.nextBoolean() ? 3 : 101);
                wouldDelete.put(scope.toString(), events);
                if (events <= 100) {
                    expected.add(change.version());
                }
                assertThat(take(change)).isEqualTo(Answer.WAITS);
                if (random.nextInt(10) == 0) {
                    brake.advance(0);
                }
            }
            brake.advance(0);

            answerTruly(request -> request.changes().stream()
                    .mapToLong(change -> wouldDelete.get(change.key()))
                    .sum());

            assertThat(released).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(brake.waiting()).hasSize(changes - expected.size()).allSatisfy(waiting -> assertThat(
                            waiting.finding().wouldDelete())
                    .isEqualTo(wouldDelete.get(waiting.key().toString())));
        });
    }

    /** Sent one by one they once took 18 minutes: each of them a question and a commit, and a mark that named all others. */
    @Test
    void shouldTakeTwentyThousandChangesInFewQuestions() {
        // given
        int changes = 20_000;
        partitions.maxBytes = 1 << 20;
        for (int i = 0; i < changes; i++) {
            take(maxAge(Scope.stream("n/" + i), 1));
        }
        // The first time loads classes, which counts as well.
        take(change("hold:b", records.bytes(new Hold("b", Scope.ALL, "", "", 1))));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);

        // when
        Answer answer = take(maxAge(Scope.stream("n/last"), 1));
        Answer ofHold = take(change("hold:c", records.bytes(new Hold("c", Scope.ALL, "", "", 1))));
        long bytes = threads.getThreadAllocatedBytes(id) - before;

        // then
        assertThat(answer).isEqualTo(Answer.WAITS);
        assertThat(ofHold).as("a hold waits for none of them").isEqualTo(Answer.PASSES);
        assertThat(bytes).isLessThan(200_000);

        // when
        brake.advance(0);
        answerTruly(request ->
                request.changes().stream().anyMatch(change -> change.key().equals("stream:n/7")) ? 20_000 : 0);

        // then
        assertThat(released).hasSize(changes);
        assertThat(brake.waiting())
                .extracting(waiting -> waiting.key().toString())
                .containsExactly("stream:n/7");
        assertThat(partitions.requests).hasSizeLessThan(60);
    }

    /** Answers until nothing is asked any more. */
    private void answerTruly(ToLongFunction<Assessments.Request> wouldDelete) {
        int answered = 0;
        while (answered < partitions.requests.size()) {
            answered = partitions.requests.size();
            Assessments.Request asked = partitions.last();
            long events = wouldDelete.applyAsLong(asked);
            brake.answered(asked.assessmentId(), 0, new BrakeFinding(events, false, 1), 1);
            brake.answered(asked.assessmentId(), 1, BrakeFinding.NOTHING, 1);
        }
    }

    @Test
    void shouldReplaceWhatWaitsByANewerRecordOfTheSameScope() {
        // given
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when
        assertThat(take(maxAge(Scope.ALL, 1_000_000_000_000L))).isEqualTo(Answer.PASSES);

        // then
        assertThat(brake.waiting()).isEmpty();
        answerAll(0);
        assertThat(released).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldWithdrawWhatWaitsByARemovalOfWhatIsNotInForce(boolean isAssessed) {
        // given
        take(maxAge(Scope.namespace("a"), 1));
        take(maxAge(Scope.namespace("b"), 1));
        brake.advance(0);
        if (isAssessed) {
            answerTruly(request -> 20_000);
        }

        // when
        assertThat(take(change("namespace:a", null))).isEqualTo(Answer.PASSES);
        brake.advance(1);

        // then
        assertThat(brake.waiting())
                .extracting(waiting -> waiting.key().toString())
                .containsExactly("namespace:b");
        assertThat(newBrake().waiting()).as("after a restart").hasSize(1);
        assertThat(confirm("namespace:a", 0)).isFalse();
        if (!isAssessed) {
            assertThat(partitions.last().changes())
                    .as("the next one is assessed")
                    .extracting(Assessments.Change::key)
                    .containsExactly("namespace:b");
        }
        assertThat(released).isEmpty();
    }

    @Test
    void shouldTrustAnAuthorWhoConfirms() {
        RetentionPolicy confirmed = RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .confirmed(true)
                .build();

        assertThat(take(change("*", records.bytes(confirmed)))).isEqualTo(Answer.PASSES);
    }

    /** After a start the registry may be slow with the schema of what an older version has accepted. */
    @Test
    void shouldAssessWhatItCannotCompareYet() {
        // given
        RetentionPolicy inForce = RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(10_000_000_000_000L))
                .build();
        store.accept(PolicyKey.of(Scope.ALL), records.bytes("schema 7", inForce));
        records.awaited(Wait.of("schema 7"));

        // when
        Answer answer = take(maxAge(Scope.ALL, 1_000_000_000_000L));

        // then it does not count as longer than what is built in
        assertThat(answer).isEqualTo(Answer.WAITS);
        brake.advance(0);
        assertThat(partitions.requests).hasSize(1);

        // and when it can be read, that is noticed
        records.arrived("schema 7");
        assertThat(take(maxAge(Scope.ALL, 10_000_000_000_001L))).isEqualTo(Answer.PASSES);
    }

    @Test
    void shouldTakeNoAnswerToAnotherQuestionOfTheSameMillisecond() {
        // given
        take(maxAge(Scope.namespace("a"), 1));
        brake.advance(0);
        take(maxAge(Scope.namespace("b"), 1));
        take(maxAge(Scope.namespace("c"), 1));
        answerAll(0);
        String first = partitions.last().assessmentId();
        assertThat(partitions.last().changes()).hasSize(2);

        // when one of both is replaced in the millisecond in which they were asked about
        take(maxAge(Scope.namespace("c"), 2));
        brake.advance(1);
        assertThat(partitions.last().changes()).hasSize(2);
        brake.answered(first, 0, BrakeFinding.NOTHING, 2);
        brake.answered(first, 1, BrakeFinding.NOTHING, 2);

        // then
        assertThat(released).containsExactly(0L);
        answerAll(0);
        assertThat(released).containsExactly(0L, 1L, 3L);
    }

    /** A change that deletes nothing while everything is held deletes a lot once the hold is released. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAskAnewWhereAConfirmationHasChangedWhatItAskedAbout(boolean isByItsAuthor) {
        // given what waits for a confirmation, and what is being assessed
        RetentionPolicy shorter = RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .confirmed(isByItsAuthor)
                .build();
        HeldBack confirmed = change("*", records.bytes(shorter));
        if (!isByItsAuthor) {
            take(confirmed);
            brake.advance(0);
            answerAll(50_000);
        }
        take(maxAge(Scope.namespace("a"), 1));
        brake.advance(0);
        answer(0, 0, false, 1);

        // when
        assertThat(isByItsAuthor ? take(confirmed) == Answer.PASSES : confirm("*", 0))
                .isTrue();
        brake.advance(1);
        answer(1, 0, false, 1);

        // then
        assertThat(released).doesNotContain(1L);
        int asked = isByItsAuthor ? 2 : 3;
        assertThat(partitions.requests).hasSize(asked);
        answerAll(0);
        assertThat(released).contains(1L);
        assertThat(partitions.requests).hasSize(asked);
    }

    /** Two people release holds on the same streams: each of them alone deletes little, and both together a lot. */
    @Test
    @Tag("M-18")
    @Tag("T-12")
    void shouldAskAnewWhereAReleaseHasChangedWhatItAskedAbout() {
        // given what is held twice, and a release that is being assessed
        accepted("hold:all", new Hold("all", Scope.ALL, "", "", 1));
        accepted("hold:a", new Hold("a", Scope.namespace("a"), "", "", 1));
        take(change("hold:all", null));
        brake.advance(0);
        answer(0, 0, false, 1);

        // when the other hold ends, which alone sets nothing free
        assertThat(take(change("hold:a", null))).isEqualTo(Answer.PASSES);
        answer(1, 0, false, 1);

        // then
        assertThat(released).isEmpty();
        assertThat(partitions.requests).hasSize(2);
        answerAll(50_000);
        assertThat(released).isEmpty();
        assertThat(brake.waiting()).singleElement().satisfies(waiting -> assertThat(waiting.finding())
                .isNotNull());
    }

    /** A policy that says the same as a wider one keeps what a change of the wider one would take. */
    @Test
    @Tag("T-12")
    void shouldAskAnewWhereARemovalHasChangedWhatItAskedAbout() {
        // given
        accepted("*", ofMaxAge(Scope.ALL, 1_000_000_000_000L));
        accepted("namespace:a", ofMaxAge(Scope.namespace("a"), 1_000_000_000_000L));
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);
        answer(0, 0, false, 1);

        // when
        assertThat(take(change("namespace:a", null))).isEqualTo(Answer.PASSES);
        answer(1, 0, false, 1);

        // then
        assertThat(released).isEmpty();
        answerAll(0);
        assertThat(released).containsExactly(0L);
    }

    @Test
    @Tag("M-18")
    void shouldNotAskAnewForWhatChangesNothingOfWhatItAskedAbout() {
        // given
        accepted("hold:a", new Hold("a", Scope.namespace("a"), "", "", 1));
        accepted("hold:a1", new Hold("a1", Scope.stream("a/1"), "", "", 1));
        take(maxAge(Scope.namespace("b"), 1));
        brake.advance(0);
        answer(0, 0, false, 1);

        // when
        assertThat(take(change("hold:a1", null))).isEqualTo(Answer.PASSES);
        assertThat(take(change("hold:b", records.bytes(new Hold("b", Scope.ALL, "", "", 1)))))
                .isEqualTo(Answer.PASSES);
        answer(1, 0, false, 1);

        // then
        assertThat(released).containsExactly(0L);
        assertThat(partitions.requests).hasSize(1);
    }

    /** What an operator confirms is what he was told: another change must not have it delete more unsaid. */
    @ParameterizedTest
    @CsvSource({"60000, 60000", "60000, 90000", "60000, 50"})
    void shouldCountAnewWhatWaitsForAConfirmationWhenAnotherChangeSetsMoreFree(long told, long more) {
        // given a change that was counted while a hold was in force
        accepted("hold:a", new Hold("a", Scope.namespace("a"), "", "", 1));
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);
        answerAll(told / 2);
        assertThat(brake.waiting()).singleElement().satisfies(waiting -> assertThat(waiting.finding())
                .isEqualTo(new BrakeFinding(told, false, 2)));

        // when the hold is released, which alone sets nothing free
        take(change("hold:a", null));
        brake.advance(1);
        answerAll(0);

        // then the confirmation of the old count lets nothing through
        assertThat(released).containsExactly(1L);
        assertThat(confirm("*", 0)).isFalse();
        assertThat(brake.whyUnconfirmed("*", 0)).contains("counted anew");
        assertThat(brake.waiting()).singleElement().satisfies(waiting -> {
            assertThat(waiting.finding()).isNull();
            assertThat(waiting.why()).contains("counted anew");
        });
        brake = newBrake();
        assertThat(confirm("*", 0)).as("after a restart").isFalse();

        // when it is counted, be it that it deletes little by now
        brake.advance(2);
        answerAll(more / 2);

        // then it waits with the new count, and can be confirmed
        assertThat(released).containsExactly(1L);
        assertThat(brake.waiting()).singleElement().satisfies(waiting -> assertThat(waiting.finding())
                .isEqualTo(new BrakeFinding(more, false, 2)));
        assertThat(confirm("*", 0)).isTrue();
        assertThat(released).containsExactly(1L, 0L);
    }

    /** Who looks at a screen confirms what stands there: below, at and above the count. */
    @ParameterizedTest
    @CsvSource({
        "59999, false, false",
        "60000, false, true",
        "60001, false, true",
        "79999, true, false",
        "80000, true, true",
        "80001, true, true"
    })
    void shouldLetNoMoreThroughThanTheOneWhoConfirmsItWasTold(long told, boolean isAtLeast, boolean isConfirmed) {
        // given: a count that was not made to its end may be all that is stored
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);
        answer(0, 30_000, false, 40_000);
        answer(1, 30_000, isAtLeast, 40_000);

        // then
        assertThat(brake.confirm("*", 0, told, -1, EVA)).isEqualTo(isConfirmed);
        if (!isConfirmed) {
            assertThat(brake.whyUnconfirmed("*", 0)).contains("waits still", "60000 of 80000 events");
            assertThat(confirm("*", 0)).isTrue();
        }
    }

    /** A narrower policy that says as much as the wider one keeps what a change of the wider one would take. */
    @Test
    void shouldCountAnewWhatWaitsForAConfirmationWhenAPolicyIsRemoved() {
        // given
        accepted("*", ofMaxAge(Scope.ALL, 1_000_000_000_000L));
        accepted("namespace:a", ofMaxAge(Scope.namespace("a"), 1_000_000_000_000L));
        take(maxAge(Scope.ALL, 1));
        brake.advance(0);
        answerAll(30_000);

        // when
        assertThat(take(change("namespace:a", null))).isEqualTo(Answer.PASSES);

        // then
        assertThat(confirm("*", 0)).isFalse();
        brake.advance(1);
        answerAll(40_000);
        assertThat(confirm("*", 0)).isTrue();
    }

    @Test
    void shouldKeepACountThatStaysTrue() {
        // given two changes that wait for a confirmation: one with an exact count, and one with a bound
        accepted("hold:b", new Hold("b", Scope.namespace("b"), "", "", 1));
        take(maxAge(Scope.namespace("a"), 1));
        brake.advance(0);
        answerAll(30_000);
        take(maxAge(Scope.namespace("b"), 1));
        brake.advance(1);
        answer(0, 30_000, true, 1);
        answer(1, 0, false, 1);

        // when what comes into force is about other streams, keeps more, or leaves the bound true
        assertThat(take(change("hold:c", records.bytes(new Hold("c", Scope.ALL, "", "", 1)))))
                .isEqualTo(Answer.PASSES);
        take(change("hold:b", null));
        brake.advance(2);
        answerAll(0);

        // then
        assertThat(released).containsExactly(3L);
        assertThat(brake.waiting()).extracting(WaitingPolicy::finding).doesNotContainNull();
        assertThat(confirm("namespace:b", 1)).isTrue();
        assertThat(confirm("namespace:a", 0)).isTrue();
    }

    @Test
    @Tag("M-18")
    void shouldNotTakeAHoldForNewWhoseRecordCannotBeReadYet() {
        // given
        Hold inForce = new Hold("c", Scope.namespace("a"), "", "", 1);
        store.accept(PolicyKey.ofHold("c"), records.bytes("schema 7", inForce));
        records.awaited(Wait.of("schema 7"));
        byte[] other = records.bytes(new Hold("c", Scope.namespace("b"), "", "", 1));

        // when
        GateRecord record = change("hold:c", other).records().get(0);
        PolicyVerdict verdict = judge.judge(record);

        // then
        assertThat(verdict.waitsFor()).isEqualTo(Wait.of("schema 7"));
        records.arrived("schema 7");
        assertThat(judge.judge(record).rejection()).isNotNull();
    }

    @Test
    @Tag("M-18")
    void shouldAssessTheReleaseOfAHold() {
        // given
        Hold hold = new Hold("c", Scope.ALL, "", "", 1);
        assertThat(take(change("hold:c", records.bytes(hold)))).isEqualTo(Answer.PASSES);
        store.accept(PolicyKey.ofHold("c"), records.bytes(hold));
        brake = newBrake();

        // then
        assertThat(take(change("hold:c", null))).isEqualTo(Answer.WAITS);
    }

    /** Outcome for a change that has just come. */
    private enum Answer {
        PASSES,
        WAITS,
        TOO_BIG
    }

    /** Gives the brake a change; an outcome at once is not listed among those that come later. */
    private Answer take(HeldBack change) {
        int before = refused.size();
        brake.take(change);
        if (refused.size() > before) {
            problem = refused.remove(before);
            return Answer.TOO_BIG;
        }
        if (released.remove(Long.valueOf(change.version()))) {
            confirmations.remove(confirmations.size() - 1);
            return Answer.PASSES;
        }
        return Answer.WAITS;
    }

    private boolean confirm(String key, long version) {
        long records = brake.waiting().stream()
                .filter(waiting -> waiting.version() == version)
                .count();
        return brake.confirm(key, version, Long.MAX_VALUE, records, EVA);
    }

    private PolicyBrake newBrake() {
        return new PolicyBrake(
                store,
                Policies.BUILT_IN,
                partitions,
                judge::judge,
                (change, by) -> {
                    released.add(change.version());
                    confirmations.add(by);
                },
                (change, why) -> refused.add(why));
    }

    /** A policy or hold that is in force when the brake begins. */
    private void accepted(String key, Object value) {
        store.accept(PolicyKey.parse(key), records.bytes(value));
    }

    private HeldBack maxAge(Scope scope, long ms) {
        return change(scope.toString(), records.bytes(ofMaxAge(scope, ms)));
    }

    private static RetentionPolicy ofMaxAge(Scope scope, long ms) {
        return RetentionPolicy.of(scope).maxAge(Limit.of(ms)).build();
    }

    private HeldBack change(String key, byte[] value) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        var input = new InputRecord("policies", 0, offset++, 0, bytes, value, new RecordHeaders());
        GateRecord record = new GateRecord(input);
        return HeldBack.unassessed(record.offset(), "", "otto", 0, List.of(record));
    }

    private void answer(int partition, long wouldDelete, boolean isAtLeast, long stored) {
        BrakeFinding finding = new BrakeFinding(wouldDelete, isAtLeast, stored);
        brake.answered(partitions.last().assessmentId(), partition, finding, 1);
    }

    private void answerAll(long wouldDelete) {
        String assessmentId = partitions.last().assessmentId();
        BrakeFinding finding = new BrakeFinding(wouldDelete, false, 1);
        brake.answered(assessmentId, 0, finding, 1);
        brake.answered(assessmentId, 1, finding, 1);
    }

    private static final class Partitions implements Assessments {

        private final List<Request> requests = new ArrayList<>();
        private int count = 2;
        private int bytes = 100;
        private int maxBytes = 10_000;

        Request last() {
            return requests.get(requests.size() - 1);
        }

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public int partitions() {
            return count;
        }

        @Override
        public BrakeLimits limits() {
            return BrakeLimits.DEFAULT;
        }

        @Override
        public int bytes(Request request) {
            return bytes;
        }

        @Override
        public int maxBytes() {
            return maxBytes;
        }

        @Override
        public void ask(Request request) {
            requests.add(request);
        }
    }
}
