package dev.ebb.store.pass;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State of a prune, and the part of it that outlives a restart. */
@Tag("O-9")
class PruningTest {

    private static final PruneCondition CONDITION = new PruneCondition(2L, null);

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @CsvSource({"-1, true", "0, false", "1, false"})
    void shouldTakeNoEventThatCameAfterItsBeginning(long later, boolean isTaken) {
        // given
        for (int i = 0; i < 5; i++) {
            fixture.event(event("s", "e" + i));
        }
        EventHeader third = header("e2");

        // when
        Pruning pruning = new Pruning(1, CONDITION, false, third.seq() - later, Pruning.NO_EXECUTIONS, 5);

        // then
        assertThat(pruning.takes(third)).isEqualTo(isTaken);
    }

    @Test
    void shouldCountAnExecutionIfItHasANumberOrSomebodyHasDeclaredIt() {
        // given
        fixture.event(event("s", "e0"));
        fixture.event(event("s", "e1").execution(1));
        Segment root = stream().root();
        Segment first = Objects.requireNonNull(stream().segment(1));
        Pruning pruning = ofExecutions();

        // when
        pruning.countExecution(root, 1, 10);

        // then
        assertThat(pruning.counts().executionsDeleted()).isZero();

        // when
        pruning.countExecution(first, 1, 10);
        fixture.execution("s", 0, "completed");
        pruning.countExecution(root, 1, 10);

        // then
        assertThat(pruning.counts().executionsDeleted()).isEqualTo(2);
        assertThat(pruning.counts().eventsDeleted()).isEqualTo(3);
    }

    @Test
    void shouldHaveFoundSomethingWithAnEventOrAnExecution() {
        // given
        fixture.event(event("s", "e0"));
        fixture.execution("s", 1, "completed");

        // then
        assertThat(ofExecutions().hasFoundNothing()).isTrue();

        // when
        Pruning events = ofEvents(2);
        events.countEvent(header("e0"));
        Pruning executions = ofExecutions();
        executions.countExecution(Objects.requireNonNull(stream().segment(1)), 0, 0);

        // then
        assertThat(events.hasFoundNothing()).isFalse();
        assertThat(executions.hasFoundNothing()).isFalse();
    }

    /** Counts made on the way are made again, since the way begins anew. */
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0", "2, 0"})
    @Tag("I-7")
    void shouldRememberACountOverARestartOnceItIsComplete(long left, long counted) {
        // given
        fixture.event(event("s", "e0"));
        Pruning pruning = ofEvents(3);
        pruning.countEvent(header("e0"));
        for (long spent = left; spent < 3; spent++) {
            pruning.spend();
        }

        // when
        Pruning resumed = Pruning.decode(pruning.encode());

        // then
        assertThat(resumed.counts().eventsDeleted()).isEqualTo(counted);
        assertThat(resumed.counts().bytesDeleted())
                .isEqualTo(counted * header("e0").sizeBytes());
        assertThat(resumed.left()).isEqualTo(left == 0 ? 0 : 3);
    }

    @Test
    @Tag("I-7")
    void shouldRememberOverARestartWhetherItOnlyCounts() {
        assertThat(Pruning.decode(ofEvents(1).encode()).isDryRun()).isTrue();
        assertThat(Pruning.decode(ofExecutions().encode()).isDryRun()).isFalse();
    }

    @Test
    void shouldLeaveAStreamWhoseNameSomebodyElseUses() {
        // given
        fixture.event(event("s", "e0"));
        StreamState former = stream();
        Pruning pruning = ofEvents(1);
        pruning.passThrough(former);
        fixture.retire("s");
        fixture.event(event("s", "e0"));

        // when
        pruning.passThrough(stream());

        // then
        assertThat(former.isPassedThrough()).isFalse();
        assertThat(stream().isPassedThrough()).isTrue();
    }

    private static Pruning ofEvents(long most) {
        return new Pruning(1, CONDITION, true, 10, Pruning.NO_EXECUTIONS, most);
    }

    private static Pruning ofExecutions() {
        return new Pruning(1, CONDITION, false, 10, 5, Pruning.ALL);
    }

    private EventHeader header(String id) {
        return EventHeader.of(fixture.find("s", id), fixture.find("s", id).sizeBytes());
    }

    private StreamState stream() {
        return Objects.requireNonNull(fixture.store.stream(new StreamName("s")));
    }
}
