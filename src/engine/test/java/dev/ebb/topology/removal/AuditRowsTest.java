package dev.ebb.topology.removal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditRowsTest {

    private static final int ENOUGH = 48 * 1024;

    private final List<String> sent = new ArrayList<>();
    private final AuditRows rows = new AuditRows(true, this::sent);

    @Test
    void shouldSendTheRowsOfATransactionAsTheLinesOfOneRecord() {
        // when
        add("a", "{1}", 1);
        add("b", "{2}", 2);
        assertThat(sent).isEmpty();
        rows.flush();
        rows.flush();

        // then
        assertThat(sent).containsExactly("a@2=\n{1}\n{2}");
    }

    /** A record must stay below the limit of its topic. */
    @Test
    void shouldBeginAnotherRecordOnceOneIsFull() {
        // when
        add("a", "1".repeat(ENOUGH - 2), 1);
        add("b", "2", 2);
        assertThat(sent).isEmpty();
        add("c", "3", 3);
        add("d", "4".repeat(ENOUGH), 4);
        rows.flush();

        // then
        assertThat(sent).hasSize(3);
        assertThat(sent.get(0)).startsWith("a@2=\n1").endsWith("\n2");
        assertThat(sent.get(1)).isEqualTo("c@3=\n3");
        assertThat(sent.get(2)).startsWith("d@4=\n4");
    }

    @Test
    void shouldSendARowAloneThatIsTooBig() {
        add("a", "1".repeat(ENOUGH + 1), 1);
        assertThat(sent).singleElement().asString().startsWith("a@1=1");
    }

    /** A crash would lose them without transactions, and other sinks know no lines. */
    @Test
    void shouldHoldNothingBackWhereItMustNot() {
        new AuditRows(false, this::sent).add(bytes("a"), bytes("{1}"), 1);

        assertThat(sent).containsExactly("a@1={1}");
    }

    private void add(String key, String row, long timestampMs) {
        rows.add(bytes(key), bytes(row), timestampMs);
    }

    private void sent(byte[] key, byte[] value, long timestampMs) {
        sent.add(new String(key, StandardCharsets.UTF_8) + "@" + timestampMs + "="
                + new String(value, StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
