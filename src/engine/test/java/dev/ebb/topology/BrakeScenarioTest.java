package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.dryRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.NamespaceLoss;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.topology.wire.EbbHeaders;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The brake looks ahead, at each namespace, and adds up over an hour. */
@Tag("T-15")
class BrakeScenarioTest {

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long MONTH = 30 * DAY;

    private TopologyFixture fixture = withLimits(20, 10);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("BrakeLooksSevenDaysAhead")
    void brakeLooksSevenDaysAhead() {
        // given: nothing is older than three days
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, HOUR);

        // when
        fixture.policy(maxAge(Scope.ALL, 3 * DAY));
        settle();

        // then
        assertThat(fixture.view().waiting()).singleElement().satisfies(waiting -> {
            assertThat(waiting.finding()).isEqualTo(new BrakeFinding(21, true, 100));
            assertThat(waiting.why()).contains("would delete at least 21 of 100 events within 7d");
        });

        // when
        fixture.advance(4 * DAY);
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);

        // when
        confirm();
        settle();

        // then
        assertThat(fixture.stored()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"167, true", "169, false"})
    void shouldLookNoFurtherThanTheHorizon(int hours, boolean isHeldBack) {
        // given
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 0);

        // when
        fixture.policy(maxAge(Scope.ALL, hours * HOUR));
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(isHeldBack ? 1 : 0);
    }

    /** Both policies delete everything within the horizon, but the new one sooner. */
    @ParameterizedTest
    @CsvSource({"60, true", "121, false"})
    void shouldCountWhatGoesDaysEarlierThanBefore(int hours, boolean isHeldBack) {
        // given: the former policy takes all of it before the sixth day ends
        inForce(maxAge(Scope.ALL, 143 * HOUR));
        store("orders/1", 100, 0);

        // when
        fixture.policy(maxAge(Scope.ALL, hours * HOUR));
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(isHeldBack ? 1 : 0);
    }

    @Test
    void shouldNotCountWhatTheFormerPolicyWouldDeleteUntilThen() {
        // given: 90 events that go tomorrow anyway
        inForce(maxAge(Scope.ALL, 100 * DAY));
        store("orders/1", 90, 99 * DAY + HOUR);
        store("orders/2", 10, 0);

        // when
        fixture.policy(maxAge(Scope.ALL, 99 * DAY + 2 * HOUR));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
    }

    @Test
    void shouldCountACapThoughAgeWouldTakeTheEventsWithinTheHorizon() {
        // given
        inForce(maxAge(Scope.ALL, 3 * DAY));
        store("orders/1", 100, HOUR);

        // when
        fixture.policy(maxAge(Scope.ALL, 3 * DAY).toBuilder()
                .set(PolicyField.MAX_COUNT, Limit.of(1))
                .build());
        settle();

        // then
        assertThat(fixture.view().waiting()).hasSize(1);
        assertThat(fixture.stored()).hasSize(100);
    }

    @Test
    @DisplayName("BrakeSeesEachNamespace")
    void brakeSeesEachNamespace() {
        // given: a small namespace beside a big one that keeps its events
        inForce(RetentionPolicy.of(Scope.namespace("big")).maxAge(Limit.NONE).build());
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("big/1", 400, HOUR);
        store("small/1", 20, HOUR);

        // when
        fixture.policy(maxAge(Scope.ALL, MINUTE));
        settle();

        // then: 20 of 420 are less than a fifth, 20 of 20 are not
        assertThat(fixture.view().waiting()).singleElement().satisfies(waiting -> {
            NamespaceLoss small = new NamespaceLoss("small", 11, 20);
            assertThat(waiting.finding()).isEqualTo(new BrakeFinding(11, true, 420, List.of(small)));
            assertThat(waiting.why()).contains("at least 11 of 420 events, at least 11 of 20 in the namespace small");
        });
        assertThat(fixture.stored()).hasSize(420);

        // when
        fixture.restart();
        settle();

        // then
        assertThat(fixture.view().waiting()).extracting(WaitingPolicy::finding).isNotNull();

        // when
        confirm();
        settle();

        // then
        assertThat(fixture.stored()).hasSize(400);
    }

    @Test
    @DisplayName("BrakeAddsUpOverAnHour")
    void brakeAddsUpOverAnHour() {
        // given: thirty streams, each small enough to go
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        for (int i = 0; i < 30; i++) {
            store("orders/" + i, 10, HOUR);
        }

        // when
        for (int i = 0; i < 30; i++) {
            fixture.policy(maxAge(Scope.stream("orders/" + i), MINUTE));
            settle();
            fixture.advance(1000);
        }
        settle();

        // then: six streams are a fifth of the namespace
        assertThat(fixture.stored()).hasSize(240);
        assertThat(fixture.view().waiting()).hasSize(24).allSatisfy(waiting -> assertThat(waiting.why())
                .contains("where others of the last hour delete 60"));

        // when
        fixture.restart();
        fixture.policy(maxAge(Scope.stream("orders/29"), 2 * MINUTE));
        settle();

        // then: a restart forgets nothing
        assertThat(fixture.stored()).hasSize(240);

        // when an hour has passed
        fixture.advance(HOUR + MINUTE);
        fixture.policy(maxAge(Scope.stream("orders/29"), MINUTE));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(230);
    }

    /** The wider change may be taken back, and what waited would then delete without a confirmation. */
    @Test
    void shouldKeepWaitingWhileAWiderChangeDeletesAsMuch() {
        // given
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        for (int i = 0; i < 20; i++) {
            store("orders/" + i, 10, HOUR);
        }
        for (int i = 0; i < 7; i++) {
            fixture.policy(maxAge(Scope.stream("orders/" + i), MINUTE));
            settle();
            fixture.advance(1000);
        }
        List<PolicyKey> before = waitingKeys();
        assertThat(before).isNotEmpty();

        // when it deletes as much by age, and more by a cap, so that all that waits is counted anew
        fixture.policy(RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(MINUTE))
                .maxCount(Limit.of(5))
                .build());
        settle();
        fixture.view().waiting().stream()
                .filter(waiting -> waiting.key().toString().equals("namespace:orders"))
                .toList()
                .forEach(this::confirm);
        settle();
        fixture.advance(1000);
        settle();

        // then
        assertThat(fixture.stored()).isEmpty();
        assertThat(waitingKeys()).isEqualTo(before);
    }

    private List<PolicyKey> waitingKeys() {
        return fixture.view().waiting().stream().map(WaitingPolicy::key).toList();
    }

    @Test
    void shouldAddUpChangesThatComeTogether() {
        // given
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        for (int i = 0; i < 30; i++) {
            store("orders/" + i, 10, HOUR);
        }

        // when
        for (int i = 0; i < 30; i++) {
            fixture.policy(maxAge(Scope.stream("orders/" + i), MINUTE));
        }
        settle(100);

        // then
        assertThat(fixture.stored()).hasSize(240);
        assertThat(fixture.view().waiting()).hasSize(24);
    }

    @Test
    void shouldLetFourOfTwentyStepsOfFivePercentThrough() {
        // given: events of twenty months
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        for (int month = 1; month <= 20; month++) {
            store("orders/1", 20, month * MONTH);
        }

        // when
        for (int month = 20; month >= 1; month--) {
            fixture.policy(maxAge(Scope.ALL, month * MONTH - 15 * DAY));
            settle();
        }

        // then
        assertThat(fixture.stored()).hasSize(320);
        assertThat(fixture.view().waiting()).hasSize(1);
    }

    /** The removal deletes nothing by itself, but all of the namespace beside the policy of its file that is confirmed. */
    @Test
    void shouldCountWhatARemovalDeletesBesideAConfirmedPolicy() {
        // given
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        inForce(maxAge(Scope.namespace("orders"), 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        store("other/1", 100, 2 * HOUR);

        // when
        fixture.policyOfFile(maxAge(Scope.ALL, HOUR).toBuilder().confirmed(true).build(), "f-1", 2);
        fixture.policy("namespace:orders", null, TopologyFixture.ofFile("f-1", 2));
        settle();

        // then
        assertThat(fixture.stored()).hasSize(200);
        assertThat(fixture.view().waiting()).hasSize(2).allSatisfy(waiting -> assertThat(waiting.why())
                .contains("21 of 100"));
    }

    /** A question may be read before the change that came into force just before it (O-8). */
    @Test
    void shouldCountUnderTheChangeThatHasJustComeIntoForce() {
        // given a change that deletes nothing beside another policy, and behind it the end of that policy
        inForce(maxAge(Scope.namespace("orders"), 1001 * DAY));
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        fixture.policy(maxAge(Scope.ALL, HOUR));
        fixture.policy("namespace:orders", null, new RecordHeaders());

        // when
        fixture.policiesAreLate();
        for (int i = 0; i < 5; i++) {
            fixture.advance(1000);
        }
        fixture.policiesCome();
        settle();

        // then
        assertThat(fixture.ids("orders/1")).hasSize(100);
        assertThat(fixture.policies().policies().get(Scope.ALL).policy().get(PolicyField.MAX_AGE))
                .isEqualTo(Limit.of(HOUR));
        assertThat(waitingKeys()).containsExactly(PolicyKey.of(Scope.namespace("orders")));
    }

    @Test
    void shouldNotAddWhatAPersonConfirmed() {
        // given
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 50, HOUR);
        store("orders/2", 10, HOUR);
        store("orders/3", 40, HOUR);

        // when
        fixture.policy(maxAge(Scope.stream("orders/1"), MINUTE));
        settle();
        confirm();
        settle();
        fixture.policy(maxAge(Scope.stream("orders/2"), MINUTE));
        settle();

        // then
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.stored()).hasSize(40);
    }

    @ParameterizedTest
    @CsvSource({"9, 1, false", "10, 1, false", "11, 1, true", "11, 62, false"})
    @DisplayName("PlanKnowsTheLastHour")
    void planKnowsTheLastHour(int events, int minutes, boolean isHeldBack) {
        // given: of twenty events that may go, ten go by another change
        fixture.close();
        fixture = withLimits(20, 15);
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 10, HOUR);
        store("orders/2", events, HOUR);
        store("orders/3", 90 - events, HOUR);
        inForce(maxAge(Scope.stream("orders/1"), MINUTE));
        assertThat(fixture.stored()).hasSize(90);
        fixture.restart();
        fixture.advance(minutes * MINUTE);
        fixture.event(event("orders/4", "a"));

        // when
        String file = "policies: [{scope: 'stream:orders/2', anchor: occurred, maxAge: 1m}]";
        CommandResult plan = fixture.carryOut(dryRun("p-1", new Command.SweepNow(Scope.ALL, null, file, false)));
        fixture.policy(maxAge(Scope.stream("orders/2"), MINUTE));
        settle();

        // then the plan and the gate say the same
        assertThat(plan.detail())
                .contains(isHeldBack ? "the brake would hold it back" : "the brake would let it through");
        assertThat(plan.outcome()).isInstanceOfSatisfying(Outcome.Swept.class, swept -> assertThat(swept.heldBack())
                .isEqualTo(isHeldBack));
        assertThat(fixture.view().waiting()).hasSize(isHeldBack ? 1 : 0);
        if (isHeldBack) {
            assertThat(plan.detail())
                    .contains("11 of 100 in the namespace orders, where others of the last hour delete 10");
        }
    }

    /** The plan shows nothing of what the change deletes that waited then, whatever the two delete together (T-6). */
    @Test
    @Tag("T-6")
    void shouldRefuseAPlannedFileBehindAChangeThatHadWaited() {
        // given a change that waits, a newer one in force, and a file planned under that one
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        fixture.policy(maxAge(Scope.namespace("orders"), HOUR));
        settle();
        fixture.policy(maxAge(Scope.namespace("other"), 1001 * DAY));
        settle();
        PolicySet planned = fixture.policies();

        // when
        confirm();
        settle();
        file("f-1", planned, maxAge(Scope.namespace("orders"), MINUTE));
        settle();

        // then
        assertThat(fixture.policies().version()).isEqualTo(planned.version());
        assertThat(maxAgeOf("orders")).isEqualTo(Limit.of(HOUR));
        assertThat(fixture.whyRejected()).contains("make a new plan");

        // when it is planned anew
        file("f-2", fixture.policies(), maxAge(Scope.namespace("orders"), MINUTE));
        settle();

        // then
        assertThat(maxAgeOf("orders")).isEqualTo(Limit.of(MINUTE));
    }

    /** It may wait at the brake itself while the other is confirmed. */
    @Test
    @Tag("T-6")
    void shouldRefuseAPlannedFileThatWaitsWhileAnOlderChangeIsConfirmed() {
        // given two changes that wait, the second by a plan
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        store("other/1", 100, 2 * HOUR);
        fixture.policy(maxAge(Scope.namespace("orders"), HOUR));
        settle();
        fixture.policy(maxAge(Scope.namespace("third"), 1001 * DAY));
        settle();
        file("f-1", fixture.policies(), maxAge(Scope.namespace("other"), HOUR));
        settle();
        List<WaitingPolicy> waiting = fixture.view().waiting();
        assertThat(waiting).hasSize(2);

        // when
        waiting.forEach(this::confirm);
        settle();

        // then
        assertThat(fixture.ids("orders/1")).isEmpty();
        assertThat(fixture.ids("other/1")).hasSize(100);
        assertThat(fixture.view().waiting()).isEmpty();
        assertThat(fixture.whyRejected()).contains("make a new plan");
    }

    /** What the other part of the file would keep would go by the rest alone, which nobody has planned. */
    @Test
    @Tag("T-6")
    void shouldRefuseTheRestOfAPlannedFileOfWhichAPartIsReplaced() {
        // given a planned file that waits, of which one policy spares a namespace
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        store("other/1", 100, 2 * HOUR);
        PolicySet planned = fixture.policies();
        file("f-1", planned, maxAge(Scope.ALL, HOUR), maxAge(Scope.namespace("orders"), 100 * DAY));
        settle();
        assertThat(waitingKeys()).hasSize(2);

        // when another change of that namespace comes, and waits as well
        fixture.policy(maxAge(Scope.namespace("orders"), MINUTE));
        settle();

        // then
        assertThat(waitingKeys()).containsExactly(PolicyKey.of(Scope.namespace("orders")));
        assertThat(fixture.whyRejected()).contains("a part of its file", "make a new plan");
        assertThat(fixture.stored()).hasSize(200);
    }

    /** Who confirms a file has seen all of it: what is left of it may delete what the other part would have kept. */
    @ParameterizedTest
    @CsvSource({"-1, false", "2, false", "1, true"})
    void shouldConfirmTheRestOfAFileOnlyToWhomeverHasSeenTheRest(long records, boolean isConfirmed) {
        // given a file that waits, of which one policy spares a namespace, and which is too big to be counted to its
        // end
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        store("other/1", 100, 2 * HOUR);
        file("f-1", null, maxAge(Scope.ALL, HOUR), maxAge(Scope.namespace("orders"), 1000 * DAY));
        settle();
        WaitingPolicy seen = fixture.view().waiting().get(0);

        // when the confirmation comes after another policy of that namespace
        fixture.removePolicy(Scope.namespace("orders"));
        confirm(seen, records);
        settle();

        // then
        assertThat(fixture.stored()).hasSize(isConfirmed ? 0 : 200);
        if (!isConfirmed) {
            assertThat(waitingKeys()).containsExactly(PolicyKey.of(Scope.ALL));
            assertThat(fixture.view().waiting().get(0).why()).contains("1 of the 2 records of its file are left");
            assertThat(fixture.whyRejected()).contains("confirm what is left", "apply the file again");
        }
    }

    /** Read as none, it would confirm any number of deletes, or any version. */
    @ParameterizedTest
    @CsvSource({
        EbbHeaders.CONFIRM_COUNT + ", 1oo",
        EbbHeaders.CONFIRM_COUNT + ", ''",
        EbbHeaders.CONFIRM_COUNT + ", -1",
        EbbHeaders.CONFIRM_RECORDS + ", all",
        EbbHeaders.CONFIRM_VERSION + ", first"
    })
    void shouldRefuseAConfirmationWhoseNumbersCannotBeRead(String header, String garbled) {
        // given
        inForce(maxAge(Scope.ALL, 1000 * DAY));
        store("orders/1", 100, 2 * HOUR);
        fixture.policy(maxAge(Scope.ALL, HOUR));
        settle();
        WaitingPolicy waiting = fixture.view().waiting().get(0);

        // when
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, waiting.version());
        EbbHeaders.set(headers, header, garbled);
        fixture.policy(EbbHeaders.CONFIRM + waiting.key(), null, headers);
        settle();

        // then
        assertThat(fixture.stored()).hasSize(100);
        assertThat(waitingKeys()).containsExactly(waiting.key());
        assertThat(fixture.whyRejected()).contains("the header " + header + " must be a number", "'" + garbled + "'");
    }

    /** @param planned the policies in force for which the file was planned; null if it was not */
    private void file(String applyId, @Nullable PolicySet planned, RetentionPolicy... policies) {
        for (RetentionPolicy policy : policies) {
            Headers headers = TopologyFixture.ofFile(applyId, policies.length);
            if (planned != null) {
                EbbHeaders.setBase(headers, planned.edition());
            }
            fixture.policy(policy.scope().toString(), fixture.records.bytes(policy), headers);
        }
    }

    private @Nullable Limit maxAgeOf(String namespace) {
        return fixture.policies()
                .policies()
                .get(Scope.namespace(namespace))
                .policy()
                .get(PolicyField.MAX_AGE);
    }

    private void store(String stream, int count, long ageMs) {
        for (int i = 0; i < count; i++) {
            fixture.event(event(stream, "e-" + ageMs + "-" + i).occurredAt(fixture.nowMs() - ageMs));
        }
    }

    private void inForce(RetentionPolicy policy) {
        fixture.policy(policy);
        settle();
        assertThat(fixture.view().waiting()).isEmpty();
    }

    private void confirm() {
        confirm(fixture.view().waiting().get(0));
    }

    private void confirm(WaitingPolicy waiting) {
        confirm(waiting, -1);
    }

    /** @param records the number of records that its author saw; negative if the confirmation does not say it */
    private void confirm(WaitingPolicy waiting, long records) {
        RecordHeaders headers = new RecordHeaders();
        if (records >= 0) {
            EbbHeaders.set(headers, EbbHeaders.CONFIRM_RECORDS, records);
        }
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, waiting.version());
        fixture.policy(EbbHeaders.CONFIRM + waiting.key(), null, headers);
    }

    private void settle() {
        settle(5);
    }

    private void settle(int rounds) {
        for (int round = 0; round < rounds; round++) {
            fixture.settle();
        }
    }

    private static RetentionPolicy maxAge(Scope scope, long ms) {
        return RetentionPolicy.of(scope)
                .maxAge(Limit.of(ms))
                .anchor(Anchor.OCCURRED)
                .build();
    }

    private static TopologyFixture withLimits(int share, long minimum) {
        var settings = TopologyFixture.settings(OptionalLong.of(1000), 10_000);
        BrakeLimits limits = new BrakeLimits(share, minimum, BrakeLimits.HORIZON.toMillis());
        return TopologyFixture.inMemory(
                new SettingsLike(settings).brakeLimits(limits).make());
    }
}
