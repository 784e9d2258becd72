package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;

/**
 * The request that a command is; a new one for each time it is sent.
 *
 * @param method method of the request
 * @param path path of the request
 * @param body fields beside those that all commands have
 */
public record CommandCall(Method method, RestPath path, ObjectNode body) {

    /** The methods of HTTP that commands use. */
    public enum Method {
        POST,
        PUT,
        DELETE
    }

    JsonNode send(RestApi api) {
        return switch (method) {
            case POST -> api.post(path, body);
            case PUT -> api.put(path, body);
            case DELETE -> api.delete(path);
        };
    }
}
