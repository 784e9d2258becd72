package dev.ebb.api.names;

import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.domain.Spelling;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.EventQueries;
import dev.ebb.port.EventQueries.EventQuery;
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

    /** Most streams of a namespace, or events of a stream, among which the nearest is looked for. */
    private static final int MOST_LOOKED_AT = 1000;

    private static final String ASTERISK =
            "; '*' in a name is an asterisk: namespace:<name> covers all streams of a namespace, and * everything";

    /** Time within which a new stream shows: it is there from its first event on, but counted a moment later. */
    private static final Duration SHOWS_WITHIN = Duration.ofSeconds(3);

    /** Quarters of the time within which a new stream shows, for which the looks again are waited for in turn. */
    private static final List<Integer> PAUSES = List.of(1, 3);

    /** The longest time for which looks may take beside the pauses; names left over are not said to be missing. */
    private static final Duration LOOKS_TAKE = Duration.ofSeconds(3);

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
     * Returns the sentences about those of the scopes that cover no stream. They are looked at again twice, within the
     * time that a new stream may take to show, since a refusal is about what is stored, not about figures. A name with
     * an asterisk is taken for a mistake at once. Scopes for which the time does not suffice are left out.
     */
    public Map<Scope, String> lastingGaps(Context ctx, Collection<Scope> scopes) {
        long deadline = System.nanoTime() + patience.plus(LOOKS_TAKE).toNanos();
        Map<Scope, String> gaps = gaps(new Look(ctx), scopes, deadline);
        for (int quarters : PAUSES) {
            List<Scope> unsure = gaps.keySet().stream()
                    .filter(scope -> scope.name().indexOf('*') < 0)
                    .toList();
            if (unsure.isEmpty()
                    || isOver(deadline)
                    || !pause(patience.multipliedBy(quarters).dividedBy(4))) {
                break;
            }
            Look look = new Look(ctx);
            unsure.stream()
                    .filter(scope -> !isOver(deadline) && !look.isMissing(scope))
                    .forEach(gaps::remove);
        }
        return gaps;
    }

    private static Map<Scope, String> gaps(Look look, Collection<Scope> scopes, long deadline) {
        Map<Scope, String> gaps = new HashMap<>();
        for (Scope scope : scopes) {
            String gap = isOver(deadline) ? null : look.gap(scope);
            if (gap != null) {
                gaps.put(scope, gap);
            }
        }
        return gaps;
    }

    private static boolean isOver(long deadline) {
        return System.nanoTime() - deadline >= 0;
    }

    /** Returns false if the thread is to end. */
    private static boolean pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns a sentence about a scope that covers no stream now; null if it covers one, or if that is unknown. */
    public @Nullable String gap(Context ctx, Scope scope) {
        return new Look(ctx).gap(scope);
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
                                    .streams(new StreamQuery("", namespace, null, MOST_LOOKED_AT), kept())
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

    /**
     * Returns the text about the event among the first ones of the stream that was probably meant; empty if there is none, or
     * if the stream is not on this instance.
     */
    public String nearestEvent(String stream, String id) {
        if (StreamName.problem(stream) != null) {
            return "";
        }
        try {
            List<String> known = events
                    .events(new StreamName(stream), new EventQuery(true, null, null, null, null, MOST_LOOKED_AT))
                    .events()
                    .stream()
                    .map(one -> one.event().event().id().value())
                    .toList();
            return known.contains(id) ? "" : near(id, known);
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

    private static String near(String name, Collection<String> known) {
        return Spelling.closest(name, known)
                .map(near -> "; the nearest is '" + near + "'")
                .orElse("");
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

    /** One look at the names of all instances, which gathers the namespaces once at most. Used by one thread. */
    private final class Look {

        private final Context ctx;
        private @Nullable Gathered<StatusView> gathered;

        Look(Context ctx) {
            this.ctx = ctx;
        }

        /** Returns as {@link KnownNames#gap} does. */
        @Nullable
        String gap(Scope scope) {
            try {
                return isMissing(scope) ? withAsterisk(scope.name(), sentence(scope)) : null;
            } catch (NotReadyException | OtherInstanceException e) {
                return null;
            }
        }

        /** Returns true if the scope covers no stream now; false if it covers one, or if that is unknown. */
        boolean isMissing(Scope scope) {
            try {
                return switch (scope.kind()) {
                    case STREAM -> isMissingStream(scope.name());
                    case NAMESPACE -> isMissingNamespace(scope.name());
                    case PATTERN, ALL -> false;
                };
            } catch (NotReadyException | OtherInstanceException e) {
                return false;
            }
        }

        private boolean isMissingStream(String name) {
            if (StreamName.problem(name) != null) {
                return false;
            }
            Set<String> found = streams(ctx, name, null, 1);
            return found != null && !found.contains(name);
        }

        private boolean isMissingNamespace(String name) {
            if (local().contains(name)) {
                return false;
            }
            Set<String> known = namespaces();
            return known != null && !known.contains(name) && !hasStream(name);
        }

        /** Returns true if the namespace has a stream that is not in the figures yet, or if that is unknown. */
        private boolean hasStream(String namespace) {
            Set<String> found = streams(ctx, "", namespace, 1);
            return found == null
                    || found.stream()
                            .anyMatch(name -> new StreamName(name).namespace().equals(namespace));
        }

        private String sentence(Scope scope) {
            String name = scope.name();
            if (scope.kind() == Scope.Kind.NAMESPACE) {
                Set<String> known = namespaces();
                return "no stream is in the namespace '" + name + "' now" + (known == null ? "" : near(name, known));
            }
            String gap = "there is no stream '" + name + "' now";
            String namespace = new StreamName(name).namespace();
            Set<String> siblings = streams(ctx, "", namespace, MOST_LOOKED_AT);
            if (siblings != null && !siblings.isEmpty()) {
                return gap + near(name, siblings);
            }
            Set<String> known = namespaces();
            return known == null ? gap : gap + nearNamespace(namespace, known);
        }

        /** Returns all namespaces; null if an instance gave no answer. */
        private @Nullable Set<String> namespaces() {
            if (gathered == null) {
                gathered = gathering.all(ctx, "/v1/status", StatusView.class, status::status);
            }
            Set<String> names = new TreeSet<>();
            gathered.answers().forEach(one -> names.addAll(one.namespaces().keySet()));
            return gathered.unanswered().isEmpty() ? names : null;
        }
    }
}
