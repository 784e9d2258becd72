package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Part;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events that a file of policies would delete, found out before it is applied. */
@Tag("O-14")
class PolicyPlanTest {

    private static final String FILE = """
            policies:
              - scope: namespace:a
                maxCount: 2
              - scope: stream:b/1
                anchor: occurred
                maxAge: 1h
            holds:
              - case: LIT-1
                covers: stream:a/held
                reason: litigation
            """;

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1000), 10_000));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldPlanWhatTheNextSweepDeletes() {
        // given
        long oldMs = fixture.nowMs() - 7_200_000;
        for (String id : new String[] {"1", "2", "3", "4"}) {
            fixture.event(event("a/1", id));
            fixture.event(event("a/held", id));
        }
        fixture.event(event("b/1", "old").occurredAt(oldMs));
        fixture.event(event("b/1", "new"));
        fixture.settleFor(3);

        // when
        CommandResult plan = fixture.carryOut(dryRun("p-1", new Command.SweepNow(Scope.ALL, null, FILE, false)));

        // then
        assertThat(Outcomes.swept(plan).parts().biggest())
                .extracting(Part::stream, Part::cause, Part::events)
                .containsExactlyInAnyOrder(
                        tuple("a/1", RemovalCause.MAX_COUNT, 2L), tuple("b/1", RemovalCause.MAX_AGE, 1L));
        assertThat(fixture.stored()).hasSize(10);
        assertThat(fixture.audits).isEmpty();
    }

    @Test
    void shouldPlanWithoutThePoliciesThatAreLeftOut() {
        // given
        fixture.policy(
                RetentionPolicy.of(Scope.namespace("a")).maxAge(Limit.NONE).build());
        fixture.event(event("a/1", "1"));
        fixture.settleFor(3);
        long later = fixture.nowMs() + 40L * 86_400_000;

        // when
        CommandResult kept =
                fixture.carryOut(dryRun("p-1", new Command.SweepNow(Scope.ALL, later, "policies: []", false)));
        CommandResult pruned =
                fixture.carryOut(dryRun("p-2", new Command.SweepNow(Scope.ALL, later, "policies: []", true)));

        // then
        assertThat(kept.outcome().deletions().eventsDeleted()).isZero();
        assertThat(pruned.outcome().deletions().eventsDeleted()).isEqualTo(1);
    }
}
