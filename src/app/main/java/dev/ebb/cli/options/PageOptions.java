package dev.ebb.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the part of a long list that is shown. */
public final class PageOptions {

    private static final int MAX_PAGE = 1000;

    /** Fields of a page that name its missing or stale parts. */
    private static final List<String> GAPS = List.of("unanswered", "stale");

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "The most entries to show. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--all", description = "Show all entries.")
    private boolean all;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Cursor at the end of the previous page.")
    private @Nullable String after;

    /** The cursor of any page, at which the next page begins. */
    private record Cursor(@Nullable String next) {}

    /**
     * Fetches the list and prints it, then notes its missing parts.
     *
     * @param list the name of the list in the answer
     * @param path the path of the list, without parameters for pages
     * @param type the record of a page
     * @param table shows all pages as one, for people
     * @return the exit code
     */
    public <T> int show(
            ApiOptions api,
            OutputOptions output,
            String list,
            Supplier<RestPath> path,
            Class<T> type,
            BiConsumer<Terminal, T> table) {
        JsonNode found = fetch(api, list, path);
        int exitCode = output.show(found, type, table);
        noteMore(found, output);
        return exitCode;
    }

    /**
     * Returns all pages up to the limit as one; keeps {@code next} if more follow. A page may be short, even empty,
     * although more follow; the progress is that of all pages together.
     */
    private JsonNode fetch(ApiOptions options, String list, Supplier<RestPath> path) {
        if (limit < 1) {
            throw CommandFailure.usage("--limit must be at least 1, was " + limit);
        }
        RestApi api = options.connectSilently();
        AtomicInteger found = new AtomicInteger();
        String waiting = "waiting for " + api.address().url();
        try (Progress progress =
                Progress.waiting(options.terminal(), () -> soFar(found.get(), list) + ", " + waiting)) {
            return fetch(api, list, path, found);
        }
    }

    /** Returns the progress. The name of a list is the plural of its elements, or uncountable. */
    static String soFar(int found, String list) {
        String noun = list.endsWith("s") ? list.substring(0, list.length() - 1) : list + " record";
        return found == 0 ? "nothing found so far" : Texts.counted(found, noun) + " so far";
    }

    private JsonNode fetch(RestApi api, String list, Supplier<RestPath> path, AtomicInteger found) {
        ObjectNode result = Json.object();
        ArrayNode items = result.putArray(list);
        String cursor = after;
        do {
            int wanted = all ? MAX_PAGE : Math.min(MAX_PAGE, limit - items.size());
            JsonNode page = api.get(path.get().with("limit", wanted).with("after", cursor));
            page.path(list).forEach(items::add);
            GAPS.forEach(gap -> addNew(page.path(gap), result.withArray(gap)));
            OutputOptions.keepMoments(page, result);
            found.set(items.size());
            cursor = Json.as(page, Cursor.class).next();
        } while (cursor != null && (all || items.size() < limit));
        result.put("next", cursor);
        GAPS.stream().filter(gap -> result.path(gap).isEmpty()).forEach(result::remove);
        return result;
    }

    private static void addNew(JsonNode found, ArrayNode known) {
        Set<JsonNode> all = new HashSet<>();
        known.forEach(all::add);
        for (JsonNode one : found) {
            if (all.add(one)) {
                known.add(one);
            }
        }
    }

    /** Notes on the error stream that more entries follow, if they do. */
    private static void noteMore(JsonNode result, OutputOptions output) {
        String next = Json.as(result, Cursor.class).next();
        if (next != null && output.isTable()) {
            output.note("More follow: --all shows them, '--after " + next + "' continues here.");
        }
    }
}
