package dev.ebb.wire.commands;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.CommandKind;
import java.util.Map;

/**
 * The route of a command, as the application serves it and the command line calls it.
 *
 * @param path the path, with the fields {@value #STREAM}, {@value #EVENT} and {@value #SOURCE} for a command about one of these
 */
public record CommandRoute(Method method, String path) {

    public static final String STREAM = "{stream}";
    public static final String EVENT = "{id}";
    public static final String SOURCE = "{name}";

    private static final String OF_STREAM = "/v1/streams/" + STREAM;
    private static final String OF_EVENT = OF_STREAM + "/events/" + EVENT;

    /** Routes that do not follow from the verb. */
    private static final Map<CommandKind<?>, CommandRoute> OTHERS = Map.of(
            Command.EmptySource.KIND, new CommandRoute(Method.POST, "/v1/sources/" + SOURCE + "/empty"),
            Command.DeleteStream.KIND, new CommandRoute(Method.DELETE, OF_STREAM),
            Command.DeleteEvent.KIND, new CommandRoute(Method.DELETE, OF_EVENT),
            Command.SetTtl.KIND, new CommandRoute(Method.PUT, OF_EVENT + "/ttl"),
            Command.PruneStreams.KIND, new CommandRoute(Method.POST, "/v1/prune"),
            Command.RepairStream.KIND, new CommandRoute(Method.POST, OF_STREAM + "/repair"),
            Command.SweepNow.KIND, new CommandRoute(Method.POST, "/v1/sweeps"),
            Command.DropParked.KIND, new CommandRoute(Method.POST, "/v1/parked/drop"),
            Command.RetryParked.KIND, new CommandRoute(Method.POST, "/v1/parked/retry"));

    /** The HTTP methods that commands use. */
    public enum Method {
        POST,
        PUT,
        DELETE
    }

    /**
     * Returns the route of a command: unless listed otherwise, POST to its verb below the resource that it is about.
     */
    public static CommandRoute of(CommandKind<?> kind) {
        boolean isOfStream = Command.OfStream.class.isAssignableFrom(kind.type());
        String about = kind.takes(CommandField.EVENT_ID) ? OF_EVENT : isOfStream ? OF_STREAM : "/v1";
        return OTHERS.getOrDefault(kind, new CommandRoute(Method.POST, about + "/" + kind.verb()));
    }
}
