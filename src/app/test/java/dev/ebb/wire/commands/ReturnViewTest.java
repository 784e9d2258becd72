package dev.ebb.wire.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.undo.Notice;
import dev.ebb.domain.undo.UndoOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("T-3")
class ReturnViewTest {

    private static final long UNTIL = 1_800_000_000_000L;

    /** The notices of partitions end a few milliseconds apart; the answer names the last end and the first due event. */
    @ParameterizedTest
    @CsvSource({"-18, 0", "0, 0", "5, 5"})
    void shouldLetNoEventGoBeforeTheNoticeEnds(long due, long shown) {
        Notice notice = new Notice(UNTIL, 1, UNTIL + due);

        ReturnView view = ReturnView.of(new UndoOutcome(1, 73, 1, 0, Map.of(), List.of(), List.of("s"), notice));

        assertThat(view.noticeUntil()).isEqualTo(Instant.ofEpochMilli(UNTIL));
        assertThat(view.firstDueAt()).isEqualTo(Instant.ofEpochMilli(UNTIL + shown));
    }
}
