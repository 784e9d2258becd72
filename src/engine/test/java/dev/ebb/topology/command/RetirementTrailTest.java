package dev.ebb.topology.command;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static dev.ebb.topology.work.WorkFixture.budget;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.RetirementTrail;
import dev.ebb.topology.work.WorkFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rest of deleted streams: each event goes with its audit entry and its row. */
@Tag("O-10")
class RetirementTrailTest {

    private final WorkFixture fixture = new WorkFixture();
    private final RetirementTrail trail = new RetirementTrail(fixture.context);

    @Test
    @Tag("O-2")
    void shouldSayWhetherAnythingIsLeft() {
        // given
        for (int i = 0; i < 3; i++) {
            fixture.state.event(event("s", "e" + i));
        }
        fixture.state.retire("s");

        // when
        boolean isFirstDone = trail.slice(T0, budget(1));
        boolean isLastDone = trail.slice(T0, budget());

        // then
        assertThat(isFirstDone).isFalse();
        assertThat(isLastDone).isTrue();
        assertThat(fixture.rows()).isEqualTo(3);
    }

    /** Nothing of it can be archived; it goes all the same, and is explained as each other one. */
    @Test
    @Tag("I-5")
    void shouldExplainTheRemovalOfADamagedEvent() {
        // given
        fixture.state.policies(
                RetentionPolicy.of(Scope.ALL).set(PolicyField.ARCHIVE, true).build());
        fixture.state.event(event("s", "e"));
        fixture.damageEventsOf("s");
        fixture.state.retire("s");

        // when
        trail.slice(T0, budget());

        // then
        assertThat(fixture.audits()).extracting(AuditRecord::stream).hasSize(1);
        assertThat(fixture.rows()).isEqualTo(1);
        assertThat(fixture.archived()).isZero();
    }
}
