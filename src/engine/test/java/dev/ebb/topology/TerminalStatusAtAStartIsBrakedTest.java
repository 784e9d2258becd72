package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A status that ends the protection of events at a start waits for a person if it frees much (T-13). */
@Tag("T-13")
@Tag("M-3")
class TerminalStatusAtAStartIsBrakedTest {

    private static final TerminalStatuses PENDING_TOO =
            new TerminalStatuses(List.of("completed", "failed", "cancelled", "read", "pending"));

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 10_000))
                    .brakeLimits(new BrakeLimits(20, 10, 0))
                    .make());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldHoldBackAStatusThatEndsProtection() {
        // given protected events under a policy that has long deleted others
        provenPolicy();
        store(50, "pending");
        settle();
        assertThat(fixture.stored()).hasSize(50);

        // when
        fixture.restart(with(PENDING_TOO));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(50).allMatch(StoredEvent::isProtected);
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::key).containsExactly(PolicyKey.SETTINGS);
        assertThat(finding().wouldDelete()).isGreaterThan(10);
        assertThat(finding().stored()).isEqualTo(50);

        // when events come in the meantime
        fixture.event(event("jobs/1", "late").status("pending").occurredAt(fixture.nowMs() - 10_000));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(51).allMatch(StoredEvent::isProtected);
    }

    @Test
    void shouldKeepInTheTrashWhatAConfirmedStatusDeletes() {
        // given
        provenPolicy();
        int before = fixture.trash.size();
        store(50, "pending");
        fixture.event(event("ttl/1", "own").status("pending").ttlSeconds(1));
        fixture.restart(with(PENDING_TOO));
        settle();

        // when
        Headers headers = new RecordHeaders();
        EbbHeaders.set(
                headers,
                EbbHeaders.CONFIRM_VERSION,
                fixture.view().waiting().get(0).version());
        fixture.policy(EbbHeaders.CONFIRM + "settings", null, headers);
        settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.trash.size() - before).isEqualTo(51);
    }

    @Test
    void shouldCountTheEventsOfAnOpenExecutionWhoseStatusEnds() {
        // given
        fixture.execution(new ExecutionUpdate(new StreamName("runs/1"), 1, "pending", null, null, null));
        for (int i = 0; i < 30; i++) {
            fixture.event(event("runs/1", "e" + i).execution(1));
        }
        settle();

        // when
        fixture.restart(with(PENDING_TOO));
        settle();

        // then
        assertThat(finding()).isEqualTo(new BrakeFinding(11, true, 30));
    }

    @Test
    void shouldBringAStatusThatFreesLittleIntoForceWithoutARestart() {
        // given
        store(5, "pending");

        // when
        fixture.restart(with(PENDING_TOO));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).hasSize(5).noneMatch(StoredEvent::isProtected);
    }

    @Test
    void shouldProtectAtOnceByFewerStatuses() {
        // given
        store(50, "read");

        // when
        fixture.restart(with(new TerminalStatuses(List.of("completed"))));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).hasSize(50).allMatch(StoredEvent::isProtected);
    }

    private void provenPolicy() {
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .anchor(Anchor.OCCURRED)
                .build());
        store(3, "completed");
        settle();
        fixture.advance(3 * 86_400_000L);
        settle();
        assertThat(fixture.stored()).isEmpty();
    }

    private BrakeFinding finding() {
        return fixture.view().waiting().get(0).finding();
    }

    private void store(int events, String status) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("jobs/" + i % 3, "e" + i).status(status).occurredAt(fixture.nowMs() - 10_000));
        }
    }

    /** Longer than all instances must agree. */
    private void settle() {
        fixture.settleFor(70);
        fixture.settle();
    }

    private TopologySettings with(TerminalStatuses statuses) {
        return new SettingsLike(fixture.settings()).terminalStatuses(statuses).make();
    }
}
