package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.Reported;
import dev.ebb.domain.command.Outcome.Confirmed;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.Outcome.Dropped;
import dev.ebb.domain.command.Outcome.Parts;
import dev.ebb.domain.command.Outcome.Repaired;
import dev.ebb.domain.command.Outcome.Retried;
import dev.ebb.domain.command.Outcome.Swept;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.topology.Outcomes;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("O-9")
class OutcomeTest {

    private static final Deleted SOME =
            new Deleted(1, 2, 3, 4, 5, 6, Map.of(Refusal.STREAM_OPEN, 7L, Refusal.NOT_FOUND, 8L), 10, 20, 30, 40, 50);

    static Stream<Class<?>> kinds() {
        return Stream.of(Outcome.class.getPermittedSubclasses());
    }

    @Test
    void shouldAddUpEveryCount() {
        // given
        Deleted more = new Deleted(
                100,
                200,
                300,
                400,
                500,
                600,
                Map.of(Refusal.STREAM_OPEN, 700L, Refusal.PROTECTED, 800L),
                1000,
                2000,
                3000,
                4000,
                5000);

        // when / then
        assertThat(SOME.plus(more))
                .isEqualTo(new Deleted(
                        101,
                        202,
                        303,
                        404,
                        505,
                        606,
                        Map.of(Refusal.STREAM_OPEN, 707L, Refusal.NOT_FOUND, 8L, Refusal.PROTECTED, 800L),
                        1010,
                        2020,
                        3030,
                        4040,
                        5050));
    }

    @Test
    void shouldStopAtTheLargestCount() {
        assertThat(Deleted.events(Long.MAX_VALUE, 1).plus(Deleted.events(1, 1)))
                .isEqualTo(Deleted.events(Long.MAX_VALUE, 2));
    }

    /** A partition that was refused at once tells no outcome, and must not spoil that of the others. */
    @Test
    void shouldAddOutcomesOfOneKindAndPassOverNothing() {
        assertThat(SOME.and(Outcome.nothing())).isEqualTo(SOME);
        assertThat(Outcome.nothing().and(SOME)).isEqualTo(SOME);
        assertThat(new Dropped(1, 2).and(new Dropped(10, 20))).isEqualTo(new Dropped(11, 22));
        assertThat(new Retried(1).and(new Retried(10))).isEqualTo(new Retried(11));
        assertThat(new Repaired(1, 2).and(new Repaired(10, 20))).isEqualTo(new Repaired(11, 22));
    }

    @Test
    void shouldNotAddUpOutcomesOfTwoKinds() {
        assertThatThrownBy(() -> SOME.and(new Dropped(1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a Deleted and a Dropped cannot be added up");
        assertThatThrownBy(() -> new Confirmed(1).and(new Confirmed(2))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("O-5a")
    void shouldPredictWhatWouldGo() {
        // given
        Deleted counts = Outcomes.deleted(1, 2, 3, 4, 5, 6, SOME.streamsSkipped());
        Swept sweep = new Swept(counts, Parts.NONE, Instant.ofEpochMilli(5), 7).warned(10, 20);

        // when / then: nothing is deleted, and what would be is still known, apart from what only a mode keeps
        assertThat(counts.predicted())
                .isEqualTo(new Deleted(1, 0, 0, 0, 0, 0, SOME.streamsSkipped(), 4, 6, 2, 3, 5))
                .isEqualTo(counts.predicted().predicted());
        assertThat(counts.predicted().deletions()).isEqualTo(counts);
        Swept predicted = sweep.predicted();
        assertThat(List.of(predicted.executionsDeleted(), predicted.eventsDeleted(), predicted.bytesDeleted()))
                .containsOnly(0L);
        assertThat(List.of(predicted.wouldDelete(), predicted.wouldDeleteBytes()))
                .containsExactly(10L + 4, 20L + 6);
        assertThat(List.of(predicted.keptByWarn(), predicted.keptByWarnBytes())).containsExactly(10L, 20L);
        assertThat(predicted.deletions()).isEqualTo(sweep.deletions());
        assertThat(predicted.predicted()).isEqualTo(predicted);
        assertThat(new Dropped(1, 2).predicted()).isEqualTo(new Dropped(1, 2));
    }

    @Test
    void shouldAddUpSweepsWithTheNewestPolicies() {
        // given
        Instant point = Instant.ofEpochMilli(5);
        Swept one = new Swept(SOME, Parts.NONE, point, 7);
        Swept other = new Swept(Deleted.events(1, 2), Parts.NONE, point, 6)
                .warned(1, 2)
                .losingRows(3);

        // when
        Swept sum = (Swept) one.and(other);

        // then: a sweep deletes no streams
        assertThat(sum)
                .isEqualTo(new Swept(
                        1, 3, 5, 5, 8, SOME.streamsSkipped(), 11, 22, 40, 50, 1, 2, 3, Parts.NONE, point, 7, false));
        assertThat(sum.deletions())
                .isEqualTo(Outcomes.deleted(1, 0, 3 + 40, 5 + 10, 5 + 50, 8 + 20, SOME.streamsSkipped()));
    }

    @Test
    @Tag("T-3")
    void shouldSayHowMuchComesBack() {
        Map<NotReturned, Long> superseded = Map.of(NotReturned.SUPERSEDED, 1L);
        Map<NotReturned, Long> reused = Map.of(NotReturned.REUSED, 1L);

        assertThat(Undone.NOTHING.extent()).isEqualTo(Outcome.Extent.NOTHING);
        assertThat(new Undone(1, 1, 1, 0, superseded, List.of()).extent()).isEqualTo(Outcome.Extent.ALL);
        assertThat(new Undone(0, 0, 0, 1, reused, List.of()).extent()).isEqualTo(Outcome.Extent.PART);
    }

    @Test
    void shouldCountNothingBelowZero() {
        assertThatThrownBy(() -> Deleted.events(-1, 0)).hasMessage("a count must not be negative, was -1");
        assertThatThrownBy(() -> Deleted.events(0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Dropped(0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** REST, the schema of the topic and the tables have no other text on it. */
    @ParameterizedTest
    @MethodSource("kinds")
    void shouldDescribeEveryComponent(Class<?> kind) {
        assertThat(Arrays.stream(kind.getRecordComponents()))
                .allSatisfy(component -> assertThat(component.getAnnotation(Reported.class))
                        .as(component.toString())
                        .isNotNull());
    }
}
