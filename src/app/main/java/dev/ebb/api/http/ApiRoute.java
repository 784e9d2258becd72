package dev.ebb.api.http;

import dev.ebb.api.access.Role;
import dev.ebb.domain.time.Times;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One route: its handler and its description. Server and OpenAPI document are both made from routes, so that both have
 * the same ones. Immutable; each method returns a route with an addition.
 *
 * @param path the path, with its parameters in braces
 * @param role the role that a caller needs; empty if any caller may ask
 * @param summary the purpose, in one line
 * @param queries the query parameters
 * @param body the body of a request; null if there is none
 * @param answers the answers to good requests; a complete route has at least one
 */
public record ApiRoute(
        HandlerType method,
        String path,
        Optional<Role> role,
        RouteHandler handler,
        String summary,
        List<Query> queries,
        @Nullable Content body,
        List<Answer> answers) {

    /** Name of the parameter that lets copies answer. */
    public static final String STALE = "stale";

    private static final Pattern DETAILS = Pattern.compile("[.,:;](\\s|$)");
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

    public ApiRoute {
        queries = List.copyOf(queries);
        answers = List.copyOf(answers);
    }

    /** Answers requests of a route. */
    @FunctionalInterface
    public interface RouteHandler {

        /**
         * Answers a request.
         *
         * @param params the query parameters; {@link QueryParams#done} must be called
         */
        void answer(Context ctx, QueryParams params) throws Exception;
    }

    /**
     * A query parameter.
     *
     * @param type its type in JSON schema
     * @param isRequired true if the request must have it
     */
    public record Query(String name, String type, String meaning, boolean isRequired) {

        private static final String REPEATED = "array";

        public Query(String name, String type, String meaning) {
            this(name, type, meaning, false);
        }

        /** Returns true if the parameter may be repeated, each time with a text. */
        public boolean isRepeated() {
            return type.equals(REPEATED);
        }
    }

    /**
     * Content of a body.
     *
     * @param isRequired true if the body must not be left out
     * @param schema a record whose components are the fields, or the name of a schema in {@code schemas.json}; null for
     *     a body that is not JSON
     */
    public record Content(String mediaType, @Nullable Object schema, boolean isRequired) {

        public Content(String mediaType, @Nullable Object schema) {
            this(mediaType, schema, true);
        }
    }

    /** An answer with its status. */
    public record Answer(int status, Content content) {}

    /** Returns a route that reads, for viewers. */
    public static ApiRoute get(String path, RouteHandler handler, String summary) {
        return of(HandlerType.GET, path, Optional.of(Role.VIEWER), handler, summary);
    }

    /** Returns a route that reads, for any caller. */
    public static ApiRoute probe(String path, RouteHandler handler, String summary) {
        return of(HandlerType.GET, path, Optional.empty(), handler, summary);
    }

    public static ApiRoute post(Role role, String path, RouteHandler handler, String summary) {
        return of(HandlerType.POST, path, Optional.of(role), handler, summary);
    }

    public static ApiRoute put(Role role, String path, RouteHandler handler, String summary) {
        return of(HandlerType.PUT, path, Optional.of(role), handler, summary);
    }

    public static ApiRoute patch(Role role, String path, RouteHandler handler, String summary) {
        return of(HandlerType.PATCH, path, Optional.of(role), handler, summary);
    }

    public static ApiRoute delete(Role role, String path, RouteHandler handler, String summary) {
        return of(HandlerType.DELETE, path, Optional.of(role), handler, summary);
    }

    /** Answers a request; refuses parameters that this route does not declare. */
    public void answer(Context ctx) throws Exception {
        ObjLongConsumer<String> moments = (name, ms) -> Moments.note(ctx, name, ms);
        handler.answer(
                ctx,
                new QueryParams(
                        names(query -> true),
                        names(Query::isRepeated),
                        ctx.queryParamMap(),
                        Moments.now(ctx),
                        moments));
    }

    private List<String> names(Predicate<Query> which) {
        return queries.stream().filter(which).map(Query::name).toList();
    }

    /** Returns what a caller does with the route, as a part of a sentence: the summary without its details. */
    public String deed() {
        String whole = DETAILS.split(summary, 2)[0];
        return whole.substring(0, 1).toLowerCase(Locale.ROOT) + whole.substring(1);
    }

    /** Returns the parameters of the path, in order. */
    public List<String> pathParameters() {
        List<String> names = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(path);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    /** Adds an optional parameter that is a text. */
    public ApiRoute query(String name, String meaning) {
        return with(new Query(name, "string", meaning));
    }

    /** Adds a required parameter that may be repeated. */
    public ApiRoute repeated(String name, String meaning) {
        return with(new Query(name, Query.REPEATED, meaning, true));
    }

    /** Adds a required parameter that is a text. */
    public ApiRoute required(String name, String meaning) {
        return with(new Query(name, "string", meaning, true));
    }

    /** Adds a parameter that is true or false. */
    public ApiRoute flag(String name, String meaning) {
        return with(new Query(name, "boolean", meaning));
    }

    /** Adds the parameters of a list that comes in pages. */
    public ApiRoute paged() {
        return with(new Query("limit", "integer", "Most entries of the page, 1 to 1000. Default: 100."))
                .query(
                        "after",
                        "The 'next' of the previous page. A page may have fewer entries than the limit, even none,"
                                + " although more follow: go on until 'next' is null.");
    }

    /** Adds the parameter that lets copies answer. */
    public ApiRoute mayBeStale() {
        return flag(
                STALE,
                "Let a copy on another instance answer if the instance that keeps the partition cannot; the answer"
                        + " then says how far the copy is behind.");
    }

    /** Adds the parameters of a range of time. */
    public ApiRoute between() {
        return query("from", "Earliest time: " + Times.FORMS + ".")
                .query("to", "Latest time, in the same forms; a date means its end.");
    }

    /** Adds the parameters that name an author and a reason. */
    public ApiRoute authored(String work) {
        return query("actor", "Author of the " + work + ".").query("reason", "Reason, kept in the audit.");
    }

    /** Adds a body of JSON, see {@link Content}. */
    public ApiRoute takes(Object schema) {
        return takes("application/json", schema);
    }

    public ApiRoute takes(String mediaType, @Nullable Object schema) {
        return new ApiRoute(method, path, role, handler, summary, queries, new Content(mediaType, schema), answers);
    }

    /** Adds an optional body of JSON. */
    public ApiRoute mayTake(Object schema) {
        Content content = new Content(ApiJson.MEDIA_TYPE, schema, false);
        return new ApiRoute(method, path, role, handler, summary, queries, content, answers);
    }

    /** Adds an answer of status 200 in JSON, see {@link Content}. */
    public ApiRoute answers(Object schema) {
        return answers(200, schema);
    }

    /** Adds an answer of status 200, and one of status 202 for outcomes that are not known in time. */
    public ApiRoute answersInTime(Object schema) {
        return answers(schema).answers(202, schema);
    }

    public ApiRoute answers(int status, Object schema) {
        return answers(status, new Content(ApiJson.MEDIA_TYPE, schema));
    }

    public ApiRoute answers(int status, Content content) {
        List<Answer> more = new ArrayList<>(answers);
        more.add(new Answer(status, content));
        return new ApiRoute(method, path, role, handler, summary, queries, body, more);
    }

    /** Adds one more parameter. */
    public ApiRoute with(Query query) {
        List<Query> more = new ArrayList<>(queries);
        more.add(query);
        return new ApiRoute(method, path, role, handler, summary, more, body, answers);
    }

    private static ApiRoute of(
            HandlerType method, String path, Optional<Role> role, RouteHandler handler, String summary) {
        return new ApiRoute(method, path, role, handler, summary, List.of(), null, List.of());
    }
}
