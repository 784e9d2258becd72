package dev.ebb.store.notes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.store.CountingStore;
import dev.ebb.store.layout.UsageKeys;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pending notes outlive a crash, and those of finished work are forgotten some day. */
@Tag("O-11")
class NotesTest {

    private final CountingStore usage = new CountingStore("usage", null);
    private final Notes notes = new Notes(usage);

    @Test
    void shouldKeepWhatIsPendingInMemoryAndInTheStore() {
        // when
        notes.savePending("a", new byte[] {1});
        notes.savePending("b", new byte[] {2});
        notes.savePending("a", null);

        // then
        assertThat(notes.pending()).containsOnlyKeys("b");
        assertThat(usage.contents()).containsOnlyKeys(UsageKeys.named(UsageKeys.PENDING, "b"));
        Notes reopened = new Notes(usage);
        usage.contents().forEach(reopened::readPending);
        assertThat(reopened.pending()).containsEntry("b", new byte[] {2}).hasSize(1);
        reopened.clear();
        assertThat(reopened.pending()).isEmpty();
    }

    @Test
    void shouldRememberWhatIsDone() {
        notes.saveDone("a", new byte[] {1}, 5);

        assertThat(notes.done("a")).containsExactly(1);
        assertThat(notes.done("b")).isNull();
        assertThat(notes.pending()).isEmpty();
    }

    @Test
    void shouldForgetWhatWasDoneBeforeATime() {
        // given
        notes.savePending("pending", new byte[] {0});
        for (long timeMs : List.of(4L, 5L, 6L)) {
            notes.saveDone("at " + timeMs, new byte[] {1}, timeMs);
        }

        // when
        notes.forgetDone(5);

        // then
        assertThat(notes.done("at 4")).isNull();
        assertThat(notes.done("at 5")).isNotNull();
        assertThat(notes.done("at 6")).isNotNull();
        assertThat(notes.pending()).containsOnlyKeys("pending");
        assertThat(usage.contents()).hasSize(5);
        assertThat(usage.openIterators()).isZero();
    }

    @Test
    void shouldForgetAHundredAtATime() {
        // given
        IntStream.range(0, 150).forEach(i -> notes.saveDone("c" + i, new byte[] {1}, i));

        // when
        notes.forgetDone(1000);

        // then
        assertThat(usage.contents()).hasSize(2 * 50);
        assertThat(notes.done("c99")).isNull();
        assertThat(notes.done("c100")).isNotNull();
        notes.forgetDone(1000);
        assertThat(usage.contents()).isEmpty();
    }
}
