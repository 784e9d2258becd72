package dev.ebb.runtime.writes;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.UnavailableException;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.policy.PolicyViews;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends changes of policies to their topic and reads the policies in force from the view of this instance.
 *
 * @param absence returns the reason why the view does not know the policies in force now; null if it does
 * @param holds waits until every partition acts on all holds
 * @param undoMax the longest time for which a delete can be undone
 */
public record KafkaPolicyAdmin(
        PolicyViews views,
        Supplier<@Nullable String> absence,
        KafkaPolicyPublisher publisher,
        HoldWatch holds,
        Duration undoMax)
        implements PolicyAdmin {

    /** Waits until every partition acts on the holds in force. */
    @FunctionalInterface
    public interface HoldWatch {

        /**
         * Returns true if every partition acts on all holds up to that offset of the topic of accepted policies before
         * the wait is over.
         */
        boolean await(long offset, Duration wait);
    }

    @Override
    public PolicySet current() {
        return known().policies();
    }

    @Override
    public Outcome publish(PolicyBatch change, Duration wait) {
        PolicyView former = known();
        Set<PolicyKey> keys = change.keys();
        long offset = send(() -> publisher.publish(change));
        List<WaitingPolicy> superseded = former.waiting().stream()
                .filter(waiting -> keys.contains(waiting.key()))
                .toList();
        PolicyView view = await(now -> isDecided(now, offset) && isNoneOf(superseded, now), wait);
        boolean isSeen = view.reflectedOffset() >= offset && change.isIn(view.policies());
        boolean isInForce = isSeen && (change.holds().isEmpty() || isConfirmed(view, wait));
        List<WaitingPolicy> held = view.waiting().stream()
                .filter(waiting -> waiting.version() == offset)
                .toList();
        List<PolicyKey> withdrawn = superseded.stream()
                .filter(waiting -> isNoneOf(List.of(waiting), view))
                .map(WaitingPolicy::key)
                .toList();
        return new Outcome(isInForce, view.policies().version(), held, withdrawn);
    }

    @Override
    public Optional<FormerPolicy> before(PolicyKey key, @Nullable Long version) {
        known();
        return Optional.ofNullable(views.before(key, version));
    }

    @Override
    public List<WaitingPolicy> waiting() {
        return known().waiting();
    }

    @Override
    public Optional<Outcome> confirm(WaitingPolicy waiting, long records, String actor, String reason, Duration wait) {
        List<WaitingPolicy> together = known().waiting();
        long offset = send(
                () -> publisher.confirm(waiting.key(), waiting.version(), waiting.finding(), records, actor, reason));
        PolicyView view = await(now -> now.reflectedOffset() >= offset, wait);
        long version = view.policies().version();
        if (view.reflectedOffset() < offset) {
            return Optional.of(new Outcome(false, version));
        }
        if (views.versionOf(waiting.key()) != waiting.version()) {
            return stillWaits(view, waiting).map(one -> new Outcome(false, version, List.of(one), List.of()));
        }
        boolean placesHold = together.stream()
                .filter(one -> one.version() == waiting.version() && one.key().isHold())
                .anyMatch(one -> view.policies().contains(one.key()));
        return Optional.of(new Outcome(!placesHold || isConfirmed(view, wait), version));
    }

    /** Returns the change if it still waits: the gate takes no confirmation for a count that is being made again. */
    private static Optional<WaitingPolicy> stillWaits(PolicyView view, WaitingPolicy waiting) {
        return view.waiting().stream()
                .filter(one -> one.key().equals(waiting.key()) && one.version() == waiting.version())
                .findFirst();
    }

    @Override
    public void dropUnread(String key, long version, String actor, String reason) {
        send(() -> publisher.dropUnread(key, version, actor, reason));
    }

    /** Without Kafka Streams the view is not fed, and its contents grow old. */
    private PolicyView known() {
        String reason = absence.get();
        if (reason != null) {
            throw new NotReadyException(reason, Duration.ofSeconds(1));
        }
        return views.current();
    }

    /** Returns true if every partition acts on the holds of that view: from then on they always win (M-18). */
    private boolean isConfirmed(PolicyView view, Duration wait) {
        return holds.await(view.holdOffset(), wait);
    }

    /** Returns true if the gate has read the records up to that offset, and the brake has assessed that change. */
    private static boolean isDecided(PolicyView view, long offset) {
        return view.reflectedOffset() >= offset
                && view.waiting().stream()
                        .filter(waiting -> waiting.version() == offset)
                        .allMatch(waiting -> waiting.finding() != null);
    }

    /** Returns true if none of these versions waits in the view. */
    private static boolean isNoneOf(List<WaitingPolicy> versions, PolicyView view) {
        return versions.stream().noneMatch(version -> view.waiting().stream()
                .anyMatch(waiting ->
                        waiting.version() == version.version() && waiting.key().equals(version.key())));
    }

    private PolicyView await(Predicate<PolicyView> isIt, Duration wait) {
        try {
            return views.await(isIt, wait);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static long send(LongSupplier publication) {
        try {
            return publication.getAsLong();
        } catch (KafkaException e) {
            throw new UnavailableException("the broker did not accept the policies; nothing has changed", e);
        }
    }
}
