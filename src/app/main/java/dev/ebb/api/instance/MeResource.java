package dev.ebb.api.instance;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.wire.instance.MeView;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells a program who the caller is and which routes the caller may use, so that it offers nothing that would be
 * refused.
 */
public final class MeResource implements ApiResource {

    private final List<ApiRoute> all;
    private final SecondPerson second;

    /**
     * @param others all routes except that of this resource
     * @param second tells whether some acts need two people
     */
    public MeResource(List<ApiRoute> others, SecondPerson second) {
        this.second = second;
        this.all = Stream.concat(others.stream(), routes().stream()).toList();
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.get(
                        "/v1/me",
                        this::answer,
                        "Shows the name and role of the caller, and the routes that it may use.")
                .answers(MeView.class));
    }

    private void answer(Context ctx, QueryParams params) {
        params.done();
        Caller caller = Guard.caller(ctx);
        List<String> open = all.stream()
                .filter(route -> route.role().map(caller::covers).orElse(true))
                .map(route -> route.method() + " " + route.path())
                .sorted()
                .toList();
        ApiJson.answer(
                ctx,
                new MeView(
                        caller.name(),
                        caller.roles().stream().sorted().map(Role::toString).toList(),
                        Guard.maySeePayloads(ctx),
                        open,
                        second.isNeeded()));
    }
}
