package dev.ebb.topology.removal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves a transaction of the rows of its events. */
@Tag("A-4")
class WaitingRowsTest {

    private static final Headers REASON = new RecordHeaders().add("cause", new byte[] {1});

    private final List<String> sent = new ArrayList<>();
    private int reminders;
    private final WaitingRows rows = open(StreamsConfig.EXACTLY_ONCE_V2, false);

    @Test
    @Tag("M-12")
    void shouldSendNeitherRowNorTombstoneOfAnEventThatComesAndGoes() {
        add(rows, "a");
        add(rows, "b");
        delete(rows, "a");

        rows.flush();

        assertThat(sent).containsExactly("b=b 1");
    }

    @Test
    void shouldSendTheTombstoneAtOnceWhereTheRowMayBeKnown() {
        add(rows, "a");
        rows.flush();
        add(rows, "b");

        delete(rows, "a");

        assertThat(sent).containsExactly("a=a 1", "a gone 2 [cause]");
    }

    /** Readers see every state of an event that changes, in its order. */
    @Test
    @Tag("M-1")
    void shouldSendTheWaitingRowBeforeAnotherStateOfIt() {
        add(rows, "a");
        rows.change(row("a", "changed"), 3);
        delete(rows, "a");
        rows.flush();

        assertThat(sent).containsExactly("a=a 1", "a=changed 3", "a gone 2 [cause]");
    }

    @Test
    void shouldSendNothingOfAnEventThatComesAndGoesTwice() {
        add(rows, "a");
        delete(rows, "a");
        add(rows, "a");
        delete(rows, "a");

        rows.flush();

        assertThat(sent).isEmpty();
    }

    @Test
    void shouldSendTheLastRowOfAnEventThatGoesAndComesAgain() {
        rows.change(row("a", "old"), 1);
        delete(rows, "a");
        add(rows, "a");

        rows.flush();

        assertThat(sent).containsExactly("a=old 1", "a gone 2 [cause]", "a=a 1");
    }

    @Test
    void shouldAskForOneCallBeforeTheCommit() {
        add(rows, "a");
        add(rows, "b");
        assertThat(reminders).isOne();

        rows.flush();
        add(rows, "c");

        assertThat(reminders).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {StreamsConfig.AT_LEAST_ONCE, "something else"})
    void shouldLetNoRowWaitWithoutTransactions(String guarantee) {
        WaitingRows unbound = open(guarantee, false);
        add(unbound, "a");
        delete(unbound, "a");

        assertThat(sent).containsExactly("a=a 1", "a gone 2 [cause]");
        assertThat(reminders).isZero();
    }

    /** A block gathers again what no longer waits, so it is asked for as well. */
    @ParameterizedTest
    @ValueSource(strings = {StreamsConfig.AT_LEAST_ONCE, StreamsConfig.EXACTLY_ONCE_V2})
    void shouldSendBlocksBeforeTheCommit(String guarantee) {
        WaitingRows inBlocks = open(guarantee, true);
        delete(inBlocks, "a");
        assertThat(reminders).isOne();
        add(inBlocks, "b");
        assertThat(sent).isEmpty();

        inBlocks.flush();

        assertThat(sent).hasSize(1).allMatch(record -> record.startsWith("a block of"));
    }

    private WaitingRows open(String guarantee, boolean inBlocks) {
        RowSender.Target target = (key, value, timestampMs, headers) -> sent.add(
                key == null
                        ? "a block of " + (value == null ? 0 : value.length)
                        : text(key)
                                + (value == null ? " gone " : "=" + text(value) + " ")
                                + timestampMs
                                + names(headers));
        RowSender sender = new RowSender(inBlocks, target, () -> reminders++);
        return new WaitingRows(Map.of(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee), sender, () -> reminders++);
    }

    private static String names(Headers headers) {
        List<String> names = new ArrayList<>();
        headers.forEach(header -> names.add(header.key()));
        return names.isEmpty() ? "" : " " + names;
    }

    private static void add(WaitingRows to, String key) {
        to.add(row(key, key), 1);
    }

    private static void delete(WaitingRows to, String key) {
        to.delete(utf8(key), 2, REASON);
    }

    private static MirrorRow row(String key, String value) {
        return new MirrorRow(utf8(key), utf8(value));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
