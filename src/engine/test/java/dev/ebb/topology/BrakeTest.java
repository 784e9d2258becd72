package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.topology.gate.Assessments;
import dev.ebb.topology.gate.BrakeBatch;
import dev.ebb.topology.gate.GateRecord;
import dev.ebb.topology.gate.HeldBack;
import dev.ebb.topology.gate.Questions;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of policies that would delete much waits for a confirmation, from the gate to the partitions and back. */
@Tag("O-8")
class BrakeTest {

    private static final RetentionPolicy SHORT = maxAge(Scope.ALL, 5000);

    private TopologyFixture fixture = withLimits(20, 10);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("BrakeHoldsBackAMassDelete")
    void shouldHoldBackAMassDelete() {
        // given
        store(100, 10_000);

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.policies().policies()).isEmpty();
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::key, WaitingPolicy::finding)
                .containsExactly(tuple(PolicyKey.of(Scope.ALL), new BrakeFinding(21, true, 100)));

        // when
        confirm("*", fixture.view().waiting().get(0).version());
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).isEmpty();
    }

    /** What an undo has brought back stands under a notice, which ends: the change deletes it all the same. */
    @Test
    @Tag("T-3")
    void shouldCountWhatStandsUnderNotice() {
        // given
        store(100, 10_000);
        fixture.carryOut(CommandFixture.request("c-1", CommandFixture.purge(CommandFixture.all(10))));
        fixture.emptyOut();
        UndoFilter filter = new UndoFilter("c-1", null, null, null, null, null, null, null);
        fixture.carryOut(CommandFixture.request("u-1", new Command.UndoDeletes(filter, null)));
        assertThat(fixture.stored()).hasSize(100);

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"19,10,false", "20,10,false", "21,10,true", "29,30,false", "30,30,false", "31,30,true"})
    void shouldHoldBackWhatIsMoreThanTheShareAndTheMinimum(int due, int minimum, boolean isHeldBack) {
        // given
        fixture.close();
        fixture = withLimits(20, minimum);
        store(due, 10_000);
        store(100 - due, 0);

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(!fixture.view().waiting().isEmpty()).isEqualTo(isHeldBack);
        assertThat(fixture.stored()).hasSize(isHeldBack ? 100 : 100 - due);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("I-3")
    void shouldCountADamagedStreamAsStoredAndAllOthers(boolean isQuarantined) {
        // given a stream with a damaged event, quarantined already or not
        fixture.policy(maxAge(Scope.ALL, 1_000_000));
        fixture.event(event("damaged/1", "d").occurredAt(fixture.nowMs() - 10_000));
        store(100, 10_000);
        Damage.cut(fixture, Damage.first(fixture, 1));
        if (isQuarantined) {
            quarantineBy(maxAge(Scope.stream("damaged/1"), 5000));
        }

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.status().quarantined()).containsOnlyKeys("damaged/1");
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::finding)
                .containsExactly(new BrakeFinding(21, true, 101));
    }

    /** Its repair ends the quarantine, and what the change makes due goes then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("I-3")
    void shouldCountAllOfADamagedStream(boolean isQuarantined) {
        // given a stream with a damaged event, quarantined already or not
        fixture.policy(maxAge(Scope.ALL, 1_000_000));
        for (int i = 0; i < 30; i++) {
            fixture.event(event("damaged/1", "d" + i).occurredAt(fixture.nowMs() - 10_000));
        }
        Damage.cut(fixture, Damage.first(fixture, 1));
        if (isQuarantined) {
            quarantineBy(maxAge(Scope.stream("damaged/1"), 5000));
        }

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.status().quarantined()).containsOnlyKeys("damaged/1");
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::finding)
                .containsExactly(new BrakeFinding(11, true, 30));
    }

    /** Nothing speaks against counting a stream whose events can be read, whatever it was quarantined for. */
    @Test
    @Tag("I-3")
    void shouldCountAQuarantinedStreamExactlyIfItCanBeRead() {
        // given a quarantined stream in which few events are old, and whose damage is mended
        fixture.policy(byArrival(Scope.ALL, 1_000_000));
        for (int i = 0; i < 5; i++) {
            fixture.event(event("damaged/1", "old" + i));
        }
        fixture.advance(100_000);
        for (int i = 0; i < 30; i++) {
            fixture.event(event("damaged/1", "new" + i));
        }
        var damaged = Damage.first(fixture, 1);
        Damage.cut(fixture, damaged);
        quarantineBy(byArrival(Scope.stream("damaged/1"), 50_000));
        fixture.rawEvents().put(damaged.key, damaged.value);

        // when
        fixture.policy(byArrival(Scope.ALL, 50_000));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.policies().policies().get(Scope.ALL).policy()).isEqualTo(byArrival(Scope.ALL, 50_000));
    }

    @Test
    void shouldLetThroughAtOnceWhatKeepsMore() {
        // given
        store(100, 10_000);

        // when
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build());

        // then
        assertThat(fixture.policies().policies()).containsKey(Scope.ALL);
    }

    @Test
    void shouldLetThroughWhatItsAuthorHasConfirmed() {
        // given
        store(100, 10_000);

        // when
        fixture.policy(SHORT.toBuilder().confirmed(true).build());
        settle();

        // then
        assertThat(fixture.policies().policies()).containsKey(Scope.ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"removed", "disabled", "released"})
    void shouldHoldBackWhatEndsAProtection(String how) {
        // given nothing of a hundred events that are too old may go
        RetentionPolicy keep = maxAge(Scope.namespace("orders"), 100_000_000);
        if (how.equals("released")) {
            fixture.hold("c", Scope.namespace("orders"));
        } else {
            fixture.policy(keep);
        }
        store(100, 10_000);
        fixture.policy(SHORT);
        settle();
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).hasSize(100);

        // when
        switch (how) {
            case "removed" -> fixture.removePolicy(Scope.namespace("orders"));
            case "disabled" -> fixture.policy(keep.toBuilder().enabled(false).build());
            default -> fixture.release("c");
        }
        settle();

        // then
        assertThat(fixture.view().waiting())
                .extracting(WaitingPolicy::finding)
                .containsExactly(new BrakeFinding(21, true, 100));
        assertThat(fixture.stored()).hasSize(100);

        // when
        WaitingPolicy waiting = fixture.view().waiting().get(0);
        confirm(waiting.key().toString(), waiting.version());
        settle();

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    @Test
    @Tag("O-3")
    void shouldAuditWhoAskedAndWhoLetItThrough() {
        // given
        store(100, 10_000);
        fixture.policy(SHORT.toBuilder().updatedBy("otto").reason("too much").build());
        settle();
        assertThat(fixture.policyChanges).as("what waits is not in force").isEmpty();
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::actor).containsExactly("otto");

        // when
        Headers signed = new RecordHeaders();
        EbbHeaders.set(signed, EbbHeaders.ACTOR, "eva");
        EbbHeaders.set(signed, EbbHeaders.REASON, "they may go");
        confirm("*", fixture.view().waiting().get(0).version(), signed);
        settle();

        // then
        long version = fixture.policies().version();
        assertThat(fixture.policyChanges)
                .extracting(AuditRecord::action, AuditRecord::policyVersion, AuditRecord::actor, AuditRecord::reason)
                .containsExactly(
                        tuple("POLICY_SET", version, "otto", "too much"),
                        tuple("CONFIRMED", version, "eva", "they may go"));

        // when
        fixture.restart();
        settle();

        // then
        assertThat(fixture.policyChanges).as("nothing is said twice").hasSize(2);
    }

    /** Policy and confirmation go on in one accepted record: neither may leave the other no room. */
    @Test
    @Tag("O-20")
    void shouldKeepTheBeginningOfALongSignature() {
        // given
        store(100, 10_000);
        Headers asked = new RecordHeaders();
        EbbHeaders.set(asked, EbbHeaders.ACTOR, "o".repeat(900_000));
        fixture.policy("*", fixture.records.policy(SHORT), asked);
        settle();

        // when
        Headers signed = new RecordHeaders();
        EbbHeaders.set(signed, EbbHeaders.ACTOR, "e".repeat(500_000));
        EbbHeaders.set(signed, EbbHeaders.REASON, "r".repeat(500_000));
        confirm("*", fixture.view().waiting().get(0).version(), signed);
        settle();

        // then
        assertThat(fixture.policyChanges).extracting(AuditRecord::actor).allSatisfy(actor -> assertThat(actor)
                .hasSizeBetween(256, 300));
        assertThat(fixture.policyChanges).hasSize(2);
    }

    @Test
    @Tag("O-3")
    void shouldSpeakOfNoConfirmationWhereNobodyHadToConfirm() {
        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.policyChanges).extracting(AuditRecord::action).containsExactly("POLICY_SET");
    }

    @Test
    @Tag("O-13")
    void shouldPutABigFileIntoForceOnceItIsConfirmed() {
        // given
        store(100, 10_000);

        // when
        int count = 1000;
        fixture.policyOfFile(SHORT, "f", count);
        for (int i = 1; i < count; i++) {
            fixture.policyOfFile(maxAge(Scope.stream("orders/" + i), 1_000_000 + i), "f", count);
        }
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(count);
        assertThat(fixture.policies().policies()).isEmpty();

        // when
        confirm("*", fixture.view().waiting().get(0).version());

        // then
        assertThat(fixture.policies().policies()).hasSize(count);
        assertThat(fixture.view().waiting()).isEmpty();
    }

    @Test
    @Tag("O-13")
    void shouldTakeTheLaterOfTwoRecordsOfAFileForTheSameScope() {
        // when
        fixture.policyOfFile(maxAge(Scope.ALL, 1_000_000_000_000L), "f", 2);
        fixture.policyOfFile(maxAge(Scope.ALL, 2_000_000_000_000L), "f", 2);
        settle();

        // then
        assertThat(fixture.policies().policies().get(Scope.ALL).policy())
                .isEqualTo(maxAge(Scope.ALL, 2_000_000_000_000L));
    }

    @Test
    void shouldConfirmThatVeryVersionOnly() {
        // given
        store(100, 10_000);
        fixture.policy(SHORT);
        settle();
        long version = fixture.view().waiting().get(0).version();

        // when
        confirm("*", version + 1);
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(1);
        assertThat(fixture.rejected).singleElement().satisfies(record -> assertThat(
                        EbbHeaders.text(record.headers(), EbbHeaders.REJECTED_DETAIL))
                .isEqualTo("no version " + (version + 1) + " of * waits for a confirmation"));

        // when it is confirmed twice
        confirm("*", version);
        confirm("*", version);
        settle();

        // then
        assertThat(fixture.policies().policies()).containsOnlyKeys(Scope.ALL);
        assertThat(fixture.rejected).hasSize(2);
    }

    @Test
    void shouldWithdrawWhatOnlyWaitsByItsRemoval() {
        // given
        Scope orders = Scope.namespace("orders");
        store(100, 10_000);
        fixture.policy(maxAge(orders, 5000));
        settle();
        long version = fixture.view().waiting().get(0).version();

        // when
        fixture.removePolicy(orders);
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.policies().policies()).isEmpty();
        assertThat(fixture.rejected).isEmpty();
        assertThat(fixture.stored()).hasSize(100);

        // when a confirmation comes too late
        confirm(orders.toString(), version);
        settle();

        // then
        assertThat(fixture.rejected).hasSize(1);
        assertThat(fixture.stored()).hasSize(100);
    }

    @Test
    void shouldWithdrawWhatWaitsBySettingWhatIsInForce() {
        // given
        RetentionPolicy inForce = maxAge(Scope.ALL, 100_000_000);
        fixture.policy(inForce);
        store(100, 10_000);
        fixture.policy(SHORT);
        settle();
        assertThat(fixture.view().waiting()).hasSize(1);

        // when
        fixture.policy(inForce);
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.policies().policies().get(Scope.ALL).policy()).isEqualTo(inForce);
        assertThat(fixture.stored()).hasSize(100);
    }

    @Test
    void shouldHoldBackAFileAsAWhole() {
        // given
        store(100, 10_000);

        // when
        fixture.policyOfFile(SHORT, "f", 2);
        fixture.policyOfFile(maxAge(Scope.namespace("other"), 1), "f", 2);
        settle();

        // then
        assertThat(fixture.policies().policies()).isEmpty();
        assertThat(fixture.view().waiting()).hasSize(2);

        // when
        confirm("*", fixture.view().waiting().get(0).version());

        // then
        assertThat(fixture.policies().policies()).containsKeys(Scope.ALL, Scope.namespace("other"));
    }

    @Test
    void shouldAssessAgainAfterARestart() {
        // given
        store(100, 10_000);
        fixture.policy(SHORT);

        // when
        fixture.restart();
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.view().waiting()).hasSize(1);
        assertThat(fixture.view().waiting().get(0).finding()).isNotNull();
    }

    /** Input waits for the policies that wait for the brake, which waits for the partitions: these must not wait for input. */
    @Test
    void shouldAnswerBeforeTheInputThatWaitsForTheAnswer() {
        // given
        store(100, 10_000);
        settle();
        fixture.policy(SHORT);
        fixture.catchUp.isCaughtUp = false;
        fixture.catchUp.policiesTarget = 0;
        fixture.restart();

        // when
        store(1, 1);
        settle();

        // then
        assertThat(fixture.view().waiting().get(0).finding()).isNotNull();
        assertThat(fixture.stored()).hasSize(101);
    }

    /** Else a count that takes as long as the gate waits would never come to an end that counts. */
    @Test
    void shouldAnswerAtOnceIfItIsAskedAgainWhileItsAnswerIsOnItsWay() {
        // given slices of one event
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < 60; i++) {
            fixture.event(event("orders/" + i, "e").occurredAt(fixture.nowMs() - 10_000));
        }
        settle();
        byte[] policy = fixture.records.policy(SHORT);
        assertThat(slicesToAnswer("first", policy)).isGreaterThan(20);

        // then
        assertThat(slicesToAnswer("again", policy)).isLessThan(5);
        assertThat(fixture.assessed.get(1).body())
                .isEqualTo(fixture.assessed.get(0).body());
        assertThat(slicesToAnswer("and again", policy)).as("counted anew").isGreaterThan(20);

        // when
        fixture.advance(10_001);

        // then
        assertThat(slicesToAnswer("later", policy)).as("counted anew").isGreaterThan(20);
    }

    /** The gate asks each ten seconds, and names the newest policy that it has seen, whether or not it has changed anything. */
    @Test
    void shouldGoOnCountingIfItIsAskedAgainUnderTheSamePolicies() {
        // given slices of one event
        fixture.close();
        fixture = TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 1));
        for (int i = 0; i < 500; i++) {
            fixture.event(event("orders/" + i, "e").occurredAt(fixture.nowMs() - 10_000));
        }
        settle();
        fixture.policy("confirm:*", null, new RecordHeaders());
        settle();
        assertThat(fixture.view().reflectedOffset()).isZero();

        // when
        int same = slicesToAnswerOnceMore(-1);
        int newer = slicesToAnswerOnceMore(0);

        // then
        assertThat(newer).isEqualTo(same);
        assertThat(fixture.assessed).extracting(Errand::commandId).containsExactly("again", "again");
    }

    private int slicesToAnswerOnceMore(long reflectedOffset) {
        fixture.advance(20_000);
        byte[] policy = fixture.records.policy(SHORT);
        ask("first", policy, -1);
        for (int i = 0; i < 300; i++) {
            fixture.advance(10);
        }
        ask("again", policy, reflectedOffset);
        return slicesToAnswer();
    }

    private int slicesToAnswer(String assessmentId, byte[] value) {
        ask(assessmentId, value, -1);
        return slicesToAnswer();
    }

    private void ask(String assessmentId, byte[] value, long reflectedOffset) {
        byte[] key = "*".getBytes(StandardCharsets.UTF_8);
        GateRecord policy = new GateRecord(new InputRecord("", 0, 0, 0, key, value, new RecordHeaders()));
        HeldBack change = HeldBack.unassessed(0, "", "", 0, List.of(policy));
        var request = new Assessments.Request(assessmentId, 1000, BrakeBatch.question(List.of(change)));
        byte[] question = Questions.record(fixture.records, request, 0, reflectedOffset, -1);
        fixture.pipe(TopologyFixture.TOPICS.commands(), key, question, new RecordHeaders(), fixture.nowMs());
    }

    private int slicesToAnswer() {
        int before = fixture.assessed.size();
        int slices = 0;
        for (; fixture.assessed.size() == before && slices < 1000; slices++) {
            fixture.advance(10);
        }
        return slices;
    }

    @ParameterizedTest
    @DisplayName("SmallScopeIsBraked")
    @CsvSource({"980, true", "201, true", "200, false", "101, false"})
    void shouldHoldBackAShareOfASmallScopeByDefault(int due, boolean isHeldBack) {
        // given
        fixture.close();
        fixture = withLimits(BrakeLimits.DEFAULT.sharePercent(), BrakeLimits.DEFAULT.minimumEvents());
        store(due, 10_000);
        store(1000 - due, 0);

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(isHeldBack ? 1 : 0);
        assertThat(fixture.stored()).hasSize(isHeldBack ? 1000 : 1000 - due);
    }

    @ParameterizedTest
    @CsvSource({"99, false", "100, false", "101, true"})
    void shouldLetAHundredEventsGoByDefault(int due, boolean isHeldBack) {
        // given
        fixture.close();
        fixture = withLimits(BrakeLimits.DEFAULT);
        store(due, 10_000);

        // when
        fixture.policy(SHORT);
        settle();

        // then
        assertThat(fixture.stored()).hasSize(isHeldBack ? due : 0);
    }

    @Test
    void shouldLeaveTheBrakeOffIfEverythingMayGo() {
        // given
        fixture.close();
        fixture = withLimits(100, 0);
        store(100, 10_000);

        // when
        fixture.policy(SHORT);

        // then
        assertThat(fixture.policies().policies()).containsKey(Scope.ALL);
    }

    /** Events kept by a guard alone become due at once when the guard goes. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void shouldCountWhatKeepLastAloneHasKept(long execution) {
        // given
        fixture.policy(maxAge(Scope.ALL, 5000).toBuilder()
                .set(PolicyField.KEEP_LAST, Limit.of(1000))
                .build());
        if (execution > 0) {
            fixture.execution(CommandFixture.execution("orders/1", execution, "completed"));
        }
        for (int i = 0; i < 100; i++) {
            fixture.event(event("orders/1", "e" + i).execution(execution));
        }
        fixture.settleFor(10);

        // when
        fixture.policy(maxAge(Scope.ALL, 5000));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(fixture.view().waiting()).hasSize(1);
    }

    /** Finds the damage of the stream by a policy that makes its events due, and takes that policy back. */
    private void quarantineBy(RetentionPolicy due) {
        fixture.policy(due.toBuilder().confirmed(true).build());
        settle();
        assertThat(fixture.status().quarantined()).containsOnlyKeys("damaged/1");
        fixture.removePolicy(due.scope());
    }

    private void store(int events, long ageMs) {
        String prefix = "e" + ageMs + "-";
        for (int i = 0; i < events; i++) {
            fixture.event(event("orders/" + i % 3, prefix + i).occurredAt(fixture.nowMs() - ageMs));
        }
    }

    /** A question, its answer, and what follows from it take a few rounds. */
    private void settle() {
        for (int round = 0; round < 5; round++) {
            fixture.settle();
        }
    }

    private void confirm(String key, long version) {
        confirm(key, version, new RecordHeaders());
    }

    private void confirm(String key, long version, Headers headers) {
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, version);
        fixture.policy(EbbHeaders.CONFIRM + key, null, headers);
    }

    private static RetentionPolicy byArrival(Scope scope, long ms) {
        return RetentionPolicy.of(scope).maxAge(Limit.of(ms)).build();
    }

    private static RetentionPolicy maxAge(Scope scope, long ms) {
        return RetentionPolicy.of(scope)
                .maxAge(Limit.of(ms))
                .anchor(Anchor.OCCURRED)
                .build();
    }

    private static TopologyFixture withLimits(int share, long minimum) {
        return withLimits(new BrakeLimits(share, minimum, 0));
    }

    private static TopologyFixture withLimits(BrakeLimits limits) {
        TopologySettings settings = TopologyFixture.settings(OptionalLong.of(1000), 10_000);
        return TopologyFixture.inMemory(
                new SettingsLike(settings).brakeLimits(limits).make());
    }
}
