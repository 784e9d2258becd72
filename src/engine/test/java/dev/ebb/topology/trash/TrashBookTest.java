package dev.ebb.topology.trash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.TrashSum;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What waits in the trash is counted without reading it (T-5). */
@Tag("T-5")
class TrashBookTest {

    private static final long UNDO_MS = 24_000;
    private static final StreamName ORDERS = new StreamName("orders/1");
    private static final StreamName MAIL = new StreamName("mail/1");

    private final Map<String, byte[]> notes = new TreeMap<>();
    private int reminders;
    private TrashBook book = open();

    private TrashBook open() {
        return new TrashBook(
                new TreeMap<>(notes),
                (name, value) -> {
                    if (value == null) {
                        notes.remove(name);
                    } else {
                        notes.put(name, value);
                    }
                },
                () -> reminders++);
    }

    @Test
    void shouldCountByReasonAndNamespaceTheLastDeletedFirst() {
        // when
        keep(ORDERS, ofCommand("c-1", 1000), 10, 20);
        keep(new StreamName("orders/2"), ofCommand("c-1", 1000), 5);
        keep(MAIL, ofCommand("c-1", 1000), 1);
        keep(ORDERS, ofSweep("s-1", 1500), 7);
        keep(ORDERS, ofSweep("s-2", 9000), 7);

        // then
        assertThat(book.sums())
                .extracting(
                        sum -> sum.reason().commandId(),
                        TrashSum::namespace,
                        TrashSum::sweepId,
                        TrashSum::events,
                        TrashSum::bytes,
                        TrashSum::firstMs,
                        TrashSum::lastMs,
                        TrashSum::firstUntilMs,
                        TrashSum::untilMs)
                .containsExactly(
                        row("", "orders", "s-2", 2L, 14L, 1500L, 9000L, 1500 + UNDO_MS, 9000 + UNDO_MS),
                        row("c-1", "mail", "", 1L, 1L, 1000L, 1000L, 1000 + UNDO_MS, 1000 + UNDO_MS),
                        row("c-1", "orders", "", 3L, 35L, 1000L, 1000L, 1000 + UNDO_MS, 1000 + UNDO_MS));
    }

    private static Tuple row(Object... values) {
        return tuple(values);
    }

    /** A purge may take executions without events: they wait as well, and come back. */
    @Test
    void shouldCountExecutions() {
        // given
        Deletion purge = ofCommand("c-1", 1000);
        book.count(ORDERS, purge).addExecution();
        book.count(ORDERS, purge).addExecution();
        keep(MAIL, purge, 7);
        book.flush();

        // when it is read again, and one comes back
        book = open();
        book.takeOffExecution(ORDERS, purge);

        // then
        assertThat(book.sums())
                .extracting(TrashSum::namespace, TrashSum::events, TrashSum::executions)
                .containsExactlyInAnyOrder(tuple("orders", 0L, 1L), tuple("mail", 1L, 0L));

        // when the other one does
        book.takeOffExecution(ORDERS, purge);
        book.flush();

        // then
        assertThat(book.sums()).extracting(TrashSum::namespace).containsExactly("mail");
        assertThat(notes).hasSize(1);
    }

    /** A former version counted no executions. */
    @Test
    void shouldReadTheCountOfAFormerVersion() {
        // given
        keep(ORDERS, ofCommand("c-1", 1000), 10);
        book.flush();
        notes.replaceAll((name, value) -> new String(value, StandardCharsets.UTF_8)
                .replace("\"executions\":0,", "")
                .getBytes(StandardCharsets.UTF_8));

        // then
        assertThat(open().sums())
                .extracting(TrashSum::events, TrashSum::executions)
                .containsExactly(tuple(1L, 0L));
    }

    @Test
    void shouldKnowItsCountsAfterARestart() {
        // given
        keep(ORDERS, ofCommand("c-1", 1000), 10);
        book.flush();
        keep(MAIL, ofSweep("s-1", 1500), 7, 8);
        keep(ORDERS, ofCommand("c-1", 1100), 20);
        book.flush();
        var before = book.sums();

        // when
        book = open();
        keep(ORDERS, ofCommand("c-1", 1200), 30);

        // then
        assertThat(before).hasSize(2);
        assertThat(book.sums())
                .filteredOn(sum -> sum.namespace().equals("mail"))
                .isSubsetOf(before);
        assertThat(book.sums())
                .filteredOn(sum -> sum.namespace().equals("orders"))
                .extracting(TrashSum::events, TrashSum::bytes)
                .containsExactly(row(3L, 60L));
        assertThat(notes).hasSize(2);
    }

