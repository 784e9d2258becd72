package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.deleteForced;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.planned;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.pruneBulk;
import static dev.ebb.topology.CommandFixture.purge;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.plan.PlanOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans of purge, prune and delete, over several partitions. */
@Tag("T-6")
class PlanOfStreamsTest {

    private static final int PARTITIONS = 3;
    private static final StreamFilter ALL = new StreamFilter(null, null, null, 1000, true);
    private static final StreamFilter BARE = new StreamFilter(null, null, null, StreamFilter.DEFAULT_LIMIT, false);

    private final PartitionsFixture fixture = new PartitionsFixture(PARTITIONS);

    @Test
    void shouldPurgeThePlannedStreamsOfAllPartitions() {
        // given
        List<String> streams = fill(4);
        CommandResult dry = fixture.carryOut(dryRun("p-1", purge(ALL)));
        fixture.event(event("later/1", "e"));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", purge(BARE)));

        // then
        assertThat(plan(dry).events()).isEqualTo(3L * streams.size());
        assertThat(plan(real).exact()).isTrue();
        assertThat(real.outcome().deletions()).isEqualTo(dry.outcome().deletions());
        assertThat(fixture.streams()).containsExactly("later/1");
    }

    /** A stream goes as a whole, so one that has had another event stays as a whole. */
    @Test
    void shouldLeaveAStreamThatHasHadAnotherEvent() {
        // given
        List<String> streams = fill(2);
        fixture.carryOut(dryRun("p-1", purge(ALL)));
        fixture.event(event(streams.get(0), "late"));
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent(streams.get(1), "e0", false)));
        fixture.carryOut(request("c-1", CommandFixture.delete(streams.get(2))));
        fixture.event(event(streams.get(3), "e0").status("running"));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-2", purge(ALL)));

        // then
        assertThat(plan(real).leftOut())
                .isEqualTo(Map.of(LeftOut.CHANGED, 3L, LeftOut.GONE, 4L, LeftOut.PROTECTED, 3L));
        assertThat(plan(real).eventsDone()).isEqualTo(3L * streams.size() - 10);
        assertThat(fixture.streams()).containsExactlyInAnyOrder(streams.get(0), streams.get(3));
    }

    /** The same name, and as many events: the stream that the plan named is not this one. */
    @Test
    void shouldLeaveAStreamThatWasMadeAnew() {
        // given
        String stream = fill(1).get(0);
        fixture.carryOut(dryRun("p-1", CommandFixture.delete(stream)));
        fixture.carryOut(request("c-0", CommandFixture.delete(stream)));
        fixture.emptyOut();
        for (int i = 0; i < 3; i++) {
            fixture.event(event(stream, "e" + i));
        }

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", CommandFixture.delete(stream)));

        // then
        assertThat(real.outcome().deletions().eventsDeleted()).isZero();
        assertThat(fixture.has(stream)).isTrue();
    }

    @Test
    void shouldDeleteAnOpenStreamByAForcedPlan() {
        // given
        String stream = fixture.nameIn(1, "open/");
        fixture.event(event(stream, "a").status("running"));
        fixture.event(event(stream, "b"));
        CommandResult dry = fixture.carryOut(dryRun("p-1", deleteForced(stream)));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", CommandFixture.delete(stream)));

        // then
        assertThat(plan(dry).events()).isEqualTo(2);
        assertThat(plan(real).exact()).isTrue();
        assertThat(fixture.has(stream)).isFalse();
    }

    @Test
    void shouldPruneThePlannedExecutions() {
        // given
        String stream = fixture.nameIn(2, "turns/");
        for (long number = 1; number <= 4; number++) {
            fixture.execution(execution(stream, number, "completed"));
            for (int i = 0; i < 3; i++) {
                fixture.event(event(stream, number + "-" + i).execution(number));
            }
        }
        CommandResult dry = fixture.carryOut(dryRun("p-1", prune(stream, 2L, null)));
        fixture.event(event(stream, "late").execution(1));
        fixture.execution(execution(stream, 5, "completed"));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", prune(stream, null, null)));

        // then
        assertThat(plan(dry).events()).isEqualTo(6);
        assertThat(plan(real).exact()).isTrue();
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(6);
        assertThat(real.outcome().deletions().executionsDeleted())
                .as("execution 1 has a newcomer")
                .isEqualTo(1);
    }

    @Test
    void shouldPruneManyStreamsByPlan() {
        // given
        List<String> streams = fill(3);
        Command keepOne = pruneBulk(ALL, 1L, null);
        CommandResult dry = fixture.carryOut(dryRun("p-1", keepOne));
        streams.forEach(stream -> fixture.event(event(stream, "late")));

        // when
        CommandResult real = fixture.carryOut(planned("p-1", "c-1", keepOne));

        // then
        assertThat(plan(dry).events()).isEqualTo(2L * streams.size());
        assertThat(plan(real).exact()).isTrue();
        assertThat(real.outcome().deletions().eventsDeleted()).isEqualTo(2L * streams.size());
        assertThat(fixture.streams()).containsExactlyInAnyOrderElementsOf(streams);
    }

    /** Makes so many closed streams in each partition, of three events each. */
    private List<String> fill(int perPartition) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < perPartition; i++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                String stream = fixture.nameIn(partition, "s" + i + "/");
                names.add(stream);
                for (int id = 0; id < 3; id++) {
                    fixture.event(event(stream, "e" + id));
                }
            }
        }
        fixture.tick();
        return names;
    }

    private static PlanOutcome plan(CommandResult result) {
        assertThat(result.state()).as(result.detail()).isEqualTo(State.DONE);
        return Objects.requireNonNull(result.plan(), "no plan");
    }
}
