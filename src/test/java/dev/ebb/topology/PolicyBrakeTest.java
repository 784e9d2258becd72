package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.BrakeLimits;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.model.Policies;
import dev.ebb.store.ParkedRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the brake lets through, what it holds back, and how that ends. */
@Tag("O-8")
class PolicyBrakeTest {

    private final TestRecords records = new TestRecords();
    private final GateStore store =
            new GateStore(Stores.inMemoryKeyValueStore("gate").get());
    private final PolicyJudge judge = new PolicyJudge(records, store);
    private final List<Long> released = new ArrayList<>();
    private final Partitions partitions = new Partitions();
    private PolicyBrake brake = newBrake();
    private long offset;

    @Test
    void shouldLetThroughAtOnceWhatKeepsMore() {
        assertThat(brake.admits(maxAge(Scope.ALL, 1_000_000_000_000L))).isTrue();
        assertThat(partitions.requests).isEmpty();
    }

    @Test
    void shouldLetThroughWhatDeletesLittle() {
        // given
        assertThat(brake.admits(maxAge(Scope.ALL, 1))).isFalse();
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
        brake.admits(maxAge(Scope.ALL, 1));
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
                        "it would delete at least 10001 of 50000 events at once; confirm it, or set another one",
                        new BrakeFinding(10_001, true, 50_000)));
        brake = newBrake();
        assertThat(brake.waiting()).as("after a restart").hasSize(1);

        // when
        assertThat(brake.confirm("*", 1)).isFalse();
        assertThat(brake.confirm("namespace:n", 0)).isFalse();
        assertThat(brake.confirm("*", 0)).isTrue();

        // then
        assertThat(released).containsExactly(0L);
        assertThat(brake.waiting()).isEmpty();
    }

    @Test
    void shouldAskAgainWhenAPartitionStoppedTooEarly() {
        // given
        brake.admits(maxAge(Scope.ALL, 1));
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
        brake.admits(maxAge(Scope.ALL, 1));
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
        brake.admits(maxAge(Scope.namespace("a"), 1));
        brake.admits(maxAge(Scope.namespace("b"), 1));
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
        brake.admits(maxAge(Scope.ALL, 1));
        brake.advance(0);

        // when
        assertThat(brake.admits(maxAge(Scope.ALL, 1_000_000_000_000L))).isTrue();

        // then
        assertThat(brake.waiting()).isEmpty();
        answerAll(0);
        assertThat(released).isEmpty();
    }

    @Test
    void shouldTrustAnAuthorWhoConfirms() {
        RetentionPolicy confirmed = RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .confirmed(true)
                .build();

        assertThat(brake.admits(change("*", records.bytes(confirmed)))).isTrue();
    }

    @Test
    @Tag("M-18")
    void shouldAssessTheReleaseOfAHold() {
        // given
        Hold hold = new Hold("c", Scope.ALL, "", "", 1);
        assertThat(brake.admits(change("hold:c", records.bytes(hold)))).isTrue();
        store.accept(PolicyKey.ofHold("c"), records.bytes(hold));
        brake = newBrake();

        // then
        assertThat(brake.admits(change("hold:c", null))).isFalse();
    }

    private PolicyBrake newBrake() {
        return new PolicyBrake(store, Policies.BUILT_IN, partitions, judge::judge, change -> released.add(change.id()));
    }

    private HeldBack maxAge(Scope scope, long ms) {
        RetentionPolicy policy = RetentionPolicy.of(scope).maxAge(Limit.of(ms)).build();
        return change(scope.toString(), records.bytes(policy));
    }

    private HeldBack change(String key, byte[] value) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        ParkedRecord record = new ParkedRecord("policies", 0, offset++, 0, bytes, value, new RecordHeaders());
        return new HeldBack(record.offset(), "", 0, null, List.of(record));
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
        public void ask(Request request) {
            requests.add(request);
        }
    }
}
