package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.BrakeLimits;
import dev.ebb.domain.policy.Confirmation;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.model.Policies;
import dev.ebb.store.ParkedRecord;
import dev.ebb.topology.PolicyBrake.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the brake lets through, what it holds back, and how that ends. */
@Tag("O-8")
class PolicyBrakeTest {

    private static final Confirmation EVA = new Confirmation("eva", "they may go");

    private final TestRecords records = new TestRecords();
    private final KeyValueStore<Bytes, byte[]> stored =
            Stores.inMemoryKeyValueStore("gate").get();
    private final GateStore store = new GateStore(stored);
    private final PolicyJudge judge = new PolicyJudge(records, store);
    private final List<Long> released = new ArrayList<>();
    private final List<@Nullable Confirmation> confirmations = new ArrayList<>();
    private final Partitions partitions = new Partitions();
    private PolicyBrake brake = newBrake();
    private long offset;

    @Test
    void shouldLetThroughAtOnceWhatKeepsMore() {
        assertThat(brake.take(maxAge(Scope.ALL, 1_000_000_000_000L))).isEqualTo(Answer.PASSES);
        assertThat(partitions.requests).isEmpty();
    }

    @Test
    void shouldLetThroughWhatDeletesLittle() {
        // given
        assertThat(brake.take(maxAge(Scope.ALL, 1))).isEqualTo(Answer.WAITS);
        brake.advance(0);
        assertThat(partitions.requests).singleElement().satisfies(request -> {
            assertThat(request.limit()).isEqualTo(10_001);
            assertThat(request.changes()).extracting(Assessments.Change::key).containsExactly("*");
        });

        // when
        answer(0, 6_000, false, 20_000);
        assertThat(released).as("one partition is missing").isEmpty();
        answer(1, 4_000, false, 0);

        // then
        assertThat(released).containsExactly(0L);
        assertThat(brake.waiting()).isEmpty();
    }

