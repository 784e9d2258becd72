package dev.ebb.api.http;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.read.Read;
import dev.ebb.wire.read.ReadParameter;
import io.javalin.http.Context;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The route of a read: makes the query from a request, and answers with the result. */
public final class ReadRoute {

    private static final Set<Class<?>> IN_PATH =
            Set.of(String.class, StreamName.class, EventId.class, Scope.class, RejectedRecord.Id.class);

    private static final Set<Class<?>> IN_QUERY =
            Set.of(String.class, StreamName.class, Long.class, boolean.class, TimeRange.class);

    private ReadRoute() {}

    /** Answers a query for a caller. */
    @FunctionalInterface
    public interface ForCaller<Q, A> {

        /** @param ctx tells who asks, and whether another instance does; holds no more parameters */
        A answer(Context ctx, Q query) throws Exception;
    }

    /** Returns the route of a read whose answer is the same for every caller. */
    public static <Q extends Record, A> ApiRoute of(Read<Q, A> read, Function<Q, A> answer) {
        return forCaller(read, (ctx, query) -> answer.apply(query));
    }

    /** Returns the route of a read whose answer depends on the caller or on other instances. */
    public static <Q extends Record, A> ApiRoute forCaller(Read<Q, A> read, ForCaller<Q, A> answer) {
        ApiRoute route = ApiRoute.get(
                        read.path(),
                        (ctx, params) -> ApiJson.answer(ctx, answer.answer(ctx, query(read, ctx, params))),
                        read.sentence())
                .answers(read.answer());
        read.parameters().forEach(ReadRoute::check);
        for (ReadParameter parameter : read.described()) {
            if (!parameter.isInPath()) {
                route = route.with(new ApiRoute.Query(parameter.name(), type(parameter), parameter.meaning()));
            }
        }
        route = read.isTimed() ? route.between() : route;
        route = read.isPaged() ? route.paged() : route;
        return read.mayBeStale() ? route.mayBeStale() : route;
    }

    /** A route whose query cannot be made fails at the start, not with its first request. */
    private static void check(ReadParameter parameter) {
        Class<?> type = parameter.type();
        Set<Class<?>> known = parameter.isInPath() ? IN_PATH : IN_QUERY;
        boolean isLimit = type == int.class && parameter.name().equals("limit");
        if (!known.contains(type) && !isLimit && (parameter.isInPath() || !type.isEnum())) {
            throw new IllegalArgumentException(
                    "a parameter of a read cannot be " + type.getName() + ": " + parameter.name());
        }
    }

    private static String type(ReadParameter parameter) {
        if (parameter.isFlag()) {
            return "boolean";
        }
        return parameter.type() == int.class ? "integer" : "string";
    }

    /** Returns the query of a request. Faults of its parameters are reported together, before one of its path. */
    private static <Q extends Record> Q query(Read<Q, ?> read, Context ctx, QueryParams params) {
        List<ReadParameter> parameters = read.parameters();
        @Nullable Object[] values = new Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            if (!parameters.get(i).isInPath()) {
                values[i] = ofQuery(parameters.get(i), params);
            }
        }
        params.done();
        for (int i = 0; i < values.length; i++) {
            if (parameters.get(i).isInPath()) {
                values[i] = ofPath(parameters.get(i), ctx);
            }
        }
        return made(read.query(), values);
    }

    private static @Nullable Object ofQuery(ReadParameter parameter, QueryParams params) {
        String name = parameter.name();
        Class<?> type = parameter.type();
        if (type == TimeRange.class) {
            return params.time();
        } else if (type == int.class) {
            return params.limit();
        } else if (type == boolean.class) {
            return params.flag(name);
        } else if (type == Long.class) {
            return params.number(name);
        } else if (type == StreamName.class) {
            String stream = params.streamName(name);
            return stream == null ? null : new StreamName(stream);
        } else if (type.isEnum()) {
            return word(parameter, params.word(name, parameter.words()));
        }
        return params.text(name);
    }

    private static @Nullable Object word(ReadParameter parameter, @Nullable String word) {
        return word == null
                ? null
                : parameter.type().getEnumConstants()[parameter.words().indexOf(word)];
    }

    private static Object ofPath(ReadParameter parameter, Context ctx) {
        Class<?> type = parameter.type();
        if (type == StreamName.class) {
            return PathNames.stream(ctx);
        } else if (type == EventId.class) {
            return PathNames.event(ctx);
        } else if (type == Scope.class) {
            return PathNames.scope(ctx);
        } else if (type == RejectedRecord.Id.class) {
            return PathNames.rejected(ctx);
        }
        return parameter.name().equals("case") ? PathNames.caseId(ctx) : PathNames.text(ctx, parameter.name());
    }

    private static <Q extends Record> Q made(Class<Q> type, @Nullable Object[] values) {
        Class<?>[] types = Stream.of(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException fault ? fault : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
