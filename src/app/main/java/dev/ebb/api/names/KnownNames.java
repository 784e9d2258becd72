package dev.ebb.api.names;

import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.domain.Spelling;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.EventQueries;
import dev.ebb.port.EventQueries.StreamQuery;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.Placement;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.wire.events.StreamView;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether streams and namespaces exist now, on this instance or another one, and which existing name is the
 * nearest. An instance that gives no answer may have the name, so nothing is said then. Thread-safe.
 */
public final class KnownNames {

    /** Most streams of a namespace among which the nearest is looked for. */
    private static final int MOST_STREAMS = 1000;

    private static final String ASTERISK =
            "; '*' in a name is an asterisk: namespace:<name> covers all streams of a namespace, and * everything";

    /** Time within which a new stream shows: it is there from its first event on, but counted a moment later. */
    private static final Duration SHOWS_WITHIN = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final StatusSource status;
    private final EventQueries events;
    private final Placement placement;
    private final Gathering gathering;
    private final Duration patience;

    /** @param wait the longest time for which a request may wait */
    public KnownNames(ApiPorts ports, Placement placement, Gathering gathering, Duration wait) {
        this.patience = wait.compareTo(SHOWS_WITHIN) < 0 ? wait : SHOWS_WITHIN;
        this.status = ports.status();
        this.events = ports.events();
        this.placement = placement;
        this.gathering = gathering;
    }

    /**
     * Returns the sentences about those of the scopes that cover no stream. A scope for which there is one is looked at
     * again for as long as a new stream may take to show, since a refusal is about what is stored, not about figures.
     */
    public Map<Scope, String> lastingGaps(Context ctx, Collection<Scope> scopes) {
        long deadline = System.nanoTime() + patience.toNanos();
        Map<Scope, String> gaps = gaps(ctx, scopes);
        while (!gaps.isEmpty() && System.nanoTime() < deadline && pause()) {
            gaps = gaps(ctx, gaps.keySet());
        }
        return gaps;
    }

    private Map<Scope, String> gaps(Context ctx, Collection<Scope> scopes) {
        Map<Scope, String> gaps = new HashMap<>();
        for (Scope scope : scopes) {
            String gap = gap(ctx, scope);
            if (gap != null) {
                gaps.put(scope, gap);
            }
        }
        return gaps;
    }

    /** Returns false if the thread is to end. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns a sentence about a scope that covers no stream now; null if it covers one, or if that is unknown. */
    public @Nullable String gap(Context ctx, Scope scope) {
        try {
            return switch (scope.kind()) {
                case STREAM -> withAsterisk(scope.name(), gapOfStream(ctx, scope.name()));
                case NAMESPACE -> withAsterisk(scope.name(), gapOfNamespace(ctx, scope.name()));
                case PATTERN, ALL -> null;
            };
        } catch (NotReadyException | OtherInstanceException e) {
            return null;
        }
    }

    /**
     * Returns the text about the stream or namespace of this instance that was probably meant; empty if there is none. No
     * other instance is asked, since a caller may often ask for missing names.
     */
    public String nearest(Scope scope) {
        try {
            return switch (scope.kind()) {
                case STREAM -> {
                    String namespace = new StreamName(scope.name()).namespace();
                    List<String> siblings =
                            events
                                    .streams(new StreamQuery("", namespace, null, MOST_STREAMS), kept())
                                    .streams()
                                    .stream()
                                    .map(usage -> usage.stream().value())
                                    .toList();
                    if (siblings.contains(scope.name())) {
                        yield "";
                    }
                    yield siblings.isEmpty() ? nearNamespace(namespace, local()) : near(scope.name(), siblings);
                }
                case NAMESPACE -> near(scope.name(), local());
                case PATTERN, ALL -> "";
            };
        } catch (NotReadyException | OtherInstanceException e) {
            return "";
        }
    }

    private Set<String> local() {
        return status.namespaces(kept()).keySet();
    }

    private static String nearNamespace(String namespace, Collection<String> known) {
        return Spelling.closest(namespace, known)
                .map(near -> "; the nearest namespace is '" + near + "'")
                .orElse("");
    }

    private static @Nullable String withAsterisk(String name, @Nullable String gap) {
        return gap != null && name.indexOf('*') >= 0 ? gap + ASTERISK : gap;
    }

    private @Nullable String gapOfNamespace(Context ctx, String name) {
        if (local().contains(name)) {
            return null;
        }
        Set<String> known = namespaces(ctx);
        if (known == null || known.contains(name) || hasStream(ctx, name)) {
            return null;
        }
        return "no stream is in the namespace '" + name + "' now" + near(name, known);
    }

    /** Returns true if the namespace has a stream that is not in the figures yet, or if that is unknown. */
    private boolean hasStream(Context ctx, String namespace) {
        Set<String> found = streams(ctx, "", namespace, 1);
        return found == null
                || found.stream()
                        .anyMatch(name -> new StreamName(name).namespace().equals(namespace));
    }

    private @Nullable String gapOfStream(Context ctx, String name) {
        if (StreamName.problem(name) != null) {
            return null;
        }
        String namespace = new StreamName(name).namespace();
        Set<String> found = streams(ctx, name, null, 1);
        if (found == null || found.contains(name)) {
            return null;
        }
        String gap = "there is no stream '" + name + "' now";
        Set<String> siblings = streams(ctx, "", namespace, MOST_STREAMS);
        if (siblings != null && !siblings.isEmpty()) {
            return gap + near(name, siblings);
        }
        Set<String> known = namespaces(ctx);
        return known == null ? gap : gap + nearNamespace(namespace, known);
    }

    private static String near(String name, Collection<String> known) {
        return Spelling.closest(name, known)
                .map(near -> "; the nearest is '" + near + "'")
                .orElse("");
    }

    /** Returns all namespaces; null if an instance gave no answer. */
    private @Nullable Set<String> namespaces(Context ctx) {
        Gathered<StatusView> gathered = gathering.all(ctx, "/v1/status", StatusView.class, status::status);
        Set<String> names = new TreeSet<>();
        gathered.answers().forEach(one -> names.addAll(one.namespaces().keySet()));
        return gathered.unanswered().isEmpty() ? names : null;
    }

    /** Returns the first streams of all instances; null if an instance gave no answer. */
    private @Nullable Set<String> streams(Context ctx, String prefix, @Nullable String namespace, int limit) {
        String path = "/v1/streams?limit=" + limit
                + (prefix.isEmpty() ? "" : "&prefix=" + encoded(prefix))
                + (namespace == null ? "" : "&namespace=" + encoded(namespace));
        Gathered<StreamView.Page> gathered = gathering.all(
                ctx, path, StreamView.Page.class, () -> page(new StreamQuery(prefix, namespace, null, limit)));
        Set<String> names = new TreeSet<>();
        gathered.answers().forEach(page -> page.streams().forEach(one -> names.add(one.stream())));
        return gathered.unanswered().isEmpty() ? names : null;
    }

    private StreamView.Page page(StreamQuery query) {
        List<StreamView> streams = events.streams(query, kept()).streams().stream()
                .map(one -> StreamView.of(one, false, EventQueries.NextDue.NONE))
                .toList();
        return new StreamView.Page(streams, null, List.of(), List.of());
    }

    private Collection<Integer> kept() {
        Set<Integer> kept = new TreeSet<>();
        placement.keepers().forEach((partition, address) -> {
            if (address.equals(placement.self())) {
                kept.add(partition);
            }
        });
        return kept;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
