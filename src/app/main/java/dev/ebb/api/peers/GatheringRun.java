package dev.ebb.api.peers;

import dev.ebb.api.peers.Gathering.Asking;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.Gathering.Share;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.Placement;
import dev.ebb.wire.UnansweredView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One question to all instances. Used once. */
final class GatheringRun<T> {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Placement placement;
    private final Asking<T> asking;
    private final boolean mayBeStale;
    private final NavigableSet<Integer> left;
    private final List<T> answers = new ArrayList<>();
    private final Map<Integer, Miss> missed = new TreeMap<>();

    /** @param mayBeStale true if copies may answer for partitions whose keeper gives no answer */
    GatheringRun(Placement placement, Asking<T> asking, boolean mayBeStale) {
        this.placement = placement;
        this.asking = asking;
        this.mayBeStale = mayBeStale;
        this.left = Gathering.all(placement.partitions());
    }

    /**
     * Reason why there is no answer for a partition.
     *
     * @param address the instance that was asked
     * @param notReady the refusal, which names what restores; null if the instance gave no answer at all
     */
    private record Miss(
            String address, String reason, @Nullable NotReadyException notReady) {}

    Gathered<T> run() {
        askKeepers();
        if (mayBeStale && !missed.isEmpty()) {
            ask(byAddress(missed.keySet(), this::copyOf), true);
        }
        requireReady();
        List<UnansweredView> unanswered = unanswered();
        if (answers.isEmpty()) {
            String reasons = unanswered.stream()
                    .map(one -> one.instance() + ": " + one.reason())
                    .collect(Collectors.joining("; "));
            throw new NotReadyException("no instance answers; " + reasons, RETRY_AFTER);
        }
        return new Gathered<>(answers, unanswered);
    }

    private void requireReady() {
        missed.values().stream()
                .map(Miss::notReady)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(notReady -> {
                    throw notReady;
                });
    }

    private void askKeepers() {
        for (int round = 1; round <= Forwarding.ROUNDS && !left.isEmpty(); round++) {
            if (round > 1) {
                Forwarding.pause();
            }
            ask(byAddress(left, placement.keepers()::get), false);
        }
        for (int partition : left) {
            String reason = "partition " + partition + " is moving between instances";
            missed.put(partition, new Miss("", reason, NotReadyException.moving(reason, RETRY_AFTER, List.of())));
        }
    }

    /** Groups partitions by address; leaves out a partition without one. */
    private static Map<String, NavigableSet<Integer>> byAddress(
            Collection<Integer> partitions, Function<Integer, @Nullable String> addressOf) {
        Map<String, NavigableSet<Integer>> groups = new TreeMap<>();
        for (Integer partition : partitions) {
            String address = addressOf.apply(partition);
            if (address != null) {
                groups.computeIfAbsent(address, key -> new TreeSet<>()).add(partition);
            }
        }
        return groups;
    }

    /** Returns an instance that follows the partition, or else the one that restores it. */
    private @Nullable String copyOf(int partition) {
        Miss miss = Objects.requireNonNull(missed.get(partition));
        return placement.followers(partition).stream()
                .filter(address -> !address.equals(miss.address()))
                .findFirst()
                .orElse(miss.notReady() == null || miss.address().isEmpty() ? null : miss.address());
    }

    /** Asks all other instances first, so that they work while this instance does. */
    private void ask(Map<String, NavigableSet<Integer>> groups, boolean isOfCopy) {
        Map<String, CompletableFuture<PeerAnswer>> asked = new TreeMap<>();
        groups.forEach((address, partitions) -> {
            if (!address.equals(placement.self())) {
                asked.put(address, asking.remote(address, new Share(partitions, isOfCopy)));
            }
        });
        NavigableSet<Integer> own = groups.get(placement.self());
        if (own != null) {
            answerHere(new Share(own, isOfCopy));
        }
        asked.forEach((address, answer) -> take(address, Objects.requireNonNull(groups.get(address)), answer.join()));
    }

    private void answerHere(Share share) {
        try {
            add(asking.local(share), share.partitions());
        } catch (NotReadyException e) {
            miss(share.partitions(), new Miss(placement.self(), String.valueOf(e.getMessage()), e));
        } catch (OtherInstanceException e) {
            // This instance has just lost the partitions: the next round asks their new instance.
        }
    }

    private void take(String address, NavigableSet<Integer> partitions, PeerAnswer answer) {
        if (answer.isElsewhere()) {
            return;
        }
        @Nullable T read = answer.isGood() ? asking.read(answer) : null;
        if (read != null) {
            add(read, partitions);
        } else {
            @Nullable NotReadyException notReady = answer.isNotReady() ? answer.notReady(address) : null;
            miss(partitions, new Miss(address, Gathering.whyNot(answer), notReady));
        }
    }

    private void add(T answer, NavigableSet<Integer> partitions) {
        answers.add(answer);
        left.removeAll(partitions);
        missed.keySet().removeAll(partitions);
    }

    private void miss(NavigableSet<Integer> partitions, Miss miss) {
        partitions.forEach(partition -> missed.putIfAbsent(partition, miss));
        left.removeAll(partitions);
    }

    private List<UnansweredView> unanswered() {
        Map<String, List<Integer>> byInstance = new TreeMap<>();
        missed.forEach((partition, miss) -> byInstance
                .computeIfAbsent(miss.address(), key -> new ArrayList<>())
                .add(partition));
        return byInstance.entrySet().stream()
                .map(entry -> new UnansweredView(
                        entry.getKey(),
                        entry.getValue(),
                        reason(entry.getValue().get(0))))
                .toList();
    }

    private String reason(Integer partition) {
        return Objects.requireNonNull(missed.get(partition)).reason();
    }
}
