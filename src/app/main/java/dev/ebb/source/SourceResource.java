package dev.ebb.source;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.policies.PolicyChanges;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.SourceDesk;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sources: shows, pauses, resets and removes those in force (F-10). Files of policies set them. */
public record SourceResource(PolicyAdmin policies, PolicyChanges changes, SourceDesk desk, Gathering gathering)
        implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        String one = "/v1/sources/{name}";
        return List.of(
                ReadRoute.forCaller(SourceView.LIST, (ctx, all) -> list(ctx)),
                ReadRoute.forCaller(SourceView.SHOW, (ctx, query) -> show(ctx, query.name())),
                ApiRoute.post(
                                Role.ADMIN,
                                one + "/pause",
                                (ctx, params) -> pause(ctx, params, true),
                                "Pauses a source: its topic is not read, and sweeps send no tombstones there. The state of"
                                        + " its reading is pausing until no instance reads it, and then paused.")
                        .authored("pause")
                        .answersInTime(PolicyRecordView.Changed.class),
                ApiRoute.post(
                                Role.ADMIN,
                                one + "/resume",
                                (ctx, params) -> pause(ctx, params, false),
                                "Resumes a source that is paused.")
                        .authored("resumption")
                        .answersInTime(PolicyRecordView.Changed.class),
                ApiRoute.post(
                                Role.ADMIN,
                                one + "/reset",
                                this::reset,
                                "Sets the place from which a paused source is read on.")
                        .query("to", "earliest, latest or a time.")
                        .authored("reset")
                        .answers(SourceView.Moved.class),
                ApiRoute.delete(
                                Role.ADMIN,
                                one,
                                this::delete,
                                "Removes a source, or withdraws one that waits. Its events stay, under the policies of"
                                        + " their namespaces.")
                        .authored("removal")
                        .answersInTime(PolicyRecordView.Changed.class));
    }

    private SourceView.All list(Context ctx) {
        PolicySet current = policies.current();
        List<SourceView> own = current.sources()
                .all()
                .sorted(Comparator.comparing(Source::name))
                .map(source -> SourceView.of(source, current, desk.reading(source)))
                .toList();
        if (own.isEmpty()) {
            return new SourceView.All(current.version(), own);
        }
        List<SourceView.All> all = gathering
                .all(ctx, "/v1/sources", SourceView.All.class, () -> new SourceView.All(current.version(), own))
                .answers();
        List<SourceView> others =
                all.stream().skip(1).flatMap(other -> other.sources().stream()).toList();
        return new SourceView.All(
                current.version(),
                own.stream().map(source -> withOthers(source, others)).toList());
    }

    /** Each instance counts the records that it reads itself. */
    private static SourceView withOthers(SourceView own, List<SourceView> others) {
        SourceView sum = own;
        for (SourceView other : others) {
            sum = other.name().equals(own.name()) ? sum.with(other) : sum;
        }
        return sum;
    }

    private SourceView show(Context ctx, String name) {
        return list(ctx).sources().stream()
                .filter(source -> source.name().equals(name))
                .findFirst()
                .orElseThrow(() -> noSource(name));
    }

    private void pause(Context ctx, QueryParams params, boolean willPause) {
        Source source = inForce(PathNames.sourceName(ctx));
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        params.done();
        List<Source> changed = source.isPaused() == willPause ? List.of() : List.of(source.paused(willPause));
        changes.publish(ctx, new PolicyBatch(List.of(), List.of(), Set.of(), actor, reason).with(changed), List.of());
    }

    private void reset(Context ctx, QueryParams params) {
        Source source = inForce(PathNames.sourceName(ctx));
        SourceStart to = start(params.text("to"));
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        params.done();
        if (!source.isPaused()) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the source '" + source.name() + "' is being read; pause it first: ebb source pause "
                            + source.name());
        }
        SourceView.Moved moved = new SourceView.Moved(source.name(), desk.reset(source, to, actor, reason));
        ApiJson.answer(ctx, moved);
    }

    private static SourceStart start(@Nullable String to) {
        String words = to == null ? "" : to;
        try {
            return switch (words) {
                case "earliest" -> SourceStart.EARLIEST;
                case "latest" -> SourceStart.LATEST;
                default -> SourceStart.at(Times.readAhead(words, DateBound.BEGINNING));
            };
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest("to must be earliest, latest or a time: " + e.getMessage());
        }
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

    private Source inForce(String name) {
        Source source = policies.current().sources().get(name);
        if (source == null) {
            throw noSource(name);
        }
        return source;
    }

    private static ProblemException noSource(String name) {
        return ProblemException.notFound("there is no source '" + name + "'");
    }
}
