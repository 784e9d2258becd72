package dev.ebb.api.peers;

import dev.ebb.api.http.ApiJson;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.Placement;
import dev.ebb.wire.UnansweredView;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts together the answers of all instances, each of which answers for the partitions that it keeps. Thread-safe. */
public record Gathering(PeerClient client, Placement placement) {

    /**
     * Partitions for which one instance answers.
     *
     * @param partitions the partitions, lowest first
     * @param isOfCopy true if copies of the partitions answer
     */
    public record Share(NavigableSet<Integer> partitions, boolean isOfCopy) {}

    /**
     * Answers of all instances: every partition is in exactly one answer, or its instance is among those that gave
     * none.
     *
     * @param answers at least one answer
     */
    public record Gathered<T>(List<T> answers, List<UnansweredView> unanswered) {}

    /**
     * Asks all instances at once. An instance that another one asks answers for its own share alone.
     *
     * @param type type of the answer of this route at another instance
     * @param local answers for partitions of this instance
     * @throws NotReadyException if a partition restores or moves, or no instance answered
     */
    public <T> Gathered<T> gather(Context ctx, Class<T> type, Function<Share, T> local) {
        if (PeerAccess.isForwarded(ctx)) {
            Share share = new Share(asked(ctx), PeerAccess.isOfCopy(ctx));
            return new Gathered<>(List.of(local.apply(share)), List.of());
        }
        return new GatheringRun<>(placement, asking(ctx, type, local), Forwarding.mayBeStale(ctx)).run();
    }

    private <T> Asking<T> asking(Context ctx, Class<T> type, Function<Share, T> local) {
        PeerQuestion question = PeerQuestion.of(ctx);
        return new Asking<>() {
            @Override
            public CompletableFuture<PeerAnswer> remote(String address, Share share) {
                PeerQuestion part = question.about(share.partitions());
                return client.ask(address, share.isOfCopy() ? part.ofCopy() : part);
            }

            @Override
            public T local(Share share) {
                return local.apply(share);
            }

            @Override
            public @Nullable T read(PeerAnswer answer) {
                return ApiJson.read(answer.body(), type);
            }
        };
    }

    /**
     * Asks all known instances about themselves.
     *
     * @param path the path at which each instance answers for itself
     */
    public <T> Gathered<T> all(Context ctx, String path, Class<T> type, Supplier<T> local) {
        Map<String, CompletableFuture<PeerAnswer>> asked = askOthers(ctx, path);
        List<T> answers = new ArrayList<>(List.of(local.get()));
        List<UnansweredView> unanswered = new ArrayList<>();
        asked.forEach((address, future) -> {
            PeerAnswer answer = future.join();
            @Nullable T read = answer.isGood() ? ApiJson.read(answer.body(), type) : null;
            if (read == null) {
                unanswered.add(new UnansweredView(address, kept(address), whyNot(answer)));
            } else {
                answers.add(read);
            }
        });
        return new Gathered<>(answers, unanswered);
    }

    private Map<String, CompletableFuture<PeerAnswer>> askOthers(Context ctx, String path) {
        PeerQuestion question = PeerQuestion.of(ctx).at(path);
        Map<String, CompletableFuture<PeerAnswer>> asked = new TreeMap<>();
        if (!PeerAccess.isForwarded(ctx)) {
            placement.instances().stream()
                    .filter(address -> !address.equals(placement.self()))
                    .forEach(address -> asked.put(address, client.ask(address, question)));
        }
        return asked;
    }

    private List<Integer> kept(String address) {
        try {
            return placement.keepers().entrySet().stream()
                    .filter(kept -> kept.getValue().equals(address))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .toList();
        } catch (NotReadyException e) {
            return List.of();
        }
    }

    private NavigableSet<Integer> asked(Context ctx) {
        NavigableSet<Integer> named = PeerAccess.partitions(ctx);
        return named == null ? new TreeSet<>(kept(placement.self())) : named;
    }

    /** Returns the reason why the answer cannot be used. */
    static String whyNot(PeerAnswer answer) {
        if (answer.failure() != null) {
            return answer.failure();
        }
        return answer.isGood() ? "this version does not understand its answer" : answer.detail();
    }

    /** Returns all partitions. */
    static NavigableSet<Integer> all(int partitions) {
        return IntStream.range(0, partitions).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    /** A question for one share. */
    interface Asking<T> {

        CompletableFuture<PeerAnswer> remote(String address, Share share);

        T local(Share share);

        /** Returns the content of the answer; null if it cannot be understood. */
        @Nullable
        T read(PeerAnswer answer);
    }
}
