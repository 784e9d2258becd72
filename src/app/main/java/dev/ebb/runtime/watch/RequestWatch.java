package dev.ebb.runtime.watch;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Notices requests that are not answered any more, and places for requests that are never free. Thread-safe. */
public final class RequestWatch {

    /** Time after which a request is dead: half a minute more than a connection may take for one. */
    static final Duration DEAD = Duration.ofSeconds(150);

    /** Dead requests from which on the instance cannot do its work: a single one may have a cause of its own. */
    static final int MOST_DEAD = 8;

    /** Time for which all places must have been taken. */
    static final Duration FULL = Duration.ofSeconds(30);

    private final int places;
    private final LongSupplier nanoTime;

    /** Requests that are being answered, the first one first. */
    private final Map<Object, Begun> running = new LinkedHashMap<>();

    /** Requests of callers who listen for news, for as long as they may: they have places, and nothing to end with. */
    private final Set<Object> listeners = Collections.newSetFromMap(new IdentityHashMap<>());

    private @Nullable Long fullSince;

    private record Begun(String route, long atNanos) {}

    /** @param places number of requests that are answered at the same time, see {@code api.max.requests} */
    public RequestWatch(int places, LongSupplier nanoTime) {
        this.places = places;
        this.nanoTime = nanoTime;
    }

    /**
     * Notes that a thread begins to answer a request.
     *
     * @param request identifies the request until its {@link #end}
     */
    synchronized void begin(Object request, String route) {
        long now = nanoTime.getAsLong();
        running.put(request, new Begun(route, now));
        lookForPlaces();
    }

    /** Notes that the caller listens for news from now on. */
    synchronized void listens(Object request) {
        if (running.remove(request) != null) {
            listeners.add(request);
        }
        lookForPlaces();
    }

    /** Notes that the thread has done with the request. */
    synchronized void end(Object request) {
        running.remove(request);
        listeners.remove(request);
        lookForPlaces();
    }

    /** Listeners alone are no reason: they are few, and let their places go by themselves. */
    private void lookForPlaces() {
        if (running.isEmpty() || running.size() + listeners.size() < places) {
            fullSince = null;
        } else if (fullSince == null) {
            fullSince = nanoTime.getAsLong();
        }
    }

    /** Returns the reason why requests are not answered; null if they are. */
    public synchronized @Nullable String problem() {
        long now = nanoTime.getAsLong();
        long dead = running.values().stream()
                .filter(one -> now - one.atNanos >= DEAD.toNanos())
                .count();
        if (dead >= MOST_DEAD) {
            Begun oldest = running.values().iterator().next();
            return dead + " requests do not end; the oldest, " + oldest.route + ", began "
                    + seconds(now - oldest.atNanos) + " ago";
        }
        return fullSince != null && now - fullSince >= FULL.toNanos()
                ? "all " + places + " places for requests have been taken for " + seconds(now - fullSince)
                : null;
    }

    private static String seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds() + " s";
    }
}
