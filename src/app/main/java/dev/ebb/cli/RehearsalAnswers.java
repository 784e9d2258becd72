package dev.ebb.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.archive.ArchiveView;
import dev.ebb.cli.client.Json;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.erase.ErasureView;
import dev.ebb.instance.GroupView;
import dev.ebb.instance.RemovalView;
import dev.ebb.parking.ParkedPage;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.source.SourceView;
import dev.ebb.undo.TrashedView;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.events.EventRow;
import dev.ebb.wire.events.ExecutionView;
import dev.ebb.wire.events.ExplainView;
import dev.ebb.wire.events.NamespaceView;
import dev.ebb.wire.events.StreamView;
import dev.ebb.wire.forecast.ForecastView;
import dev.ebb.wire.history.AuditView;
import dev.ebb.wire.history.ComplianceView;
import dev.ebb.wire.history.RejectedView;
import dev.ebb.wire.history.SweepView;
import dev.ebb.wire.instance.DrainView;
import dev.ebb.wire.instance.InstancesView;
import dev.ebb.wire.policies.HoldView;
import dev.ebb.wire.policies.PolicyRecordView;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers to the commands of a {@link Rehearsal}: lists have one element, so that commands load the classes that show
 * it.
 */
final class RehearsalAnswers {

    /** Types of answers by path, with the names of the rehearsal. */
    private static final Map<String, Class<?>> TYPES = Map.ofEntries(
            Map.entry("/v1/instances", InstancesView.class),
            Map.entry("/v1/group", GroupView.class),
            Map.entry("/v1/namespaces", NamespaceView.All.class),
            Map.entry("/v1/namespaces/n", NamespaceView.class),
            Map.entry("/v1/streams", StreamView.Page.class),
            Map.entry("/v1/streams/s", StreamView.Detail.class),
            Map.entry("/v1/streams/s/events", EventRow.Page.class),
            Map.entry("/v1/streams/s/executions", ExecutionView.Page.class),
            Map.entry("/v1/streams/s/explain", ExplainView.class),
            Map.entry("/v1/policies", PolicyRecordView.All.class),
            Map.entry("/v1/policies/namespace:n", PolicyRecordView.class),
            Map.entry("/v1/policies/waiting", WaitingPolicyView.All.class),
            Map.entry("/v1/holds", HoldView.All.class),
            Map.entry("/v1/sources", SourceView.All.class),
            Map.entry("/v1/sources/n", SourceView.class),
            Map.entry("/v1/sweeps", SweepView.Page.class),
            Map.entry("/v1/sweeps/i", SweepView.Detail.class),
            Map.entry("/v1/trash", TrashedView.Page.class),
            Map.entry("/v1/erase", ErasureView.Page.class),
            Map.entry("/v1/erase/c", ErasureView.Page.class),
            Map.entry("/v1/commands/i", CommandResultView.class),
            Map.entry("/v1/forecast", ForecastView.class),
            Map.entry("/v1/audit", AuditView.Page.class),
            Map.entry("/v1/audit/i", AuditView.class),
            Map.entry("/v1/archive", ArchiveView.Page.class),
            Map.entry("/v1/parked", ParkedPage.class),
            Map.entry("/v1/rejected", RejectedView.Page.class),
            Map.entry("/v1/rejected/i", RejectedView.class),
            Map.entry("/v1/reports/compliance", ComplianceView.class));

    /** Fields left out: commands would follow a page to the next one, and a refused command has no result. */
    private static final Set<String> LEFT_OUT = Set.of("next", "refusal");

    /** A number big enough for separators and units. */
    private static final long MANY = 123_456;

    private static final int SOME = 100;

    private RehearsalAnswers() {}

    /** Returns the answer to a request, in JSON. */
    static byte[] to(String method, String path) {
        return WireJson.bytes(record(type(method, path)));
    }

    private static Class<?> type(String method, String path) {
        if (method.equals("GET")) {
            return TYPES.getOrDefault(path, CommandResultView.class);
        }
        if (path.equals("/v1/drain")) {
            return DrainView.class;
        }
        if (path.startsWith("/v1/instances/")) {
            return RemovalView.class;
        }
        if (path.endsWith("/reset")) {
            return SourceView.Moved.class;
        }
        boolean isOfPolicies =
                path.startsWith("/v1/policies") || path.startsWith("/v1/holds") || path.startsWith("/v1/sources");
        return isOfPolicies ? PolicyRecordView.Changed.class : CommandResultView.class;
    }

    /** Returns a record with a value in every component that is not left out. */
    static Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = LEFT_OUT.contains(components[i].getName()) ? null : value(components[i].getGenericType());
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no example of " + type, e);
        }
    }

    private static @Nullable Object value(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            Object first = Objects.requireNonNull(value(of[0]));
            return generic.getRawType() == Map.class
                    ? Map.of(first, Objects.requireNonNull(value(of[1])))
                    : List.of(first);
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return record(plain);
        }
        if (plain == Outcome.class) {
            return record(Outcome.Swept.class);
        }
        if (plain == CommandResult.State.class) {
            // The first state is that of a running command, for which the client would wait.
            return CommandResult.State.REFUSED;
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[0];
        }
        if (JsonNode.class.isAssignableFrom(plain)) {
            return Json.object();
        }
        return scalar(plain);
    }

    private static @Nullable Object scalar(Class<?> type) {
        if (type == String.class || type == Object.class) {
            return "a";
        }
        if (type == Instant.class) {
            return Instant.EPOCH;
        }
        if (type == boolean.class || type == Boolean.class) {
            return true;
        }
        if (type == int.class || type == Integer.class) {
            return SOME;
        }
        if (type == double.class || type == Double.class) {
            return 1.0;
        }
        return type == long.class || type == Long.class ? MANY : null;
    }
}
