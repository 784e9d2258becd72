package dev.ebb.domain.policy.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Limits on what a change may delete at once, and the verdict that follows from the partitions' counts. */
@Tag("O-8")
class BrakeTallyTest {

    private static final BrakeLimits LIMITS = new BrakeLimits(20, 5, 0);
    private static final Function<String, SpentDeletes> NOTHING_SPENT = namespace -> SpentDeletes.NOTHING;

    @ParameterizedTest
    @CsvSource({
        "20, 0, 0, 0",
        "20, 0, 4, 0",
        "20, 0, 5, 1",
        "20, 0, 99, 19",
        "20, 0, 100, 20",
        "20, 0, 104, 20",
        "20, 0, 105, 21",
        "20, 21, 100, 21",
        "20, 20, 100, 20",
        "20, 19, 100, 20",
        "0, 3, 100, 3",
        "100, 0, 9223372036854775807, 9223372036854775807",
        "50, 0, 9223372036854775807, 4611686018427387903"
    })
    void shouldAllowTheShareAndAlwaysTheMinimum(int share, long minimum, long stored, long allowed) {
        assertThat(new BrakeLimits(share, minimum, 0).allowed(stored)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, false", "0, 0, true", "100, 0, true", "101, 0, false", "20, -1, false", "20, 1, true"})
    void shouldRefuseLimitsThatAreNone(int share, long minimum, boolean isGood) {
        if (isGood) {
            assertThat(new BrakeLimits(share, minimum, 0).minimumEvents()).isEqualTo(minimum);
        } else {
            assertThatThrownBy(() -> new BrakeLimits(share, minimum, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the share must be from 0 to 100 and the minimum not negative");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, true", "99, true", "100, false"})
    void shouldBeOffWhereEverythingMayGo(int share, boolean isOn) {
        assertThat(new BrakeLimits(share, 0, 0).isOn()).isEqualTo(isOn);
    }

    /** One partition names a namespace that another one has among many others. */
    @ParameterizedTest
    @CsvSource({"1, PASS", "2, HOLD"})
    void shouldAddTheOthersToEachNamespaceThatTheyMayHave(long others, BrakeTally.Verdict verdict) {
        // given
        BrakeTally tally = new BrakeTally(2, LIMITS, NOTHING_SPENT);
        tally.add(0, new BrakeFinding(4, false, 1000, List.of(new NamespaceLoss("a", 4, 10))));
        tally.add(1, new BrakeFinding(9, false, 1000, List.of(new NamespaceLoss(NamespaceLoss.OTHERS, others, 0))));

        // then
        assertThat(tally.verdict()).isEqualTo(verdict);
        assertThat(tally.sum().namespaces())
                .contains(new NamespaceLoss("a", 4 + others, 10), new NamespaceLoss(NamespaceLoss.OTHERS, others, 0));
    }

    @ParameterizedTest
    @CsvSource({"19, PASS", "20, PASS", "21, HOLD"})
    void shouldHoldWhatWouldDeleteMoreThanIsAllowed(long wouldDelete, BrakeTally.Verdict verdict) {
        assertThat(tally(new BrakeFinding(wouldDelete, false, 100)).verdict()).isEqualTo(verdict);
    }

    /** Below, at and above a fifth of the namespace, with and without what it lost in the last hour. */
    @ParameterizedTest
    @CsvSource({"19, 0, PASS", "20, 0, PASS", "21, 0, HOLD", "15, 5, PASS", "15, 6, HOLD", "0, 50, PASS", "1, 20, HOLD"
    })
    @Tag("T-15")
    void shouldHoldWhatWouldDeleteTooMuchOfANamespace(long wouldDelete, long earlier, BrakeTally.Verdict verdict) {
        // given
        BrakeTally tally = new BrakeTally(2, LIMITS, namespace -> new SpentDeletes(earlier, 0));

        // when: each partition has half of the namespace
        tally.add(0, inNamespace(wouldDelete, 50));
        tally.add(1, inNamespace(0, 50));

        // then
        assertThat(tally.verdict()).isEqualTo(verdict);
        assertThat(tally.finding().namespaces())
                .isEqualTo(
                        verdict == BrakeTally.Verdict.HOLD
                                ? List.of(new NamespaceLoss("a", wouldDelete, 100, earlier))
                                : List.of());
    }

    /** What earlier changes have deleted by now must not shrink what later ones may delete. */
    @Test
    @Tag("T-15")
    void shouldTakeTheShareOfTheMostThatTheNamespaceHeldWithinTheHour() {
        BrakeTally tally = new BrakeTally(1, LIMITS, namespace -> new SpentDeletes(15, 100));

        tally.add(0, inNamespace(5, 85));

        assertThat(tally.verdict()).isEqualTo(BrakeTally.Verdict.PASS);
    }

    @Test
    @Tag("T-15")
    void shouldNameNoNamespaceIfTheWholeScopeIsBeyondTheLimits() {
        BrakeTally tally = new BrakeTally(1, LIMITS, NOTHING_SPENT);

        tally.add(0, new BrakeFinding(30, false, 100, List.of(new NamespaceLoss("a", 30, 100))));

        assertThat(tally.finding()).hasToString("would delete 30 of 100 events");
    }

    @ParameterizedTest
    @CsvSource({
        "false, 0, 'would delete 8 of 1000 events, 8 of 10 in the namespace a'",
        "true, 0, 'would delete at least 8 of 1000 events, at least 8 of 10 in the namespace a'",
        "false, 3, 'would delete 8 of 1000 events, 8 of 10 in the namespace a, where others of the last hour delete 3'"
    })
    @Tag("T-15")
    void shouldNameTheNamespaceThatHoldsItBack(boolean isAtLeast, long earlier, String text) {
        NamespaceLoss loss = new NamespaceLoss("a", 8, 10, earlier);

        assertThat(new BrakeFinding(8, isAtLeast, 1000, List.of(loss))).hasToString(text);
    }

    @Test
    void shouldAskAgainIfAPartitionStoppedTooEarlyToTell() {
        assertThat(tally(new BrakeFinding(20, true, 100)).verdict()).isEqualTo(BrakeTally.Verdict.ASK_AGAIN);
        assertThat(tally(new BrakeFinding(21, true, 100)).verdict()).isEqualTo(BrakeTally.Verdict.HOLD);
    }

    @Test
    void shouldLetAPartitionThatStopsAtTheNextLimitDecideAlone() {
        BrakeTally tally = tally(new BrakeFinding(3, true, 100));

        assertThat(tally.nextLimit()).isEqualTo(21);
        tally.add(0, new BrakeFinding(tally.nextLimit(), true, 100));
        assertThat(tally.verdict()).isEqualTo(BrakeTally.Verdict.HOLD);
    }

    @Test
    void shouldWaitForEveryPartition() {
        // given
        BrakeTally tally = new BrakeTally(3, LIMITS, NOTHING_SPENT);

        // when
        tally.add(0, new BrakeFinding(9, false, 10));
        tally.add(2, new BrakeFinding(9, true, 10));

        // then
        assertThat(tally.verdict()).isEqualTo(BrakeTally.Verdict.INCOMPLETE);
        assertThat(tally.missing()).containsExactly(1);
        tally.add(1, new BrakeFinding(9, false, 10));
        assertThat(tally.verdict()).isEqualTo(BrakeTally.Verdict.HOLD);
        assertThat(tally.missing()).isEmpty();
        assertThat(tally.sum()).isEqualTo(new BrakeFinding(27, true, 30));
    }

    @Test
    void shouldTakeNoAnswerOfAPartitionThatIsNotThere() {
        BrakeTally tally = new BrakeTally(1, LIMITS, NOTHING_SPENT);

        tally.add(-1, new BrakeFinding(9, false, 10));
        tally.add(1, new BrakeFinding(9, false, 10));

        assertThat(tally.verdict()).isEqualTo(BrakeTally.Verdict.INCOMPLETE);
        assertThat(tally.sum()).isEqualTo(BrakeFinding.NOTHING);
    }

    @Test
    void shouldReplaceAnAnswerByTheSecondOne() {
        BrakeTally tally = tally(new BrakeFinding(90, false, 100));

        tally.add(0, new BrakeFinding(1, false, 100));

        assertThat(tally.verdict()).isEqualTo(BrakeTally.Verdict.PASS);
    }

    @ParameterizedTest
    @CsvSource({
        "12000, true, 40000, would delete at least 12000 of 40000 events",
        "0, false, 0, would delete 0 of 0 events",
        "1, false, 1, would delete 1 of 1 event",
        "1, false, 2, would delete 1 of 2 events"
    })
    void shouldSayWhatItWouldDelete(long wouldDelete, boolean isAtLeast, long stored, String text) {
        assertThat(new BrakeFinding(wouldDelete, isAtLeast, stored)).hasToString(text);
    }

    private static BrakeFinding inNamespace(long wouldDelete, long stored) {
        return new BrakeFinding(wouldDelete, false, 1000, List.of(new NamespaceLoss("a", wouldDelete, stored)));
    }

    private static BrakeTally tally(BrakeFinding finding) {
        BrakeTally tally = new BrakeTally(1, LIMITS, NOTHING_SPENT);
        tally.add(0, finding);
        return tally;
    }
}
