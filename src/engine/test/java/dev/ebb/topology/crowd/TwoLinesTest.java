package dev.ebb.topology.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-9")
class TwoLinesTest {

    private final TwoLines<String> lines = new TwoLines<>(work -> work.startsWith("s"));

    @Test
    void shouldLetSmallWorkPassAndKeepTheOrderOfEachLine() {
        // given
        lines.addAll(List.of("b1", "b2", "s1", "s2", "s1"));

        // then
        assertThat(all()).containsExactly("s1", "s2", "b1", "b2");
    }

    @Test
    void shouldNotLetSmallWorkPassForEver() {
        // given
        lines.add("b1");
        for (int i = 0; i < 3 * TwoLines.SMALL_IN_A_ROW; i++) {
            lines.add("s" + i);
        }
        lines.add("b2");

        // when
        List<String> order = all();

        // then
        assertThat(order.indexOf("b1")).isEqualTo(TwoLines.SMALL_IN_A_ROW);
        assertThat(order.indexOf("b2")).isEqualTo(2 * TwoLines.SMALL_IN_A_ROW + 1);
    }

    @Test
    void shouldGiveBigWorkItsTurnAfterASmallPieceThatUsedUpTheSlice() {
        // given
        lines.addAll(List.of("b1", "s1", "s2"));

        // when
        assertThat(lines.next()).isEqualTo("s1");
        lines.usedUp();

        // then
        assertThat(lines.next()).isEqualTo("b1");
        lines.usedUp();
        lines.add("b1");
        assertThat(lines.next()).isEqualTo("s2");
    }

    @Test
    void shouldForgetWorkThatIsRemoved() {
        // given
        lines.addAll(List.of("b1", "s1"));

        // when
        lines.remove("b1");
        lines.remove("s1");

        // then
        assertThat(lines.isEmpty()).isTrue();
    }

    private List<String> all() {
        List<String> order = new ArrayList<>();
        while (!lines.isEmpty()) {
            order.add(lines.next());
        }
        return order;
    }
}
