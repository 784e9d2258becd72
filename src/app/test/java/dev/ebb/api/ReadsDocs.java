package dev.ebb.api;

import dev.ebb.api.http.ApiRoute;
import dev.ebb.config.GeneratedSection;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the table of routes that read in {@code docs/reference.md}. Run it in the project's folder. */
final class ReadsDocs {

    static final Path REFERENCE = Path.of("docs", "reference.md");
    static final String SECTION = "reads";

    private ReadsDocs() {}

    public static void main(String[] args) throws IOException {
        FakeApi api = new FakeApi();
        new GeneratedSection(SECTION).write(REFERENCE, table(LoneServer.routes(api.server)));
        api.server.close();
    }

    static String table(List<ApiRoute> routes) {
        return "| route | effect |\n|---|---|\n"
                + routes.stream()
                        .filter(route -> route.method() == HandlerType.GET)
                        .map(route -> "| `GET " + route.path() + queries(route) + "` | " + route.summary() + " |\n")
                        .sorted()
                        .collect(Collectors.joining());
    }

    private static String queries(ApiRoute route) {
        String names = route.queries().stream().map(ApiRoute.Query::name).collect(Collectors.joining("&"));
        return names.isEmpty() ? "" : "?" + names;
    }
}
