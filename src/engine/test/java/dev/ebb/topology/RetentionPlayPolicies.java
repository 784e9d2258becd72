package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.model.RetentionModelBrake;
import dev.ebb.model.RetentionModelPolicies;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The policies and holds that a play sends, and what the brake holds back of them. */
final class RetentionPlayPolicies {

    private static final List<String> CASES = List.of("LIT-1", "LIT-2", "PLAN");
    private static final Set<String> NO_RULES = Set.of("scope", "enabled", "confirmed", "updatedBy", "reason");

    private static final int PATIENCE = 100;

    private final RetentionPlay play;
    private final RetentionPlayDraw draw;
    private final Map<String, Consumer<RetentionModelPolicies>> waiting = new TreeMap<>();
    private final RetentionModelBrake brake;

    RetentionPlayPolicies(RetentionPlay play) {
        this.play = play;
        this.draw = play.draw;
        this.brake = play.plan.modelBrake();
    }

    void policy() {
        Scope scope = draw.scope();
        if (draw.oneIn(5)) {
            play.note("no policy of " + scope + " any more");
            put(scope.toString(), false, () -> play.fixture.removePolicy(scope), to -> to.put(scope.toString(), null));
            return;
        }
        RetentionPolicy policy = draw.policy(scope);
        if (isFaulty(policy)) {
            play.note("faulty " + policy);
            play.fixture.policy(policy);
            play.check().rejected(RejectReason.BAD_POLICY);
            play.settle();
        } else {
            play.note(policy.toString());
            set(policy);
        }
    }

    void set(RetentionPolicy policy) {
        boolean isConfirmed = Boolean.TRUE.equals(policy.confirmed());
        String scope = policy.scope().toString();
        put(scope, isConfirmed, () -> play.fixture.policy(policy), to -> to.put(scope, policy));
    }

    /** Policies that cannot mean what their author wants (M-11). */
    static boolean isFaulty(RetentionPolicy policy) {
        return isGreater(policy.get(PolicyField.MIN_AGE), policy.get(PolicyField.MAX_AGE))
                || isGreater(policy.get(PolicyField.MIN_TTL), policy.get(PolicyField.MAX_TTL))
                || NO_RULES.containsAll(policy.written().keySet()) && policy.isEnabled();
    }

    private static boolean isGreater(Limit low, Limit high) {
        return low != null && high != null && !low.isNone() && low.value() > high.value();
    }

    void hold() {
        String caseId = CASES.get(draw.below(CASES.size()));
        String key = "hold:" + caseId;
        if (draw.oneIn(2)) {
            play.note("release " + caseId);
            put(key, false, () -> play.fixture.release(caseId), to -> to.hold(caseId, null));
            return;
        }
        Scope covers = draw.plainScope();
        Scope before = play.model.policies().covers(caseId);
        play.note("hold " + caseId + " on " + covers);
        if (before != null && !before.equals(covers)) {
            play.fixture.hold(caseId, covers);
            play.check().rejected(RejectReason.BAD_POLICY);
            play.settle();
        } else {
            put(key, false, () -> play.fixture.hold(caseId, covers), to -> to.hold(caseId, covers));
        }
    }

    void place(Hold hold) {
        put(
                hold.key().toString(),
                false,
                () -> play.fixture.hold(hold.caseId(), hold.covers()),
                to -> to.hold(hold.caseId(), hold.covers()));
    }

    /** Confirms the waiting change, or tries to with a version that does not wait. */
    void confirm() {
        List<WaitingPolicy> held = play.fixture.view().waiting();
        if (held.isEmpty()) {
            return;
        }
        WaitingPolicy one = held.get(draw.below(held.size()));
        boolean isWrong = draw.oneIn(4);
        play.note("confirm " + one.key() + (isWrong ? " in another version" : ""));
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, one.version() + (isWrong ? 1000 : 0));
        play.fixture.policy(EbbHeaders.CONFIRM + one.key(), null, headers);
        if (isWrong) {
            play.check().rejected(RejectReason.BAD_POLICY);
        } else {
            inForce(waiting.remove(one.key().toString()));
        }
        play.settle();
        checkWaiting();
    }

    /** Sends a change; with the brake on it is in force only when that has looked at it. */
    private void put(String key, boolean isConfirmed, Runnable send, Consumer<RetentionModelPolicies> change) {
        if (!play.plan.brake().isOn()) {
            send.run();
            inForce(change);
        } else if (!play.becomesQuiet()) {
            play.note("never mind");
            return;
        } else {
            waiting.remove(key);
            send.run();
            boolean[] isDecided = {isConfirmed};
            if (isConfirmed) {
                inForce(change);
            }
            for (int i = 0; i < PATIENCE && !isDecided[0]; i++) {
                play.tick(RetentionPlay.TICK_MS, () -> isDecided[0] = decide(key, change));
            }
        }
        play.settle();
        checkWaiting();
    }

    /** Once the brake has counted the model does so too; it may have to count twice. */
    private boolean decide(String key, Consumer<RetentionModelPolicies> change) {
        boolean isCounting = play.fixture.view().waiting().stream()
                .anyMatch(held -> held.key().toString().equals(key) && held.finding() == null);
        boolean isHeldBack = play.fixture.view().waiting().stream()
                .anyMatch(held -> held.key().toString().equals(key));
        if (!isCounting && mustWait(change, isHeldBack)) {
            waiting.put(key, change);
        } else if (!isCounting) {
            inForce(change);
        }
        return !isCounting;
    }

    private boolean mustWait(Consumer<RetentionModelPolicies> change, boolean isHeldBack) {
        RetentionModelPolicies after = play.model.policies().copy();
        change.accept(after);
        return brake.holdsBack(play.model, after, RetentionPlayDraw.STREAMS, play.now(), isHeldBack);
    }

    private void inForce(Consumer<RetentionModelPolicies> change) {
        RetentionModelPolicies after = play.model.policies().copy();
        change.accept(after);
        play.model.policies(after);
        play.rhythms.notice();
    }

    private void checkWaiting() {
        assertThat(play.fixture.view().waiting())
                .as("O-8 what waits to be confirmed at " + play.now())
                .extracting(held -> held.key().toString())
                .containsExactlyInAnyOrderElementsOf(waiting.keySet());
    }
}