    @Test
    void shouldAskToBeWrittenDownOncePerTransaction() {
        keep(ORDERS, ofCommand("c-1", 1000), 10, 20, 30);
        keep(MAIL, ofCommand("c-1", 1000), 10);
        assertThat(reminders).isEqualTo(1);

        book.flush();
        keep(MAIL, ofCommand("c-1", 1000), 10);
        assertThat(reminders).isEqualTo(2);
    }

    /** One millisecond before, at, and after the time from which the last delete is final. */
    @Test
    void shouldForgetWhatIsFinal() {
        // given
        keep(ORDERS, ofCommand("c-1", 1000), 10);
        book.flush();

        // when, then
        book.forget(999 + UNDO_MS);
        assertThat(book.sums()).hasSize(1);
        assertThat(book.nextMs()).isEqualTo(1000 + UNDO_MS);
        book.forget(1000 + UNDO_MS);
        assertThat(book.sums()).isEmpty();
        assertThat(notes).isEmpty();
        book.forget(1001 + UNDO_MS);
        assertThat(book.nextMs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldForgetTheOldPartOfAPolicyThatGoesOn() {
        // given deletes of one policy, in parts of a second
        for (long atMs = 1000; atMs <= 10_000; atMs += 500) {
            keep(ORDERS, ofSweep("s-" + atMs, atMs), 1);
        }

        // when
        book.forget(5000 + UNDO_MS);

        // then a part goes as a whole, when its last delete is final
        assertThat(book.sums()).extracting(TrashSum::events, TrashSum::firstMs).containsExactly(row(11L, 5000L));
    }

    @Test
    void shouldTakeOffWhatCameBack() {
        // given
        keep(ORDERS, ofCommand("c-1", 1000), 10, 20);
        book.flush();

        // when
        book.takeOff(ORDERS, ofCommand("c-1", 1000), 10);

        // then
        assertThat(book.sums()).extracting(TrashSum::events, TrashSum::bytes).containsExactly(row(1L, 20L));
        book.takeOff(ORDERS, ofCommand("c-1", 1000), 20);
        book.takeOff(ORDERS, ofCommand("c-2", 1000), 20);
        book.flush();
        assertThat(book.sums()).isEmpty();
        assertThat(notes).isEmpty();
    }

    @Test
    void shouldCountOnAfterAllCameBack() {
        // given
        TrashCount count = book.count(ORDERS, ofCommand("c-1", 1000));
        count.add(10);
        book.flush();
        book.takeOff(ORDERS, ofCommand("c-1", 1000), 10);
        book.flush();

        // when
        count.add(5);
        book.flush();

        // then
        assertThat(book.sums()).extracting(TrashSum::events, TrashSum::bytes).containsExactly(row(1L, 5L));
        assertThat(open().sums()).isEqualTo(book.sums());
    }

    @Test
    void shouldCountTogetherWhatIsTooMuchToBeToldApart() {
        // given
        for (int command = 0; command < TrashBook.MOST + 2; command++) {
            keep(ORDERS, ofCommand("c-" + command, 1000), 1);
        }

        // when
        book.takeOff(ORDERS, ofCommand("c-" + TrashBook.MOST, 1000), 1);

        // then
        assertThat(book.sums()).hasSize(TrashBook.MOST + 1);
        assertThat(book.sums())
                .filteredOn(sum -> sum.namespace().equals(TrashSum.OTHERS))
                .extracting(TrashSum::events, TrashSum::reason)
                .containsExactly(row(1L, new TrashSum.Reason("", "", RemovalCause.PURGE, "command")));
    }

    private void keep(StreamName stream, Deletion deletion, long... sizes) {
        TrashCount count = book.count(stream, deletion);
        for (long size : sizes) {
            count.add(size);
        }
    }

    private static Deletion ofCommand(String commandId, long atMs) {
        return new Deletion(RemovalCause.PURGE, "command", -1, "", List.of(), "", commandId, atMs, atMs + UNDO_MS);
    }

    private static Deletion ofSweep(String sweepId, long atMs) {
        return new Deletion(
                RemovalCause.MAX_AGE,
                "namespace:orders",
                7,
                "namespace:orders@7",
                List.of(),
                sweepId,
                "",
                atMs,
                atMs + UNDO_MS);
    }
}
