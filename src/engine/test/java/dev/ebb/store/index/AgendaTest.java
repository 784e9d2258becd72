package dev.ebb.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.store.CountingStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("A-17")
class AgendaTest {

    private static final long NOW = 1_800_000_000_000L;

    private final CountingStore usage = new CountingStore("usage", null);
    private final Agenda agenda = new Agenda(usage);

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    void shouldReadWhatIsDueByThen(long laterMs, boolean isRead) {
        // given
        agenda.put(NOW + laterMs, 7);

        // when
        var sids = agenda.read(NOW, 10);

        // then
        assertThat(sids.contains(7)).isEqualTo(isRead);
        assertThat(agenda.isRead(NOW + laterMs, 7)).isEqualTo(isRead);
    }

    @Test
    void shouldReadTheEarliestFirstAndEachOnce() {
        // given
        agenda.put(NOW - 1, 3);
        agenda.put(NOW - 2, 9);
        agenda.put(NOW - 1, 2);
        agenda.put(NOW, 5);

        // then
        assertThat(agenda.read(NOW, 2)).containsExactly(9, 2);
        assertThat(agenda.nextMs()).isEqualTo(NOW - 1);
        assertThat(agenda.count(NOW, 10, sid -> sid != 5)).isEqualTo(1);
        assertThat(agenda.read(NOW, 2)).containsExactly(3, 5);
        assertThat(agenda.read(NOW, 2)).isEmpty();
        assertThat(agenda.count(NOW, 10, sid -> sid != 5)).isZero();
    }

    @Test
    void shouldAskTheStoreNoMoreUntilTheNextTime() {
        // given
        agenda.put(NOW + 5000, 1);
        agenda.read(NOW, 10);
        usage.resetCounts();

        // then
        assertThat(agenda.nextMs()).isEqualTo(NOW + 5000);
        assertThat(agenda.read(NOW + 4999, 10)).isEmpty();
        assertThat(usage.operations()).isZero();
        assertThat(agenda.read(NOW + 5000, 10)).containsExactly(1);
    }

    @ParameterizedTest
    @CsvSource({"59_999", "60_000", "60_001"})
    void shouldLookAgainWhenItSeesNothingForAMinute(long laterMs) {
        // given
        agenda.put(NOW + laterMs, 1);
        agenda.read(NOW, 10);

        // then
        assertThat(agenda.nextMs()).isEqualTo(NOW + Math.min(laterMs, Agenda.AHEAD_MS));
        assertThat(agenda.read(NOW + laterMs, 10)).containsExactly(1);
    }

    @Test
    void shouldReadWhatLiesBehindTheCursorOnlyWhenItIsTurnedBack() {
        // given
        agenda.put(NOW - 10, 1);
        agenda.put(NOW - 5, 2);
        agenda.read(NOW, 10);

        // when
        agenda.await(NOW - 5, 2);
        agenda.await(NOW - 10, 1);

        // then
        assertThat(agenda.behindMs()).isEqualTo(NOW - 10);
        assertThat(agenda.count(NOW, 10, sid -> sid != 5)).isEqualTo(2);
        assertThat(agenda.read(NOW, 10)).isEmpty();
        agenda.turnBack();
        assertThat(agenda.behindMs()).isEqualTo(Agenda.NEVER);
        assertThat(agenda.read(NOW, 10)).containsExactly(1, 2);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false", "2, false"})
    void shouldHaveOnlyWhatWasDueBehindTheCursor(long laterMs, boolean isBehind) {
        // given
        agenda.put(NOW + 5000, 1);
        agenda.read(NOW, 10);

        // when
        agenda.put(NOW + laterMs, 2);
        agenda.await(NOW + laterMs, 2);

        // then
        assertThat(agenda.behindMs() != Agenda.NEVER).isEqualTo(isBehind);
        assertThat(agenda.read(NOW + laterMs, 10).contains(2)).isNotEqualTo(isBehind);
    }

    @Test
    void shouldBeginFromTheBeginningAfterARestart() {
        // given
        agenda.put(NOW - 10, 1);
        agenda.read(NOW, 10);

        // when
        Agenda other = new Agenda(usage);

        // then
        assertThat(other.read(NOW, 10)).containsExactly(1);
    }

    @Test
    void shouldForgetWhatIsRemoved() {
        // given
        agenda.put(NOW, 1);
        agenda.put(NOW, 2);

        // when
        agenda.remove(NOW, 1);

        // then
        assertThat(agenda.read(NOW, 10)).containsExactly(2);
    }
}
