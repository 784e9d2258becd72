package dev.ebb.topology.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.Part;
import dev.ebb.domain.retention.RemovalCause;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of many parts the biggest are listed, wherever they come in, and the others are counted. */
@Tag("O-5")
class BiggestPartsTest {

    @ParameterizedTest
    @CsvSource({"999, 999, 0", "1000, 1000, 0", "1001, 1000, 1", "1500, 1000, 500"})
    void shouldListTheBiggest(int found, int listed, long leftOut) {
        // given
        BiggestParts parts = new BiggestParts(List.of(), 0, 1 << 20);

        // when the biggest come last
        for (int i = 1; i <= found; i++) {
            parts.add(new Part("s/" + i, RemovalCause.MAX_AGE, i, 1));
        }

        // then
        assertThat(parts.list())
                .hasSize(listed)
                .isSortedAccordingTo((one, other) -> Long.compare(other.events(), one.events()));
        assertThat(parts.list().get(0).events()).isEqualTo(found);
        assertThat(parts.list().get(listed - 1).events()).isEqualTo(leftOut + 1);
        assertThat(parts.leftOut()).isEqualTo(leftOut);

        // when another partition answers
        parts.addAll(List.of(new Part("other", RemovalCause.TTL, 10_000, 1)), 7);

        // then
        assertThat(parts.list().get(0).stream()).isEqualTo("other");
        assertThat(parts.list().size() + parts.leftOut()).isEqualTo(found + 8L);
        assertThat(parts.list()).hasSizeLessThanOrEqualTo(CommandResult.MAX_PARTS);
    }
}
