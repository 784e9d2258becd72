package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-9")
class CommandCountsTest {

    private static final CommandCounts SOME = new CommandCounts(
            1, 2, 3, 4, 5, 6, Map.of(Refusal.STREAM_OPEN, 7L, Refusal.NOT_FOUND, 8L), 9, 10, 11, 12, 13);

    @Test
    void shouldAddUpEveryCount() {
        // given
        CommandCounts more = new CommandCounts(
                100,
                200,
                300,
                400,
                500,
                600,
                Map.of(Refusal.STREAM_OPEN, 700L, Refusal.PROTECTED, 800L),
                900,
                1000,
                1100,
                1200,
                1300);

        // when
        CommandCounts sum = SOME.plus(more);

        // then
        assertThat(sum)
                .isEqualTo(new CommandCounts(
                        101,
                        202,
                        303,
                        404,
                        505,
                        606,
                        Map.of(Refusal.STREAM_OPEN, 707L, Refusal.NOT_FOUND, 8L, Refusal.PROTECTED, 800L),
                        909,
                        1010,
                        1111,
                        1212,
                        1313));
    }

    @Test
    void shouldAddNothing() {
        assertThat(SOME.plus(CommandCounts.NOTHING)).isEqualTo(SOME);
        assertThat(CommandCounts.NOTHING.plus(SOME)).isEqualTo(SOME);
    }

    @Test
    void shouldCountAStreamThatWasSkippedOrRepaired() {
        assertThat(CommandCounts.skipped(Refusal.PROTECTED))
                .isEqualTo(new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(Refusal.PROTECTED, 1L)));
        assertThat(CommandCounts.skippedRest(Refusal.PROTECTED))
                .isEqualTo(new CommandCounts(0, 0, 0, 0, 0, 0, Map.of(Refusal.PROTECTED, 1L)));
        assertThat(CommandCounts.repaired(3, 4))
                .isEqualTo(new CommandCounts(1, 0, 0, 0, 0, 0, Map.of(), 3, 4, 0, 0, 0));
        assertThat(CommandCounts.parked(3, 4)).isEqualTo(new CommandCounts(3, 0, 0, 0, 0, 0, Map.of(), 0, 0, 4, 0, 0));
        assertThat(CommandCounts.warned(3, 4)).isEqualTo(new CommandCounts(0, 0, 0, 0, 0, 0, Map.of(), 0, 0, 0, 3, 4));
    }
}
