package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.topology.wire.EbbHeaders;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of policies that were planned: the gate lets none come into force over others than those of its plan. */
@Tag("T-6")
@Tag("T-7")
class PlannedFileGateTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldRefuseTheSecondOfTwoAuthorsWhoPlannedAtOnce() {
        // given two plans under one version
        fixture.policy(policy("a", 100));
        PolicyEdition base = fixture.policies().edition();

        // when both send their files
        file("f-1", base, policy("a", 10), policy("b", 10));
        file("f-2", base, policy("b", 20), policy("c", 20));

        // then nothing of the second is in force, and it is said why
        assertThat(fixture.policies().policies().values())
                .extracting(VersionedPolicy::policy)
                .containsExactlyInAnyOrder(policy("a", 10), policy("b", 10));
        assertThat(fixture.observer.rejected)
                .containsOnly(RejectReason.BAD_POLICY)
                .hasSize(2);
        assertThat(fixture.whyRejected()).contains("version " + base.version(), "make a new plan");

        // when it is planned anew
        file("f-3", fixture.policies().edition(), policy("b", 20), policy("c", 20));

        // then
        assertThat(fixture.policies().policies()).hasSize(3);
    }

    @Test
    void shouldKnowBehindARestartWhatCameIntoForce() {
        // given
        PolicyEdition base = fixture.policies().edition();
        fixture.policy(policy("a", 100));
        fixture.restart();

        // when
        file("f-1", base, policy("b", 10));

        // then
        assertThat(fixture.policies().policies()).hasSize(1);
        assertThat(fixture.whyRejected()).contains("make a new plan");
    }

    @Test
    void shouldTakeAFileWhosePlanIsOfTheNewestVersionAndAnyWithoutAPlan() {
        fixture.policy(policy("a", 100));

        file("f-1", fixture.policies().edition(), policy("a", 50));
        fixture.policyOfFile(policy("b", 10), "f-2", 1);

        assertThat(fixture.policies().policies()).hasSize(2);
        assertThat(fixture.observer.rejected).isEmpty();
    }

    /** As a file without a plan, it would come into force over whatever there is. */
    @ParameterizedTest
    @CsvSource({
        EbbHeaders.APPLY_BASE + ", 1O",
        EbbHeaders.APPLY_BASE + ", ''",
        EbbHeaders.APPLY_BASE + ", -2",
        EbbHeaders.LATE_CHANGES + ", none",
        EbbHeaders.LATE_CHANGES + ", -1"
    })
    void shouldRefuseAFileWhosePlanCannotBeRead(String header, String garbled) {
        // given
        Headers headers = TopologyFixture.ofFile("f-1", 1);
        EbbHeaders.setBase(headers, fixture.policies().edition());
        EbbHeaders.set(headers, header, garbled);

        // when
        fixture.policy("namespace:a", fixture.records.bytes(policy("a", 10)), headers);

        // then
        assertThat(fixture.policies().policies()).isEmpty();
        assertThat(fixture.whyRejected()).contains("the header " + header + " must be a number", "'" + garbled + "'");
    }

    /** Without their number, the first record would be the whole file. */
    @ParameterizedTest
    @ValueSource(strings = {"two", "0", "99999999999999999999"})
    void shouldPutNoPartOfAFileIntoForceWhoseNumberCannotBeRead(String garbled) {
        // given
        Headers headers = TopologyFixture.ofFile("f-1", 2);
        EbbHeaders.set(headers, EbbHeaders.APPLY_COUNT, garbled);

        // when
        fixture.policyOfFile(policy("a", 10), "f-1", 2);
        fixture.policy("namespace:b", fixture.records.bytes(policy("b", 10)), headers);

        // then
        assertThat(fixture.policies().policies()).isEmpty();
        assertThat(fixture.rejected).hasSize(2);
        assertThat(fixture.whyRejected())
                .contains("the header ebb-apply-count must be a number, at least 1: '" + garbled + "'");
    }

    private void file(String applyId, PolicyEdition base, RetentionPolicy... policies) {
        for (RetentionPolicy policy : policies) {
            Headers headers = TopologyFixture.ofFile(applyId, policies.length);
            EbbHeaders.setBase(headers, base);
            fixture.policy(policy.scope().toString(), fixture.records.bytes(policy), headers);
        }
    }

    private static RetentionPolicy policy(String namespace, long maxAgeMs) {
        return RetentionPolicy.of(Scope.namespace(namespace))
                .maxAge(Limit.of(maxAgeMs))
                .build();
    }
}
