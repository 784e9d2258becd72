package dev.ebb.api.peers;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.Audience;
import dev.ebb.api.http.PathNames;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.Placement;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets any instance answer for every stream: a request about a stream of another instance is passed on to that
 * instance, once, and its answer is passed back. Thread-safe.
 *
 * @param patient limits the reads that wait for a partition on its way
 */
public record Forwarding(PeerClient client, PeerAccess access, Placement placement, Semaphore patient) {

    /** Most look-ups of the keeper of a partition that has just moved. */
    public static final int ROUNDS = 3;

    private static final Duration PAUSE = Duration.ofMillis(200);
    /**
     * Time for which a question that a copy may answer is repeated; where there is no copy, the caller waits that long.
     */
    private static final Duration COPY_PATIENCE = Duration.ofSeconds(5);

    /** Time that a move between instances usually takes: for that long, a read waits rather than fails. */
    private static final Duration MOVE_PATIENCE = Duration.ofSeconds(5);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Returns true if copies may answer the request. */
    static boolean mayBeStale(Context ctx) {
        String given = ctx.queryParam(ApiRoute.STALE);
        return given != null && !given.equals("false");
    }

    /**
     * Returns a route that answers for all instances. A request from another instance is answered by this instance
     * alone.
     */
    public Handler around(Handler route) {
        return ctx -> {
            access.check(ctx);
            if (PeerAccess.isForwarded(ctx)) {
                route.handle(ctx);
            } else {
                answer(route, ctx);
            }
        };
    }

    /**
     * Returns the answer of this instance, or else of the instance that keeps the requested data, for work that no
     * request waits for.
     *
     * @param local answers from this instance
     * @param question the request to the other instance
     * @throws NotReadyException if the requested data is moving, or the other instance gives no answer
     */
    public <T> T answer(Supplier<T> local, PeerQuestion question, Class<T> type) {
        try {
            return local.get();
        } catch (OtherInstanceException e) {
            PeerAnswer answer = client.ask(e.address(), question).join();
            @Nullable T read = answer.isGood() ? ApiJson.read(answer.body(), type) : null;
            if (read == null) {
                throw unanswered(e, Gathering.whyNot(answer));
            }
            return read;
        }
    }

    private void answer(Handler route, Context ctx) throws Exception {
        NotReadyException first = problem(route, ctx);
        if (first == null) {
            return;
        }
        Duration patience = patience(ctx, first);
        if (patience.isZero() || !patient.tryAcquire()) {
            throw first;
        }
        try {
            long begin = System.nanoTime();
            for (NotReadyException last = first; last != null; last = problem(route, ctx)) {
                if (System.nanoTime() - begin >= patience.toNanos()) {
                    throw last;
                }
                pause();
            }
        } finally {
            patient.release();
        }
    }

    /**
     * Returns the time for which a question is repeated. While a copy becomes the keeper, or the keeper a copy, there are
     * moments in which neither can be read.
     */
    private static Duration patience(Context ctx, NotReadyException e) {
        if (!HandlerType.GET.equals(ctx.method())) {
            return Duration.ZERO;
        }
        if (isOfCopies(ctx)) {
            return COPY_PATIENCE;
        }
        return e.isSoonOver(MOVE_PATIENCE) ? MOVE_PATIENCE : Duration.ZERO;
    }

    private static boolean isOfCopies(Context ctx) {
        return ctx.pathParamMap().containsKey("stream") && mayBeStale(ctx);
    }

    /** Returns the reason why neither the keeper nor a copy answers; null if the request is answered. */
    private @Nullable NotReadyException problem(Handler route, Context ctx) throws Exception {
        try {
            answerOfKeeper(route, ctx);
            return null;
        } catch (NotReadyException e) {
            return isOfCopies(ctx) && answerOfCopy(route, ctx) ? null : e;
        }
    }

    private void answerOfKeeper(Handler route, Context ctx) throws Exception {
        for (int round = 1; !isAnswered(route, ctx); round++) {
            if (round == ROUNDS) {
                throw NotReadyException.moving("the partition is moving between instances", RETRY_AFTER, List.of());
            }
            pause();
        }
    }

    /** Returns false if the supposed keeper says that another instance keeps the partition. */
    private boolean isAnswered(Handler route, Context ctx) throws Exception {
        try {
            route.handle(ctx);
            return true;
        } catch (OtherInstanceException e) {
            PeerAnswer answer = client.ask(e.address(), PeerQuestion.of(ctx)).join();
            requireReady(answer, e);
            if (!answer.isElsewhere()) {
                answer.writeTo(ctx, e.address());
            }
            return !answer.isElsewhere();
        }
    }

    private static void requireReady(PeerAnswer answer, OtherInstanceException e) {
        if (!answer.isAsked()) {
            throw e.notAsked(String.valueOf(answer.failure()));
        }
        if (answer.failure() != null) {
            throw unanswered(e, answer.failure());
        }
        if (answer.isNotReady()) {
            throw answer.notReady(e.address());
        }
    }

    private static NotReadyException unanswered(OtherInstanceException e, String reason) {
        return new NotReadyException(
                e.what() + " is kept by the instance at " + e.address() + ", which does not answer: " + reason
                        + ". If it does not come back, another instance takes over",
                RETRY_AFTER);
    }

    /**
     * Asks the instances that have a copy, one by one, then the instance that restores the partition, then all others:
     * the known copies are those of the last assignment, and a copy exists before and after it as well.
     */
    private boolean answerOfCopy(Handler route, Context ctx) throws Exception {
        StreamName stream = PathNames.stream(ctx);
        int partition = placement.partitionOf(stream);
        Set<String> addresses = new LinkedHashSet<>(placement.followers(partition));
        String keeper = placement.keepers().get(partition);
        if (keeper != null) {
            addresses.add(keeper);
        }
        addresses.add(placement.self());
        addresses.addAll(placement.instances());
        for (String address : addresses) {
            if (address.equals(placement.self()) ? isAnsweredHere(route, ctx) : isAnsweredBy(address, ctx)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAnsweredHere(Handler route, Context ctx) throws Exception {
        PeerAccess.readCopies(ctx, true);
        try {
            route.handle(ctx);
            return true;
        } catch (NotReadyException | OtherInstanceException e) {
            return false;
        } finally {
            PeerAccess.readCopies(ctx, false);
        }
    }

    private boolean isAnsweredBy(String address, Context ctx) {
        PeerAnswer answer = client.ask(address, PeerQuestion.of(ctx).ofCopy()).join();
        if (answer.isGood()) {
            answer.writeTo(ctx, address);
        }
        return answer.isGood();
    }

    /** Waits until the other instances have learned of the move too. */
    static void pause() {
        Audience.require();
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
