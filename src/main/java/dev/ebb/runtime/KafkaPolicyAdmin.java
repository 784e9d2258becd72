package dev.ebb.runtime;

import dev.ebb.api.NotReadyException;
import dev.ebb.api.PolicyAdmin;
import dev.ebb.api.UnavailableException;
import dev.ebb.domain.policy.PolicyBatch;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.WaitingPolicy;
import dev.ebb.topology.PolicyView;
import dev.ebb.topology.PolicyViews;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Sends changes of policies to their topic and reads what is in force from the view of this instance. */
final class KafkaPolicyAdmin implements PolicyAdmin {

    private static final Duration POLL = Duration.ofMillis(20);

    private final PolicyViews views;
    private final BooleanSupplier isRead;
    private final KafkaPolicyPublisher publisher;
    private final LongPredicate areHoldsConfirmed;

    /**
     * @param isRead whether the view has read what was in force when the instance started
     * @param areHoldsConfirmed whether every partition acts on all holds up to a version
     */
    KafkaPolicyAdmin(
            PolicyViews views,
            BooleanSupplier isRead,
            KafkaPolicyPublisher publisher,
            LongPredicate areHoldsConfirmed) {
        this.views = views;
        this.isRead = isRead;
        this.publisher = publisher;
        this.areHoldsConfirmed = areHoldsConfirmed;
    }

    @Override
    public PolicySet current() {
        if (!isRead.getAsBoolean()) {
            throw new NotReadyException("the policies in force are not known yet", Duration.ofSeconds(1));
        }
        return views.current().policies();
    }

    @Override
    public Outcome publish(PolicyBatch change, Duration wait) {
        long before = views.current().sourceOffset();
        long offset = send(() -> publisher.publish(change));
        PolicyView view = await(now -> isDecided(now, before, offset), wait);
        boolean isSeen = view.sourceOffset() >= offset && change.isIn(view.policies());
        boolean isInForce = isSeen && (change.holds().isEmpty() || isConfirmed(view, wait));
        List<WaitingPolicy> held = view.waiting().stream()
                .filter(waiting -> waiting.sourceOffset() > before && waiting.sourceOffset() <= offset)
                .toList();
        return new Outcome(isInForce, view.policies().version(), held);
    }

    @Override
    public List<WaitingPolicy> waiting() {
        return views.current().waiting();
    }

    @Override
    public Outcome confirm(WaitingPolicy waiting, String actor, String reason, Duration wait) {
        long offset = send(() -> publisher.confirm(waiting.key(), waiting.sourceOffset(), actor, reason));
        PolicyView view = await(now -> now.sourceOffset() >= offset, wait);
        boolean isInForce = view.sourceOffset() >= offset && !view.waiting().contains(waiting);
        return new Outcome(isInForce, view.policies().version());
    }

    /** Whether every partition acts on the holds of that view: from then on they always win (M-18). */
    private boolean isConfirmed(PolicyView view, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        while (!areHoldsConfirmed.test(view.holdVersion())) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    /** Whether the gate has read the records up to that offset, and the brake does not ask about any of them any more. */
    private static boolean isDecided(PolicyView view, long before, long offset) {
        return view.sourceOffset() >= offset
                && view.waiting().stream()
                        .filter(waiting -> waiting.sourceOffset() > before && waiting.sourceOffset() <= offset)
                        .allMatch(waiting -> waiting.finding() != null);
    }

    /** The first view of that kind, or what there is when the wait ends. */
    private PolicyView await(Predicate<PolicyView> isIt, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        PolicyView view = views.current();
        while (!isIt.test(view) && System.nanoTime() - deadline < 0) {
            pause();
            view = views.current();
        }
        return view;
    }

    private static long send(LongSupplier publication) {
        try {
            return publication.getAsLong();
        } catch (KafkaException e) {
            throw new UnavailableException("the broker did not take the policies; nothing has changed", e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
