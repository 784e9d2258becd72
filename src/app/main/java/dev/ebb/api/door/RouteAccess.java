package dev.ebb.api.door;

import static dev.ebb.api.access.Role.ADMIN;
import static dev.ebb.api.access.Role.OPERATOR;
import static dev.ebb.api.access.Role.VIEWER;
import static java.util.Map.entry;

import dev.ebb.api.access.Role;
import dev.ebb.api.http.ApiRoute;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Role that each route needs. A viewer may read; an operator may also send, sweep, plan, and delete in bulk within the
 * limits of statuses and holds; policies and holds, erasing by name, and passing over protection with {@code force}
 * need an admin.
 */
public final class RouteAccess {

    private static final Set<String> ANYONE = Set.of("GET /health/live", "GET /health/ready", "GET /health/started");

    private static final Map<String, Role> ROLES = Map.ofEntries(
            entry("GET /openapi.json", VIEWER),
            entry("GET /metrics", VIEWER),
            entry("GET /v1/status", VIEWER),
            entry("GET /v1/instances", VIEWER),
            entry("POST /v1/drain", ADMIN),
            entry("POST /v1/verify", VIEWER),
            entry("POST /v1/verify/repair", OPERATOR),
            entry("GET /v1/verify/{id}", VIEWER),
            entry("POST /v1/verify/stored", VIEWER),
            entry("POST /v1/verify/differences", VIEWER),
            entry("POST /v1/verify/look", VIEWER),
            entry("POST /v1/streams/{stream}/repair", OPERATOR),
            entry("GET /v1/namespaces", VIEWER),
            entry("GET /v1/namespaces/{namespace}", VIEWER),
            entry("GET /v1/namespaces/{namespace}/events", VIEWER),
            entry("GET /v1/streams", VIEWER),
            entry("GET /v1/streams/{stream}", VIEWER),
            entry("DELETE /v1/streams/{stream}", ADMIN),
            entry("GET /v1/streams/{stream}/policy", VIEWER),
            entry("GET /v1/streams/{stream}/explain", VIEWER),
            entry("POST /v1/streams/{stream}/prune", OPERATOR),
            entry("GET /v1/streams/{stream}/executions", VIEWER),
            entry("GET /v1/streams/{stream}/events", VIEWER),
            entry("POST /v1/streams/{stream}/events", OPERATOR),
            entry("GET /v1/streams/{stream}/events/{id}", VIEWER),
            entry("PATCH /v1/streams/{stream}/events/{id}", OPERATOR),
            entry("DELETE /v1/streams/{stream}/events/{id}", ADMIN),
            entry("PUT /v1/streams/{stream}/events/{id}/ttl", OPERATOR),
            entry("POST /v1/purge", OPERATOR),
            entry("POST /v1/prune", OPERATOR),
            entry("GET /v1/sweeps", VIEWER),
            entry("GET /v1/sweeps/{id}", VIEWER),
            entry("POST /v1/sweeps", OPERATOR),
            entry("GET /v1/parked", VIEWER),
            entry("POST /v1/parked/drop", OPERATOR),
            entry("POST /v1/parked/retry", OPERATOR),
            entry("POST /v1/policies/drop", ADMIN),
            entry("GET /v1/commands/{commandId}", VIEWER),
            entry("GET /v1/policies", VIEWER),
            entry("GET /v1/policies/{scope}", VIEWER),
            entry("PUT /v1/policies/{scope}", ADMIN),
            entry("DELETE /v1/policies/{scope}", ADMIN),
            entry("POST /v1/policies:apply", ADMIN),
            entry("POST /v1/policies/diff", VIEWER),
            entry("GET /v1/policies/export", VIEWER),
            entry("GET /v1/policies/waiting", VIEWER),
            entry("POST /v1/policies/confirm", ADMIN),
            entry("GET /v1/holds", VIEWER),
            entry("GET /v1/holds/{case}", VIEWER),
            entry("PUT /v1/holds/{case}", ADMIN),
            entry("DELETE /v1/holds/{case}", ADMIN),
            entry("GET /v1/audit", VIEWER),
            entry("GET /v1/audit/{id}", VIEWER),
            entry("GET /v1/rejected", VIEWER),
            entry("GET /v1/rejected/{id}", VIEWER),
            entry("POST /v1/rejected/{id}/replay", OPERATOR),
            entry("GET /v1/archive", VIEWER),
            entry("POST /v1/streams/{stream}/restore", OPERATOR),
            entry("GET /v1/reports/compliance", VIEWER));

    private RouteAccess() {}

    /** The role that the route needs; empty if any caller may ask. */
    public static Optional<Role> needed(ApiRoute route) {
        String key = keyOf(route);
        Role role = ROLES.get(key);
        if (role == null && !ANYONE.contains(key)) {
            throw new IllegalStateException(key + " has no role; put it into RouteAccess");
        }
        return Optional.ofNullable(role);
    }

    /** Every route of the table, {@code METHOD path}. */
    public static Set<String> known() {
        Set<String> known = new TreeSet<>(ROLES.keySet());
        known.addAll(ANYONE);
        return known;
    }

    private static String keyOf(ApiRoute route) {
        return route.method().name() + " " + route.path();
    }
}
