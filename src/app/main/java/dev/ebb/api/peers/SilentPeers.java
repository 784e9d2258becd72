package dev.ebb.api.peers;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Instances that have let a question wait until its time was over, as one does whose process is frozen or whose machine is
 * gone. Each is asked in the background whether it is back, and meanwhile no caller waits for it again. Thread-safe.
 */
final class SilentPeers {

    /** Longest wait for the first sign of life, for which the next callers wait too: a slow answer is no silence. */
    private static final Duration FIRST_PROBE = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Time without a question after which an instance is forgotten: it may have gone for good. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(1);

    private final BiFunction<String, Duration, CompletableFuture<Boolean>> probe;
    private final Duration patience;
    private final Map<String, Silence> silences = new ConcurrentHashMap<>();

    /**
     * @param probe asks an address for any answer within a time; never fails, and true is an answer
     * @param patience the longest time for an answer
     */
    SilentPeers(BiFunction<String, Duration, CompletableFuture<Boolean>> probe, Duration patience) {
        this.probe = probe;
        this.patience = patience;
    }

    /** Silence of an instance since a moment; {@code first} is true if the instance answered the first probe. */
    private static final class Silence {

        private final Instant since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        private final CompletableFuture<Boolean> first = new CompletableFuture<>();
        private volatile long askedNanos = System.nanoTime();

        boolean isForgotten() {
            return System.nanoTime() - askedNanos > FORGOTTEN.toNanos();
        }
    }

    /** Notes that a question to the instance was not answered in time, and looks for a sign of life. */
    void timedOut(String address) {
        Silence fresh = new Silence();
        if (silences.putIfAbsent(address, fresh) == null) {
            Duration limit = FIRST_PROBE.compareTo(patience) < 0 ? FIRST_PROBE : patience;
            var unused = probe.apply(address, limit).thenAccept(isBack -> {
                goOn(address, fresh, isBack);
                fresh.first.complete(isBack);
            });
        }
    }

    /** Asks the instance, or answers for it if it is silent. */
    CompletableFuture<PeerAnswer> unlessSilent(String address, Supplier<CompletableFuture<PeerAnswer>> question) {
        @Nullable Silence silence = silences.get(address);
        if (silence == null) {
            return question.get();
        }
        silence.askedNanos = System.nanoTime();
        String reason = "it has not answered since " + silence.since + ", and is asked each second whether it is back";
        return silence.first.thenCompose(
                isBack -> isBack ? question.get() : CompletableFuture.completedFuture(PeerAnswer.failed(reason)));
    }

    private void goOn(String address, Silence silence, boolean isBack) {
        if (isBack || silence.isForgotten()) {
            silences.remove(address, silence);
            return;
        }
        Executor later = CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        var unused = CompletableFuture.runAsync(() -> {}, later)
                .thenCompose(paused -> probe.apply(address, patience))
                .thenAccept(answered -> goOn(address, silence, answered));
    }
}
