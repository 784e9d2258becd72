package dev.ebb.api.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.domain.Spelling;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.WireJson;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says that a name of a request matches nothing now, and names the nearest that exists (O-23): in the field {@value
 * WireJson#HINTS} of an answer that is empty, and in the message that something was not found. Wraps every route, so no
 * route
 * can forget it; where the names exist, it costs a look at the names of this instance. Thread-safe.
 */
public record UnmatchedNames(KnownNames names, PolicyAdmin policies) {

    /** Lists that are not what was asked for. */
    private static final Set<String> BESIDE = Set.of("unanswered", "stale", "buckets", WireJson.HINTS);

    /** Routes that answer for any name of a stream. */
    private static final Set<String> OF_ANY_STREAM =
            Set.of("/v1/streams/{stream}/policy", "/v1/streams/{stream}/explain");

    /** Most bytes of a body that is looked through for names; a command is far shorter. */
    private static final int MOST_BYTES = 1 << 16;

    private static final int MOST_NAMES = 10;

    private static final int NOT_FOUND = 404;

    /** The beginning of a refusal where the stream exists and the event does not. */
    private static final String NO_EVENT = "there is no event ";

    /** The version of a policy, behind its name. */
    private static final Pattern VERSION = Pattern.compile("@\\d*$");

    /** Returns the handler of a route with notes about its names. */
    public Handler around(String path, Handler route) {
        return ctx -> {
            try {
                route.handle(ctx);
            } catch (ProblemException e) {
                throw e.isNotFound() ? e.with(nearestOfPath(ctx, String.valueOf(e.getMessage()))) : e;
            }
            // The instance that was asked first says it for all; the route itself has found out who asks.
            if (!PeerAccess.isForwarded(ctx)) {
                note(ctx, OF_ANY_STREAM.contains(path));
                completeRefusal(ctx);
            }
        };
    }

    /** Adds the nearest name to the refusal of a command on something that does not exist. */
    private void completeRefusal(Context ctx) {
        if (ctx.statusCode() != NOT_FOUND || !(answerOf(ctx) instanceof ObjectNode refusal)) {
            return;
        }
        String detail = refusal.path("detail").asText();
        String near = nearestOfPath(ctx, detail);
        if (!near.isEmpty() && !detail.endsWith(near)) {
            ctx.result(ApiJson.bytes(refusal.put("detail", detail + near)));
        }
    }

    /**
     * Returns the nearest name to the one that the path names in vain. Only the keeper of a stream knows its events, so it
     * says it to the instance that was asked first, which says all else.
     */
    private String nearestOfPath(Context ctx, String detail) {
        String stream = ctx.pathParamMap().get("stream");
        String event = ctx.pathParamMap().getOrDefault("id", ctx.queryParam("event"));
        if (stream != null && event != null && detail.startsWith(NO_EVENT)) {
            return names.nearestEvent(stream, event);
        }
        if (PeerAccess.isForwarded(ctx)) {
            return "";
        }
        String namespace = ctx.pathParamMap().get("namespace");
        String scope = ctx.pathParamMap().get("scope");
        String caseId = ctx.pathParamMap().get("case");
        if (scope != null || caseId != null) {
            return nearestOfPolicies(scope == null ? "hold:" + caseId : scope);
        }
        Scope meant = stream != null ? scope("stream", stream) : scope("namespace", namespace);
        return meant == null ? "" : names.nearest(meant);
    }

    private Set<String> knownPolicies() {
        PolicySet current = policies.current();
        return Stream.concat(
                        Stream.concat(current.policies().keySet().stream(), current.builtIn().all().keySet().stream())
                                .map(PolicyKey::of),
                        current.holds().keySet().stream().map(PolicyKey::ofHold))
                .map(PolicyKey::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String nearestOfPolicies(String key) {
        return Spelling.closest(key, knownPolicies())
                .map(near -> "; the nearest is '" + near.replaceFirst("^hold:", "") + "'")
                .orElse("");
    }

    private void note(Context ctx, boolean isOfAnyStream) {
        int status = ctx.statusCode();
        byte[] body = RequestBody.read(ctx);
        // Bodies may be long where answers are short, such as that to a batch of events.
        if ((status != 200 && status != 202) || (body != null && !isEmpty(answerOf(ctx)))) {
            return;
        }
        List<String> gaps = Stream.concat(
                        Stream.of(gapOfNamespace(ctx.queryParam("namespace")), gapOfPolicy(ctx.queryParam("policy"))),
                        named(ctx, body, isOfAnyStream).stream().map(scope -> names.gap(ctx, scope)))
                .filter(Objects::nonNull)
                .toList();
        if (!gaps.isEmpty() && answerOf(ctx) instanceof ObjectNode answer && (isOfAnyStream || isEmpty(answer))) {
            ArrayNode hints = answer.putArray(WireJson.HINTS);
            gaps.forEach(hints::add);
            ApiJson.answer(ctx, answer);
        }
    }

    /** Returns a sentence about a text that can be no namespace; null if it can be one. */
    private static @Nullable String gapOfNamespace(@Nullable String namespace) {
        return namespace == null || namespace.indexOf('/') < 0
                ? null
                : "a namespace has no '/': '" + namespace + "' is the name of a stream";
    }

    /** Returns a sentence about a policy or hold that is not in force, with its version or without; null if it is. */
    private @Nullable String gapOfPolicy(@Nullable String named) {
        if (named == null) {
            return null;
        }
        String key = VERSION.matcher(named).replaceFirst("");
        Set<String> known = knownPolicies();
        return known.contains(key) || known.contains(named)
                ? null
                : "no policy or hold '" + named + "' is in force now" + nearestOfPolicies(key);
    }

    private static @Nullable JsonNode answerOf(Context ctx) {
        return ApiJson.parse(String.valueOf(ctx.result()));
    }

    private static List<Scope> named(Context ctx, byte @Nullable [] body, boolean isOfAnyStream) {
        List<@Nullable Scope> scopes = new ArrayList<>();
        scopes.add(scope("namespace", ctx.queryParam("namespace")));
        scopes.add(scope("stream", ctx.queryParam("stream")));
        scopes.add(scope("namespace", ctx.pathParamMap().get("namespace")));
        // Only commands go on where the stream of the path is missing; reads answer that it is not found.
        if (isOfAnyStream || (body != null && ctx.pathParamMap().containsKey("stream"))) {
            scopes.add(scope("stream", ctx.pathParam("stream")));
        }
        JsonNode json = body == null || body.length > MOST_BYTES
                ? null
                : ApiJson.parse(new String(body, StandardCharsets.UTF_8));
        if (json != null && json.isObject()) {
            scopes.add(scope("namespace", json.path("namespace").textValue()));
            scopes.add(scope("stream", json.path("stream").textValue()));
            scopes.add(parsed(json.path("scope").textValue()));
            json.path("streams").forEach(stream -> scopes.add(scope("stream", stream.textValue())));
        }
        return scopes.stream()
                .filter(Objects::nonNull)
                .distinct()
                .limit(MOST_NAMES)
                .toList();
    }

    private static @Nullable Scope scope(String kind, @Nullable String name) {
        return name == null || name.isEmpty() ? null : parsed(kind + ":" + name);
    }

    private static @Nullable Scope parsed(@Nullable String text) {
        try {
            return text == null ? null : Scope.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns true if a list is empty, or if a command has found nothing. */
    private static boolean isEmpty(@Nullable JsonNode answer) {
        if (answer == null || !answer.isObject()) {
            return false;
        }
        JsonNode outcome = answer.path("outcome");
        if (outcome.isObject()) {
            List<JsonNode> counts = Stream.of("streamsProcessed", "streams", "eventsDeleted", "events")
                    .filter(outcome::has)
                    .map(outcome::path)
                    .toList();
            return !counts.isEmpty() && counts.stream().allMatch(count -> count.asLong() == 0);
        }
        return answer.properties().stream()
                        .anyMatch(field -> field.getValue().isArray() && !BESIDE.contains(field.getKey()))
                && answer.properties().stream()
                        .noneMatch(field -> !field.getValue().isEmpty()
                                && field.getValue().isArray()
                                && !BESIDE.contains(field.getKey()));
    }
}
