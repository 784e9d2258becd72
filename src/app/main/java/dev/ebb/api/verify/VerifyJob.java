package dev.ebb.api.verify;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.UnavailableException;
import dev.ebb.wire.instance.VerificationView;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.State;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One comparison from start to result. Run it once; {@link #view} may be called from any thread. */
final class VerifyJob implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(VerifyJob.class);

    /** Most differences that are named one by one: all of them are in memory and in one answer. */
    private static final int MOST_NAMED = 10_000;

    private final String id;
    /** Most refused rows that are named one by one. */
    private static final int MOST_REFUSED = 1000;

    private final AllPartitions sides;
    private final Witness seen;
    private final Findings findings = new Findings(MOST_NAMED);
    private final Verification verification;
    private final boolean isRepair;
    private volatile Outcome outcome = new Outcome(State.RUNNING, "", null);

    /** @param repairs sends differing rows again; null for no repair */
    VerifyJob(String id, AllPartitions sides, int partitions, Duration patience, @Nullable Repairs repairs) {
        this.id = id;
        this.sides = sides;
        this.isRepair = repairs != null;
        this.seen = new Witness(sides, Clock.systemUTC());
        this.verification = new Verification(seen, partitions, VerifyJob::sleep, patience, repairs, findings);
    }

    private record Outcome(
            State state, String detail, @Nullable Result result) {}

    @Override
    public void run() {
        Outcome end = new Outcome(State.FAILED, "the comparison was cut short", null);
        try {
            seen.mark();
            verification.run();
            end = new Outcome(State.DONE, "", findings.result(isRepair, seen, sides.refused(MOST_REFUSED)));
        } catch (NotReadyException | UnavailableException e) {
            end = new Outcome(State.NOT_READY, String.valueOf(e.getMessage()), null);
        } catch (CancellationException e) {
            end = new Outcome(State.NOT_READY, "the instance stops", null);
        } catch (RuntimeException e) {
            LOG.warn("the comparison {} failed", id, e);
            end = new Outcome(State.FAILED, String.valueOf(e.getMessage()), null);
        } finally {
            outcome = end;
        }
    }

    String id() {
        return id;
    }

    boolean isRunning() {
        return outcome.state() == State.RUNNING;
    }

    VerificationView view() {
        Outcome now = outcome;
        String doing = Objects.requireNonNullElse(sides.waitsFor(), verification.doing());
        return new VerificationView(
                id, now.state(), doing, findings.streams(), findings.differences(), now.detail(), now.result());
    }

    /** @throws CancellationException if the instance stops */
    static void sleep(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException();
        }
    }
}