    @Test
    void shouldHoldBackWhatDeletesMuchUntilItIsConfirmed() {
        // given
        brake.take(maxAge(Scope.ALL, 1));
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
                        0,
                        "otto",
                        0,
                        "it would delete at least 10001 of 50000 events at once; confirm it, set another one, or withdraw it",
                        new BrakeFinding(10_001, true, 50_000)));
        brake = newBrake();
        assertThat(brake.waiting()).as("after a restart").hasSize(1);

        // when
        assertThat(brake.confirm("*", 1, EVA)).isFalse();
        assertThat(brake.confirm("namespace:n", 0, EVA)).isFalse();
        assertThat(brake.confirm("*", 0, EVA)).isTrue();

        // then
        assertThat(released).containsExactly(0L);
        assertThat(confirmations).containsExactly(EVA);
        assertThat(brake.waiting()).isEmpty();
        assertThat(brake.confirm("*", 0, EVA)).as("a second time").isFalse();
        assertThat(newBrake().waiting()).as("after another restart").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        // 10 000 events always may go: below, at, above
        "9999, 0, false", "10000, 0, false", "10001, 0, true",
        // 20 % of 100 000 events: below, at, above
        "19999, 80000, false", "20000, 80000, false", "20001, 79999, true",
        // 20 % of 100 004 events are 20 000.8
        "20000, 80004, false", "20001, 80003, true"
    })
    void shouldHoldBackWhatIsMoreThanBothLimits(long wouldDelete, long others, boolean isHeldBack) {
        // given
        brake.take(maxAge(Scope.ALL, 1));
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
        List<ParkedRecord> file = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            file.addAll(maxAge(Scope.namespace("n" + i), 1).records());
        }
        HeldBack change = new HeldBack(0, "f", "otto", 5, null, file);

        // when
        assertThat(brake.take(change)).isEqualTo(Answer.WAITS);

        // then
        assertThat(stored.approximateNumEntries()).isEqualTo(4);
        assertThat(store.heldBack()).hasSize(1);
        assertThat(store.heldBack().get(0)).usingRecursiveComparison().isEqualTo(change);

        // when one of them is replaced
        brake.take(maxAge(Scope.namespace("n1"), 1_000_000_000_000L));

        // then
        assertThat(newBrake().waiting())
                .extracting(waiting -> waiting.key().toString())
                .containsExactly("namespace:n0", "namespace:n2");
        brake.confirm("namespace:n2", 2, EVA);
        assertThat(stored.approximateNumEntries()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"-1,WAITS", "0,WAITS", "1,TOO_BIG"})
    void shouldTakeNoChangeThatItCouldNotAskAbout(int more, Answer answer) {
        // given an older change for the same scope, which waits
        brake.take(maxAge(Scope.ALL, 2));
        partitions.bytes = partitions.maxBytes() - 256 + more;
        HeldBack change = maxAge(Scope.ALL, 1);

        // then
        assertThat(brake.take(change)).isEqualTo(answer);
        assertThat(brake.waiting())
                .extracting(WaitingPolicy::sourceOffset)
                .as("what is too big takes no place")
                .containsExactly(answer == Answer.WAITS ? 1L : 0L);
        if (answer == Answer.TOO_BIG) {
            assertThat(brake.tooBig(change)).contains("10001 bytes as one record", "record.max.bytes (10000)");
        }
    }

    @Test
    void shouldTakeNothingThatItCouldNotShowAmongAllThatWaits() {
        // given names of 255 bytes
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            answers.add(brake.take(
                    maxAge(Scope.stream(i + "x".repeat(255 - Integer.toString(i).length())), 1)));
        }

        // then 262 bytes for each key, and about as many for each change
        assertThat(answers).startsWith(Answer.WAITS).endsWith(Answer.TOO_BIG);
        assertThat(brake.waiting()).hasSizeBetween(15, 25);
        assertThat(brake.tooBig(maxAge(Scope.stream("x".repeat(255)), 1)))
                .startsWith("too much waits for a confirmation already")
                .contains("record.max.bytes (10000)");
    }

    @Test
    void shouldAskAgainWhenAPartitionStoppedTooEarly() {
        // given
        brake.take(maxAge(Scope.ALL, 1));
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
    void shouldSayWhichPartitionDoesNotAnswer() {
        // given
        brake.take(maxAge(Scope.ALL, 1));
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
        answer(1, 0, false, 1);
        assertThat(released).containsExactly(0L);
    }

    @Test
    void shouldAssessOneAfterTheOther() {
        // given
        brake.take(maxAge(Scope.namespace("a"), 1));
        brake.take(maxAge(Scope.namespace("b"), 1));
        brake.advance(0);

        // then
        assertThat(partitions.requests).hasSize(1);
        assertThat(brake.waiting())
                .extracting(WaitingPolicy::why)
                .containsExactly("it is being assessed", "it waits to be assessed");
        answerAll(0);
        assertThat(released).containsExactly(0L);
        assertThat(partitions.requests).hasSize(2);
        answerAll(0);
        assertThat(released).containsExactly(0L, 1L);
    }

    @Test
    void shouldReplaceWhatWaitsByANewerRecordOfTheSameScope() {
        // given
        brake.take(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when
        assertThat(brake.take(maxAge(Scope.ALL, 1_000_000_000_000L))).isEqualTo(Answer.PASSES);

        // then
        assertThat(brake.waiting()).isEmpty();
        answerAll(0);
        assertThat(released).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldWithdrawWhatWaitsByARemovalOfWhatIsNotInForce(boolean isAssessed) {
        // given
        brake.take(maxAge(Scope.namespace("a"), 1));
        brake.take(maxAge(Scope.namespace("b"), 1));
        brake.advance(0);
        if (isAssessed) {
            answerAll(20_000);
            answerAll(20_000);
        }

        // when
        assertThat(brake.take(change("namespace:a", null))).isEqualTo(Answer.PASSES);
        brake.advance(1);

        // then
        assertThat(brake.waiting())
                .extracting(waiting -> waiting.key().toString())
                .containsExactly("namespace:b");
        assertThat(newBrake().waiting()).as("after a restart").hasSize(1);
        assertThat(brake.confirm("namespace:a", 0, EVA)).isFalse();
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

        assertThat(brake.take(change("*", records.bytes(confirmed)))).isEqualTo(Answer.PASSES);
    }

    @Test
    @Tag("M-18")
    void shouldAssessTheReleaseOfAHold() {
        // given
        Hold hold = new Hold("c", Scope.ALL, "", "", 1);
        assertThat(brake.take(change("hold:c", records.bytes(hold)))).isEqualTo(Answer.PASSES);
        store.accept(PolicyKey.ofHold("c"), records.bytes(hold));
        brake = newBrake();

        // then
        assertThat(brake.take(change("hold:c", null))).isEqualTo(Answer.WAITS);
    }

    private PolicyBrake newBrake() {
        return new PolicyBrake(store, Policies.BUILT_IN, partitions, judge::judge, (change, by) -> {
            released.add(change.id());
            confirmations.add(by);
        });
    }

    private HeldBack maxAge(Scope scope, long ms) {
        RetentionPolicy policy = RetentionPolicy.of(scope).maxAge(Limit.of(ms)).build();
        return change(scope.toString(), records.bytes(policy));
    }

    private HeldBack change(String key, byte[] value) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        ParkedRecord record = new ParkedRecord("policies", 0, offset++, 0, bytes, value, new RecordHeaders());
        return new HeldBack(record.offset(), "", "otto", 0, null, List.of(record));
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
        private int bytes = 100;

        Request last() {
            return requests.get(requests.size() - 1);
        }

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public int partitions() {
            return 2;
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
            return 10_000;
        }

        @Override
        public void ask(Request request) {
            requests.add(request);
        }
    }
}
