package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.wire.EbbHeaders;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds: coming into force, and ending. */
@Tag("M-18")
class HoldsGateTest {

    private static final StreamName STREAM = new StreamName("orders/1");

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldPutAHoldIntoForceAndEndItWithItsRelease() {
        // when
        place(hold("c-1", Scope.namespace("orders")));

        // then
        assertThat(fixture.policies().isHeld(STREAM)).isTrue();
        assertThat(fixture.policies().holdsOn(STREAM))
                .containsExactly(new Hold("c-1", Scope.namespace("orders"), "litigation", "eva", TopologyFixture.T0));
        fixture.restart();
        assertThat(fixture.policies().isHeld(STREAM)).isTrue();

        // when
        fixture.policy("hold:c-1", null, new RecordHeaders());

        // then
        assertThat(fixture.policies().isHeld(STREAM)).isFalse();
        fixture.restart();
        assertThat(fixture.policies().isHeld(STREAM)).isFalse();
    }

    @Test
    void shouldNotLetAHoldEndByCoveringSomethingElse() {
        // given
        place(hold("c-1", Scope.namespace("orders")));

        // when
        place(hold("c-1", Scope.stream("orders/2")));

        // then
        assertThat(fixture.policies().isHeld(STREAM)).isTrue();
        assertThat(fixture.rejected).singleElement().satisfies(record -> assertThat(
                        EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_DETAIL))
                .isEqualTo("covers: the case 'c-1' covers namespace:orders; release it first, or place another case"));
    }

    @Test
    @Tag("O-13")
    void shouldPutPoliciesAndHoldsOfAFileIntoForceTogether() {
        // when
        Headers headers = TopologyFixture.ofFile("file", 2);
        fixture.policy("hold:c-1", fixture.records.bytes(hold("c-1", Scope.ALL)), headers);

        // then
        assertThat(fixture.policies().holds()).isEmpty();

        // when
        fixture.policyOfFile(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build(), "file", 2);

        // then
        assertThat(fixture.policies().holds()).containsOnlyKeys("c-1");
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.ALL);
    }

    @Test
    @Tag("O-3")
    void shouldAuditHoldsAndWhoReleasedThem() {
        // when
        place(hold("c-1", Scope.ALL));
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, "anna");
        EbbHeaders.set(headers, EbbHeaders.REASON, "settled");
        fixture.policy("hold:c-1", null, headers);
        fixture.advance(1000);

        // then
        assertThat(fixture.policyChanges)
                .extracting(AuditRecord::action, AuditRecord::actor, AuditRecord::reason)
                .containsExactly(tuple("HOLD_PLACED", "eva", "litigation"), tuple("HOLD_RELEASED", "anna", "settled"));
        assertThat(fixture.policyRows).doesNotContainKey("hold:c-1");
    }

    private void place(Hold hold) {
        fixture.policy(hold.key().toString(), fixture.records.bytes(hold), new RecordHeaders());
    }

    private static Hold hold(String caseId, Scope covers) {
        return new Hold(caseId, covers, "litigation", "eva", 0);
    }
}
