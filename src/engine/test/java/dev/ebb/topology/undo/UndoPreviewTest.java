package dev.ebb.topology.undo;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.SeededCases;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The count of an undo in one reading, beside the exact one. */
@Tag("T-3")
class UndoPreviewTest {

    private static final String STREAM = "orders/1";
    private static final StreamName NAME = new StreamName(STREAM);

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldHaveEnoughOnlyWhereNothingIsDue() {
        SeededCases.forAll(600, UndoPreviewTest::play);
    }

    private static void play(Random random) {
        // given
        StoreFixture fixture = new StoreFixture();
        RetentionPolicy.Builder policy = RetentionPolicy.of(Scope.ALL);
        if (random.nextBoolean()) {
            policy.maxAge(Limit.of(1L + random.nextInt(4000)));
        }
        if (random.nextInt(6) == 0) {
            policy.maxCount(Limit.of(1L + random.nextInt(8)));
        }
        policy.set(PolicyField.ANCHOR, Anchor.values()[random.nextInt(Anchor.values().length)]);
        fixture.policies(policy.build());
        UndoPreview preview = new UndoPreview(fixture.policies(), fixture.nowMs);
        UndoForecast forecast = new UndoForecast(NAME, fixture.policies(), fixture.nowMs);
        boolean hasExecutions = random.nextBoolean();

        // when
        int all = 1 + random.nextInt(3);
        for (int i = 0; i < all; i++) {
            long execution = hasExecutions ? random.nextInt(2) : 0;
            StoredEvent stored = stored(fixture, "e" + i, execution, random.nextInt(5000));
            see(preview, stored);
            forecast.add(
                    EventHeader.of(stored, stored.sizeBytes()),
                    execution(execution, fixture.nowMs - random.nextInt(5000)));
        }

        // then
        boolean isDue = forecast.due(fixture.store.stream(NAME)) > 0;
        assertThat(preview.isEnough() && isDue).isFalse();
        if (!hasExecutions && policy.build().get(PolicyField.MAX_COUNT) == null) {
            assertThat(preview.isEnough()).isEqualTo(!isDue);
        }
    }

    @Test
    void shouldKnowTheMillisecondAtWhichAnEventIsDue() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(100)).build());

        // then
        assertThat(isEnough(stored(fixture, "below", 0, 99))).isTrue();
        assertThat(isEnough(stored(fixture, "at", 0, 100))).isTrue();
        assertThat(isEnough(stored(fixture, "above", 0, 101))).isFalse();
    }

    /** Another set of terminal statuses may protect it no longer. */
    @Test
    void shouldNotRelyOnAFormerProtection() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(100)).build());
        EventBuilder built = event(STREAM, "e").status("running").occurredAt(fixture.nowMs - 101);
        StoredEvent event = new StoredEvent(built.build(), fixture.nowMs - 101, 1, true);

        // then
        assertThat(isEnough(event)).isFalse();
    }

    @Test
    void shouldLeaveWhatCannotBeReadToTheCount() {
        // given
        UndoPreview preview = new UndoPreview(fixture.policies(), fixture.nowMs);

        // when
        preview.see(NAME, new byte[] {99, 99});

        // then
        assertThat(preview.isEnough()).isFalse();
    }

    @Test
    void shouldCountAllThatItHasSeen() {
        // given
        UndoPreview preview = new UndoPreview(fixture.policies(), fixture.nowMs);
        UndoTally tally = new UndoTally(UndoOutcome.NOTHING);

        // when
        see(preview, stored(fixture, "a", 0, 1));
        see(preview, stored(fixture, "b", 0, 1));
        preview.count(tally);

        // then
        assertThat(tally.outcome().events()).isEqualTo(2);
        assertThat(tally.outcome().streams()).isEqualTo(1);
    }

    private boolean isEnough(StoredEvent event) {
        UndoPreview preview = new UndoPreview(fixture.policies(), fixture.nowMs);
        see(preview, event);
        return preview.isEnough();
    }

    private static void see(UndoPreview preview, StoredEvent event) {
        preview.see(NAME, StoredEventCodec.encode(event, event.sizeBytes()));
    }

    private static StoredEvent stored(StoreFixture fixture, String id, long execution, long agoMs) {
        EventBuilder built = event(STREAM, id)
                .occurredAt(fixture.nowMs - agoMs)
                .completedAt(fixture.nowMs - agoMs)
                .execution(execution);
        return new StoredEvent(built.build(), fixture.nowMs - agoMs, 1, false);
    }

    private static Execution execution(long number, long completedAtMs) {
        return number == 0 ? Execution.undeclared(0) : new Execution(number, "completed", true, null, completedAtMs);
    }
}
