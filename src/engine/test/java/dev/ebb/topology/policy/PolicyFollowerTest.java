package dev.ebb.topology.policy;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.Policies;
import dev.ebb.model.SeededCases;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.InMemoryStores;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A change of the policies reaches every stream that it touches, and no more than it must. */
@Tag("A-1")
class PolicyFollowerTest {

    private static final int STREAMS = 200;

    private PolicySet policies = Policies.setOf();
    private EventStore store;
    private PolicyFollower follower;

    @BeforeEach
    void fill() {
        store = new EventStore(
                InMemoryStores.open(StoreNames.EVENTS, EventStore.indexes()),
                InMemoryStores.open("usage", Derivation.NONE),
                TerminalStatuses.DEFAULT);
        store.open(policies);
        follower = new PolicyFollower(store, new SweepSchedule(OptionalLong.empty(), stream -> false), policies);
        for (int i = 0; i < STREAMS; i++) {
            put(i);
        }
    }

    private void put(int number) {
        follower.notice(policies);
        var added = event("n" + number % 10 + "/" + number, "e").build();
        store.put(store.prepare(added, 1, 1, policies), policies);
    }

    @Test
    void shouldGoToTheNamedStreamAlone() {
        // when
        edit(Scope.stream("n7/7"), 5);

        // then
        assertThat(steps()).isEqualTo(1);
        assertThat(follower.follows(policies)).isTrue();
        assertThat(stream("n7/7").policy().maxAge().value()).isEqualTo(Limit.of(5));

        // when
        hold("case", Scope.stream("n8/8"));

        // then
        assertThat(steps()).isEqualTo(1);
        assertThat(stream("n8/8").isHeld()).isTrue();
        hold("case", null);
        assertThat(steps()).isEqualTo(1);
        assertThat(stream("n8/8").isHeld()).isFalse();
    }

    @Test
    void shouldGoToNoneIfTheNamedStreamIsNotHere() {
        edit(Scope.stream("elsewhere/1"), 5);

        assertThat(steps()).isZero();
        assertThat(follower.follows(policies)).isTrue();
    }

    @Test
    @Tag("A-17")
    void shouldGoThroughTheStreamsOfTheNamespaceAlone() {
        // when
        edit(Scope.namespace("n7"), 5);

        // then
        assertThat(steps()).isEqualTo(STREAMS / 10);
        assertThat(stream("n7/7").policy().maxAge().value()).isEqualTo(Limit.of(5));

        // when
        hold("case", Scope.namespace("n8"));

        // then
        assertThat(steps()).isEqualTo(STREAMS / 10);
        assertThat(stream("n8/8").isHeld()).isTrue();
    }

    @Test
    void shouldGoThroughAllOnceForManyChangesOfNamespaces() {
        for (int i = 0; i < 10; i++) {
            edit(Scope.namespace("n" + i), 5);
        }

        assertThat(steps()).isEqualTo(STREAMS);
        assertThat(StoreProbe.streams(store))
                .allSatisfy(
                        stream -> assertThat(stream.policy().maxAge().value()).isEqualTo(Limit.of(5)));
    }

    @Test
    void shouldLeadBackStreamsThatCameUnderPoliciesWithdrawnBeforeTheNextTurn() {
        for (Scope scope : List.of(Scope.stream("new/1"), Scope.namespace("new"), Scope.ALL)) {
            // given
            edit(scope, 5);
            hold("case", scope);
            follower.notice(policies);
            String name = "new/" + (scope.kind() == Scope.Kind.STREAM ? 1 : scope.kind());
            var added = event(name, "e").build();
            store.put(store.prepare(added, 1, 1, policies), policies);

            // when
            change(new PolicyEdit(PolicyKey.of(scope), null, null));
            hold("case", null);
            assertThat(follower.follows(policies)).isFalse();
            follower.advance(policies, unlimited());

            // then
            assertThat(stream(name).policy()).isEqualTo(policies.effective(new StreamName(name)));
            assertThat(stream(name).isHeld()).isFalse();
        }
    }

