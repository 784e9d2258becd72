package dev.ebb.domain.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Places of events in the order in which they go, and what the audit says of a repair. */
@Tag("O-12")
class DueMarkTest {

    @Test
    void shouldReadBackItsText() {
        DueMark mark = new DueMark(5, new StreamName("a:b c"), 7, 9, Long.MAX_VALUE);

        assertThat(DueMark.parse(mark.text())).isEqualTo(mark);
    }

    @Test
    void shouldRefuseATextThatIsNoMark() {
        String other = Base64.getUrlEncoder().encodeToString("5:7:9".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> DueMark.parse(other)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldFollowTimeStreamAndPlace() {
        List<DueMark> inOrder = List.of(
                mark(1, "b", 2, 2, 2),
                mark(2, "a", 2, 2, 2),
                mark(2, "b", 1, 2, 2),
                mark(2, "b", 2, 1, 2),
                mark(2, "b", 2, 2, 1));

        assertThat(inOrder).isSorted();
        assertThat(inOrder.get(1)).isGreaterThan(inOrder.get(0));
        assertThat(mark(1, "b", 2, 2, 2)).isEqualByComparingTo(inOrder.get(0));
    }

    @Test
    @Tag("A-8")
    void shouldBoundTheDetailOfARepair() {
        StreamName stream = new StreamName("s");
        String most = "x".repeat(AuditRecord.MOST_CHARACTERS);

        assertThat(AuditRecord.ofUsageRepair("id", stream, most, 1).reason()).isEqualTo(most);
        assertThat(AuditRecord.ofUsageRepair("id", stream, most + "x", 1).reason())
                .startsWith("xxx")
                .endsWith("(2001 characters)")
                .hasSizeLessThanOrEqualTo(AuditRecord.MOST_CHARACTERS);
    }

    private static DueMark mark(long lastMs, String stream, long execution, long anchorMs, long seq) {
        return new DueMark(lastMs, new StreamName(stream), execution, anchorMs, seq);
    }
}
