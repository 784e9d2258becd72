package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.serde.records.SettingsJson;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.ErrandBodies.Configured;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A setting that decides deletes is a change like a policy: braked, in the trash, and the same on all instances. */
@Tag("T-13")
class SettingNeverDeletesUnseenTest {

    private static final long DAY_MS = Duration.ofDays(1).toMillis();
    private static final RetentionSettings FORMER = new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE).settings();
    private static final BrakeLimits LIMITS = new BrakeLimits(20, 10, 0);

    private TopologyFixture fixture = with(LIMITS);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldHoldBackAShorterAgeAndActByTheFormerOne() {
        // given
        store(100);

        // when
        fixture.restart(maxAge(5000));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.policies().settings()).isEqualTo(FORMER);
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::key, WaitingPolicy::actor, WaitingPolicy::finding)
                .containsExactly(tuple(PolicyKey.SETTINGS, "configuration", new BrakeFinding(21, true, 100)));

        // when
        confirm();
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.trash).hasSizeGreaterThanOrEqualTo(100);
        assertThat(fixture.policyChanges)
                .extracting(AuditRecord::action, AuditRecord::scope)
                .containsExactly(tuple("POLICY_SET", "settings"), tuple("CONFIRMED", "settings"));
    }

    @Test
    void shouldHoldBackTheEndOfWarning() {
        // given an application that deletes nothing without a policy
        fixture.close();
        fixture = TopologyFixture.inMemory(new SettingsLike(settings(LIMITS))
                .builtIn(new BuiltInPolicies(Limit.of(5000), PolicyMode.WARN))
                .make());
        store(100);
        settle();
        assertThat(fixture.stored()).hasSize(100);

        // when
        fixture.restart(maxAge(5000));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::key).containsExactly(PolicyKey.SETTINGS);
    }

    @Test
    void shouldKeepInTheTrashWhatASettingDeletesWithoutABrake() {
        // given
        fixture.close();
        fixture = with(BrakeLimits.OFF);
        store(3);

        // when
        fixture.restart(maxAge(5000));
        settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.trash).hasSize(3);
    }

    @Test
    void shouldTakeTheSettingsOfTheFirstStartAtOnce() {
        // given
        fixture.close();
        fixture = TopologyFixture.firstStart(maxAge(5000));
        fixture.settleFor(2);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);

        // when
        store(100);
        settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.trash).isEmpty();
    }

    @Test
    void shouldSendTheSettingsInForceAgainIfTheTopicHasLostThem() {
        // given
        fixture.close();
        fixture = TopologyFixture.firstStart(maxAge(5000));
        settle();

        // when
        fixture.restartWithoutAcceptedSettings();
        settle();

        // then
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.IDLE);
        assertThat(fixture.policies().settings().maxAge()).isEqualTo(Limit.of(5000));
    }

    @Test
    void shouldTakeSettingsThatDeleteNothingMoreWithoutAConfirmation() {
        // given
        store(100);

        // when
        fixture.restart(maxAge(400 * DAY_MS));
        settle();

        // then
        assertThat(fixture.policies().settings().maxAge()).isEqualTo(Limit.of(400 * DAY_MS));
    }

    @Test
    void shouldCountOnlyStreamsThatThePoliciesLeaveToTheSettings() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .set(PolicyField.MAX_AGE, Limit.of(30 * DAY_MS))
                .build());
        store(100);

        // when
        fixture.restart(maxAge(5000));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.policies().settings().maxAge()).isEqualTo(Limit.of(5000));
        assertThat(fixture.stored()).hasSize(100);
    }

    @Test
    void shouldWithdrawTheChangeWhenTheConfigurationComesBack() {
        // given
        store(100);
        fixture.restart(maxAge(5000));
        settle();
        assertThat(fixture.view().waiting()).hasSize(1);

        // when
        fixture.restart(settings(LIMITS));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).hasSize(100);
    }

    @Test
    void shouldLetTheOlderSettingsActUntilAllInstancesAgree() {
        // given one of two partitions on an instance with new settings, beside the gate
        TopologySettings shorter = maxAge(5000);
        settle();
        fixture.restartAmong(2, shorter);
        settle();
        reportFor(70, FORMER);
        assertThat(fixture.policies().settings()).isEqualTo(FORMER);
        assertThat(fixture.view().waiting()).isEmpty();

        // when
        reportFor(70, shorter.configured());

        // then
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::key).containsExactly(PolicyKey.SETTINGS);
    }

    /** While an instance with the former settings restarts, the others have its partitions, and agree. */
    @Test
    void shouldNotTakeAMomentaryAgreementForOne() {
        // given
        TopologySettings shorter = maxAge(5000);
        settle();
        fixture.restartAmong(2, shorter);

        // when
        reportFor(50, shorter.configured());
        reportFor(10, FORMER);
        reportFor(50, shorter.configured());

        // then
        assertThat(fixture.policies().settings()).isEqualTo(FORMER);
        assertThat(fixture.view().waiting()).isEmpty();

        // when
        reportFor(20, shorter.configured());

        // then
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::key).containsExactly(PolicyKey.SETTINGS);
    }

    /** A jump that leaves the last reports as good as new is no time in which anybody has agreed. */
    @Test
    @Tag("T-14")
    void shouldNotTakeAJumpOfTheClockForAnAgreement() {
        // given
        TopologySettings shorter = maxAge(5000);
        settle();
        fixture.restartAmong(2, shorter);
        reportFor(40, shorter.configured());
        report(1, shorter.configured());
        fixture.settleFor(5);

        // when
        fixture.advance(19_000);
        fixture.settleFor(2);

        // then
        assertThat(fixture.policies().settings()).isEqualTo(FORMER);
        assertThat(fixture.view().waiting()).isEmpty();

        // when
        reportFor(20, shorter.configured());

        // then
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::key).containsExactly(PolicyKey.SETTINGS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"maxAge\":\"30d\",\"mode\":\"ask\",\"terminalStatuses\":\"done\"}", "no JSON"})
    void shouldDeleteAndAcceptNothingUnderSettingsThatCannotBeRead(String ofAnother) {
        // given settings of another version under which events stay, on an instance that would delete them
        fixture.policy(RetentionPolicy.of(Scope.namespace("kept"))
                .set(PolicyField.MAX_AGE, Limit.of(30 * DAY_MS))
                .build());
        store(100);
        settle();
        TopologySettings former = fixture.settings();

        // when
        fixture.restartUnder(ofAnother.getBytes(StandardCharsets.UTF_8), maxAge(5000));
        settle();
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .set(PolicyField.MAX_AGE, Limit.of(1000))
                .build());
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.status().sweepState()).isEqualTo(SweepState.POLICY_UNREADABLE);
        assertThat(fixture.view().unreadable())
                .contains("settings in force", "start the version of Ebb that wrote them");
        assertThat(fixture.policies().contains(PolicyKey.of(Scope.namespace("orders"))))
                .isFalse();

        // when the version that knows these settings is back
        fixture.restartUnder(former);
        settle();

        // then
        assertThat(fixture.view().unreadable()).isNull();
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::key)
                .containsExactly(PolicyKey.of(Scope.namespace("orders")));
    }

    @Test
    void shouldForgetInTimeWhichSettingsAPartitionHad() {
        // given a report of an instance that may be gone since
        TopologySettings shorter = maxAge(5000);
        settle();
        fixture.restartAmong(2, shorter);
        report(1, shorter.configured());

        // when
        fixture.advance(60_000);
        settle();

        // then
        assertThat(fixture.policies().settings()).isEqualTo(FORMER);
        assertThat(fixture.view().waiting()).isEmpty();
    }

    @Test
    void shouldRefuseSettingsThatNoInstanceIsConfiguredWith() {
        // given
        store(3);
        settle();

        // when
        RetentionSettings foreign = new RetentionSettings(Limit.of(5000), PolicyMode.ENFORCE, TerminalStatuses.DEFAULT);
        fixture.policy("settings", SettingsJson.write(foreign), new RecordHeaders());
        fixture.policy("settings", null, new RecordHeaders());
        settle();

        // then
        assertThat(fixture.rejected).hasSize(2);
        assertThat(fixture.stored()).hasSize(3);
    }

    /** Reports the settings of the second partition as often as it would. */
    private void reportFor(int seconds, RetentionSettings configured) {
        for (int i = 0; i < seconds; i += 10) {
            report(1, configured);
            fixture.settleFor(10);
        }
    }

    private void report(int partition, RetentionSettings configured) {
        String body = JsonState.write(new Configured(configured.toString()));
        Errand errand = new Errand("settings-" + partition, Errand.Step.CONFIGURED, partition, body);
        fixture.pipe(
                TopologyFixture.TOPICS.assessments(),
                "settings".getBytes(StandardCharsets.UTF_8),
                fixture.records.errand(errand),
                new RecordHeaders(),
                fixture.nowMs());
    }

    private void confirm() {
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.ACTOR, "anna");
        EbbHeaders.set(
                headers,
                EbbHeaders.CONFIRM_VERSION,
                fixture.view().waiting().get(0).version());
        fixture.policy(EbbHeaders.CONFIRM + "settings", null, headers);
    }

    private void store(int events) {
        for (int i = 0; i < events; i++) {
            fixture.event(event("orders/" + i % 3, "e" + i).occurredAt(fixture.nowMs() - 10_000));
        }
        fixture.advance(10_000);
    }

    /** Longer than all instances must agree. */
    private void settle() {
        fixture.settleFor(70);
        fixture.settle();
    }

    private TopologySettings maxAge(long ms) {
        return new SettingsLike(fixture.settings())
                .builtIn(new BuiltInPolicies(Limit.of(ms)))
                .make();
    }

    private static TopologySettings settings(BrakeLimits limits) {
        TopologySettings settings = TopologyFixture.settings(OptionalLong.of(1000), 10_000);
        return new SettingsLike(settings).brakeLimits(limits).make();
    }

    private static TopologyFixture with(BrakeLimits limits) {
        return TopologyFixture.inMemory(settings(limits));
    }
}