    @Test
    void shouldNotFollowWhatItHasOnlyNoticed() {
        change(new PolicyEdit(PolicyKey.of(Scope.stream("elsewhere/1")), null, null));

        follower.notice(policies);

        assertThat(follower.follows(policies)).isFalse();
        follower.advance(policies, new SweepBudget(1, 1, () -> 0));
        assertThat(follower.follows(policies)).isTrue();
    }

    @Test
    void shouldBringEveryStreamToTheNewestWhateverComesMeanwhile() {
        SeededCases.forAll(100, random -> {
            fill();
            for (int round = 0; round < 30; round++) {
                PolicySet before = policies;
                change(random);
                if (random.nextInt(5) == 0) {
                    put(random.nextInt(2 * STREAMS));
                }
                if (random.nextInt(5) == 0) {
                    withdrawTo(before);
                }
                if (random.nextBoolean()) {
                    follower.advance(policies, new SweepBudget(1 + random.nextInt(100), Long.MAX_VALUE / 2, () -> 0));
                }
            }
            for (int i = 0; !follower.follows(policies); i++) {
                assertThat(i).isLessThan(10);
                follower.advance(policies, unlimited());
            }
            assertThat(StoreProbe.streams(store)).allSatisfy(stream -> {
                assertThat(stream.policy()).isEqualTo(policies.effective(stream.stream()));
                assertThat(stream.isHeld()).isEqualTo(policies.isHeld(stream.stream()));
            });
        });
    }

    private void change(Random random) {
        int number = random.nextInt(STREAMS);
        Scope scope =
                switch (random.nextInt(6)) {
                    case 0 -> Scope.ALL;
                    case 1, 2 -> Scope.namespace("n" + number % 10);
                    default -> Scope.stream("n" + number % 10 + "/" + number);
                };
        if (random.nextInt(3) == 0) {
            hold("case" + random.nextInt(3), random.nextBoolean() ? null : scope);
        } else {
            edit(scope, 1 + random.nextInt(100));
        }
    }

    /** Takes the last change back, by records that come after it. */
    private void withdrawTo(PolicySet before) {
        List<PolicyEdit> edits = new ArrayList<>();
        policies.differingScopes(before, scope -> {
            VersionedPolicy was = before.policies().get(scope);
            edits.add(new PolicyEdit(PolicyKey.of(scope), was == null ? null : was.policy(), null));
        });
        policies.differingCases(
                before,
                caseId -> edits.add(new PolicyEdit(
                        PolicyKey.ofHold(caseId), null, before.holds().get(caseId))));
        edits.forEach(this::change);
    }

    private void edit(Scope scope, long maxAge) {
        RetentionPolicy policy =
                RetentionPolicy.of(scope).maxAge(Limit.of(maxAge)).build();
        change(new PolicyEdit(PolicyKey.of(scope), policy, null));
    }

    private void hold(String caseId, Scope covers) {
        Hold hold = covers == null ? null : new Hold(caseId, covers, "", "", 0);
        change(new PolicyEdit(PolicyKey.ofHold(caseId), null, hold));
    }

    private void change(PolicyEdit edit) {
        policies = policies.with(edit, policies.version() + 1, policies.version() + 1, 0);
    }

    /** Number of streams looked at until all go by the policies: each ends a slice. */
    private int steps() {
        int[] readings = {0};
        int slices = 0;
        while (!follower.follows(policies)) {
            assertThat(slices++).isLessThan(10 * STREAMS);
            follower.advance(policies, new SweepBudget(1, 1, () -> readings[0]++));
        }
        // Each slice has read its clock at its begin, and again after a look.
        return readings[0] - slices;
    }

    private static SweepBudget unlimited() {
        return new SweepBudget(Integer.MAX_VALUE, Long.MAX_VALUE / 2, () -> 0);
    }

    private StreamState stream(String name) {
        StreamState stream = store.stream(new StreamName(name));
        assertThat(stream).isNotNull();
        return stream;
    }
}
