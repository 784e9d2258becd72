package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events that move, and events that stay, when the policy fields change on which keys depend. */
@Tag("A-7")
class ArrangementTest {

    private static final Arrangement FORMER = new Arrangement(Anchor.STORED, 10, 20, 30, false, 7);
    private static final Arrangement ALLOWING = new Arrangement(Anchor.STORED, 10, 20, 30, true, 7);

    @Test
    void shouldMoveNothingWhereNothingChanges() {
        assertThat(moved(FORMER, FORMER)).isEmpty();
        assertThat(moved(ALLOWING, ALLOWING)).isEmpty();
    }

    @Test
    void shouldMoveAllThatHasAnAnchorInItsKey() {
        assertThat(moved(FORMER, new Arrangement(Anchor.OCCURRED, 10, 20, 30, false, 7)))
                .containsExactly(Range.ORDERED, Range.TIMED, Range.INFINITE);
    }

    @Test
    @Tag("M-3")
    void shouldMoveEverythingWhereOtherStatusesAreTerminal() {
        assertThat(moved(FORMER, new Arrangement(Anchor.STORED, 10, 20, 30, false, 8)))
                .containsExactly(Range.ORDERED, Range.TIMED, Range.INFINITE, Range.PINNED);
    }

    @Test
    @Tag("M-10")
    void shouldMoveTimedEventsForEachOfTheirBounds() {
        assertThat(moved(FORMER, new Arrangement(Anchor.STORED, 11, 20, 30, false, 7)))
                .containsExactly(Range.TIMED);
        assertThat(moved(FORMER, new Arrangement(Anchor.STORED, 10, 21, 30, false, 7)))
                .containsExactly(Range.TIMED);
        assertThat(moved(FORMER, new Arrangement(Anchor.STORED, 10, 20, 31, false, 7)))
                .containsExactly(Range.TIMED);
    }

    @Test
    @Tag("M-10")
    void shouldMoveTheWishesThatAreHonouredFromNowOnOrNoLonger() {
        assertThat(moved(FORMER, ALLOWING)).containsExactly(Range.ORDERED);
        assertThat(ALLOWING.moves(Range.ORDERED, FORMER, false))
                .as("no event asks for it")
                .isFalse();
        assertThat(moved(ALLOWING, FORMER)).containsExactly(Range.INFINITE);
    }

    @Test
    void shouldReadBackWhatItWrote() {
        for (Arrangement each : List.of(FORMER, ALLOWING, new Arrangement(Anchor.COMPLETED, 1, 2, 3, true, -4))) {
            ByteWriter out = new ByteWriter(10);
            each.encode(out);

            assertThat(Arrangement.decode(new ByteReader(out.toBytes()))).isEqualTo(each);
        }
    }

    private static List<Range> moved(Arrangement from, Arrangement to) {
        return List.of(Range.values()).stream()
                .filter(range -> to.moves(range, from, true))
                .toList();
    }
}
