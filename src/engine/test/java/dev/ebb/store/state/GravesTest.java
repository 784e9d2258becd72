package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.CountingStore;
import dev.ebb.store.StoreCheck;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.UsageKeys;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of graves, and their cost. */
@Tag("O-10")
class GravesTest {

    private static final long T0 = StoreFixture.T0;
    private static final long KEPT_MS = 10_000;
    private static final StreamName A = new StreamName("a/1");
    private static final StreamName B = new StreamName("b");

    private final CountingStore usage = new CountingStore("usage", null);
    private final Graves graves = new Graves(usage, KEPT_MS);

    @ParameterizedTest
    @CsvSource({
        "-1, 0, true",
        "0, 0, false",
        "1, 0, false",
        "-1, 9999, true",
        "-1, 10000, true",
        "-1, 10001, false",
        "-1, -500, true"
    })
    @Tag("M-13")
    void shouldCoverWhatIsOlderUntilItEnds(long producedMs, long nowMs, boolean covers) {
        // given
        graves.dig(A, Grave.of(T0, "c"));
        graves.dig(B, Grave.of(T0 + 1, "c"));

        // then
        assertThat(graves.cover(A, null, T0 + producedMs, T0 + nowMs)).isEqualTo(covers);
        assertThat(graves.cover(new StreamName("c"), null, T0 + producedMs, T0 + nowMs))
                .isFalse();
    }

    @Test
    void shouldKeepTheLaterOfTwoDeletes() {
        // given
        graves.dig(A, Grave.of(T0, "c"));
        graves.dig(A, Grave.of(T0 + 100, "c"));
        graves.dig(A, Grave.of(T0 + 50, "c"));

        // then
        assertThat(graves.count()).isEqualTo(1);
        assertThat(graves.cover(A, null, T0 + 99, T0 + 100 + KEPT_MS)).isTrue();
        assertThat(found()).containsExactly(Map.entry("a/1", T0 + 100));
        assertThat(graves.forget(T0 + 100 + KEPT_MS, budget(100))).isTrue();
        assertThat(graves.count()).isEqualTo(1);
    }

    /** The clock of an instance may have been ahead. */
    @Test
    @Tag("A-3")
    void shouldForgetThemInTheOrderOfTheirEndWhateverTheOrderOfTheDeletes() {
        // given
        graves.dig(A, Grave.of(T0 + 100, "c"));
        graves.dig(B, Grave.of(T0, "c"));

        // when
        graves.forget(T0 + KEPT_MS + 1, budget(100));

        // then
        assertThat(found()).containsExactly(Map.entry("a/1", T0 + 100));
        assertThat(graves.nextMs()).isEqualTo(T0 + 100 + KEPT_MS + 1);

        // when one is dug below what was forgotten
        graves.dig(B, Grave.of(T0 - 5, "c"));
        graves.forget(T0 + KEPT_MS, budget(100));

        // then
        assertThat(found()).containsExactly(Map.entry("a/1", T0 + 100));
        graves.forget(T0 + 101 + KEPT_MS, budget(100));
        assertThat(found()).isEmpty();
        assertThat(graves.nextMs()).isEqualTo(Long.MAX_VALUE);
    }

    /** A slice costs what it forgets: not what it forgot before, nor the records of deleted streams behind the graves. */
    @Test
    @Tag("A-1")
    @Tag("A-2")
    void shouldForgetAtACostOfWhatItForgets() {
        // given
        int many = 5000;
        for (int i = 0; i < many; i++) {
            graves.dig(new StreamName("s/" + i), Grave.of(T0 + i / 10, "c"));
            usage.put(UsageKeys.stream(new StreamName("s/" + i)), null);
        }
        usage.resetCounts();

        // when
        int slices = 0;
        for (boolean isDone = false; !isDone; slices++) {
            long before = usage.walked;
            isDone = graves.forget(T0 + many + KEPT_MS, budget(100));
            assertThat(usage.walked - before).isLessThan(110);
        }

        // then
        assertThat(slices).isBetween(many / 100, many / 100 + 1);
        assertThat(usage.puts).isEqualTo(2 * many);
        assertThat(usage.gets).isZero();
        assertThat(usage.openIterators()).isZero();
        assertThat(found()).isEmpty();
    }

    /** Nearly all records are younger than the last delete, and a stream that is there remembers the one before. */
    @Test
    @Tag("A-5")
    void shouldAskTheStoreForOldRecordsOfMissingStreamsAlone() {
        // given
        StoreFixture fixture = new StoreFixture();
        fixture.event(event("a/1", "a"));
        fixture.event(event("b", "a"));
        fixture.retire("a/1");
        fixture.event(event("a/1", "b"));
        fixture.retire("b");
        fixture.resetCounts();

        // then
        assertThat(fixture.store.isLate(B, fixture.nowMs, fixture.nowMs)).isFalse();
        assertThat(fixture.store.isLate(A, fixture.nowMs - 1, fixture.nowMs)).isTrue();
        assertThat(fixture.usage.operations()).isZero();
        assertThat(fixture.store.isLate(B, fixture.nowMs - 1, fixture.nowMs)).isTrue();
        assertThat(fixture.usage.operations())
                .as("for the stream and for the grave")
                .isEqualTo(2);
    }

    @Test
    @Tag("I-7")
    void shouldBeThereAfterARestart() {
        // given
        StoreFixture fixture = new StoreFixture();
        fixture.graveRetention = Duration.ofMillis(KEPT_MS);
        fixture.reopen();
        fixture.event(event("a/1", "a"));
        fixture.event(event("b", "a"));
        fixture.retire("a/1");
        fixture.nowMs += 7;
        fixture.retire("b");
        fixture.event(event("a/1", "b"));

        // when
        fixture.reopen();

        // then
        assertThat(fixture.store.graves().count()).isEqualTo(2);
        assertThat(fixture.store.graves().nextMs()).isEqualTo(T0 + KEPT_MS + 1);
        assertThat(fixture.store.isLate(A, T0 - 1, fixture.nowMs)).isTrue();
        assertThat(fixture.store.isLate(A, T0, fixture.nowMs)).isFalse();
        assertThat(fixture.store.isLate(B, T0 + 6, fixture.nowMs)).isTrue();
        assertThat(fixture.store.isLate(B, T0 + 7, fixture.nowMs)).isFalse();
        fixture.check();

        // when they have ended, in two slices
        fixture.nowMs = T0 + KEPT_MS + 8;
        assertThat(fixture.store.graves().forget(fixture.nowMs, budget(1))).isFalse();
        fixture.reopen();
        assertThat(fixture.store.graves().forget(fixture.nowMs, budget(2))).isTrue();

        // then
        assertThat(StoreCheck.graves(fixture.usage.range(UsageKeys.firstGrave(), UsageKeys.endOfGraves())))
                .isEmpty();
    }

    private Map<String, Long> found() {
        return StoreCheck.graves(usage.range(UsageKeys.firstGrave(), UsageKeys.endOfGraves()));
    }

    private static SweepBudget budget(int deletes) {
        return new SweepBudget(deletes, Long.MAX_VALUE / 2, System::nanoTime);
    }
}
