package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.undo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.EventBuilder;
import dev.ebb.store.StoreCheck;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of two lives of a name that a later change of the anchor moves to one time. */
@Tag("A-7")
@Tag("T-2")
class MoveAfterUndoLosesNothingTest {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final String STREAM = "orders/1";

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"STORED, OCCURRED", "STORED, COMPLETED", "COMPLETED, OCCURRED", "OCCURRED, COMPLETED"})
    void shouldLoseNothingInAMoveAfterAnUndo(Anchor before, Anchor after) {
        // given events of two lives that have different places at first
        fixture.policy(anchored(before));
        sendThree("old", before, 0);
        fixture.carryOut(request("c-1", deleteForced(STREAM)));
        fixture.advance(HOUR_MS);
        sendThree("new", before, 1);
        fixture.carryOut(request("u-1", undo("c-1")));
        assertThat(fixture.ids(STREAM)).hasSize(6);

        // when all of them move to one time
        fixture.policy(anchored(after));
        fixture.settle();

        // then they stand in the order in which they were stored
        assertThat(fixture.ids(STREAM)).containsExactly("old0", "old1", "old2", "new0", "new1", "new2");
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();

        // when they move back
        fixture.policy(anchored(before));
        fixture.settle();

        // then
        assertThat(fixture.ids(STREAM)).hasSize(6);
        assertThat(StoreCheck.problems(
                        fixture.rawEvents().all(), fixture.rawUsage().all()))
                .isEmpty();
    }

    /** The lives differ in the time that is the anchor at first, and share all others. */
    private void sendThree(String prefix, Anchor before, int life) {
        for (int i = 0; i < 3; i++) {
            EventBuilder event = event(STREAM, prefix + i).occurredAt(TopologyFixture.T0 - HOUR_MS);
            event.completedAt(TopologyFixture.T0 - HOUR_MS);
            if (before == Anchor.OCCURRED) {
                event.occurredAt(TopologyFixture.T0 + life);
            } else if (before == Anchor.COMPLETED) {
                event.completedAt(TopologyFixture.T0 + life);
            }
            fixture.event(event);
        }
    }

    private static RetentionPolicy anchored(Anchor anchor) {
        return RetentionPolicy.of(Scope.ALL).set(PolicyField.ANCHOR, anchor).build();
    }
}
