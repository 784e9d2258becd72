package dev.ebb.api;

import dev.ebb.api.http.ApiRoute;
import dev.ebb.config.GeneratedSection;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Writes the tables of routes in {@code docs/reference/rest.md}: those that read, and all others. Run it in the project's folder. */
final class RoutesDocs {

    static final Path PAGE = Path.of("docs", "reference", "rest.md");
    static final String READS = "reads";
    static final String WRITES = "writes";

    /** Parameters of all commands, which the page describes once. */
    private static final List<String> OF_COMMANDS =
            List.of("wait", "commandId", "actor", "reason", "dryRun", "force", "maxDeletes", "plan");

    private RoutesDocs() {}

    public static void main(String[] args) throws IOException {
        FakeApi api = new FakeApi();
        List<ApiRoute> routes = LoneServer.routes(api.server);
        new GeneratedSection(READS).write(PAGE, reads(routes));
        new GeneratedSection(WRITES).write(PAGE, writes(routes));
        api.server.close();
    }

    static String reads(List<ApiRoute> routes) {
        return table(routes, route -> route.method() == HandlerType.GET);
    }

    static String writes(List<ApiRoute> routes) {
        return table(routes, route -> route.method() != HandlerType.GET);
    }

    private static String table(List<ApiRoute> routes, Predicate<ApiRoute> kind) {
        return "| route | effect |\n|---|---|\n"
                + routes.stream()
                        .filter(kind)
                        .sorted(Comparator.comparing(ApiRoute::path)
                                .thenComparing(route -> route.method().name()))
                        .map(route -> "| `" + route.method() + " " + route.path() + queries(route) + "` | "
                                + route.summary() + " |\n")
                        .collect(Collectors.joining());
    }

    private static String queries(ApiRoute route) {
        List<String> names = route.queries().stream().map(ApiRoute.Query::name).toList();
        String own = names.stream()
                .filter(name -> !names.containsAll(OF_COMMANDS) || !OF_COMMANDS.contains(name))
                .collect(Collectors.joining("&"));
        return own.isEmpty() ? "" : "?" + own;
    }
}
