package dev.ebb.source;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.policies.PolicyChanges;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.source.Source;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;

/** Sources: shows those in force, and removes them (F-10). Files of policies set them. */
public record SourceResource(PolicyAdmin policies, PolicyChanges changes) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ReadRoute.of(SourceView.LIST, all -> list()),
                ReadRoute.of(SourceView.SHOW, query -> show(query.name())),
                ApiRoute.delete(
                                Role.ADMIN,
                                "/v1/sources/{name}",
                                this::delete,
                                "Removes a source, or withdraws one that waits. Its events stay, under the policies of"
                                        + " their namespaces.")
                        .authored("removal")
                        .answersInTime(PolicyRecordView.Changed.class));
    }

    private SourceView.All list() {
        PolicySet current = policies.current();
        List<SourceView> sources = current.sources()
                .all()
                .sorted(Comparator.comparing(Source::name))
                .map(source -> SourceView.of(source, current))
                .toList();
        return new SourceView.All(current.version(), sources);
    }

    private SourceView show(String name) {
        PolicySet current = policies.current();
        Source source = current.sources().get(name);
        if (source == null) {
            throw noSource(name);
        }
        return SourceView.of(source, current);
    }

    private void delete(Context ctx, QueryParams params) {
        String name = PathNames.sourceName(ctx);
        PolicyKey key = PolicyKey.ofSource(name);
        if (!policies.current().contains(key) && policies.waiting(key).isEmpty()) {
            throw noSource(name);
        }
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        params.done();
        changes.remove(ctx, key, actor, reason);
    }

    private static ProblemException noSource(String name) {
        return ProblemException.notFound("there is no source '" + name + "'");
    }
}
