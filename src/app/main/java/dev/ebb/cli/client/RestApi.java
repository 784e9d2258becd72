package dev.ebb.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Http.Request;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the application. Every answer that is not a success ends the command with the reason in the answer.
 */
public final class RestApi {

    private static final int NOT_FOUND = 404;
    private static final String JSON = "application/json";

    /** Longer than the application takes for any request: it ends requests itself after two minutes. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final ApiAddress address;
    private final Terminal terminal;
    private final Http http;

    /** Makes a client without a token. */
    public RestApi(ApiAddress address, Terminal terminal) {
        this(address, Credentials.NONE, terminal);
    }

    /** Makes a client; the terminal shows waits for late answers. */
    public RestApi(ApiAddress address, Credentials credentials, Terminal terminal) {
        this(address, credentials, terminal, LIMIT);
    }

    /** @param limit the longest time for a request and its answer */
    RestApi(ApiAddress address, Credentials credentials, Terminal terminal, Duration limit) {
        this.address = address;
        this.terminal = terminal;
        Map<String, String> headers = credentials.token() == null
                ? Map.of("Accept", JSON)
                : Map.of("Accept", JSON, "Authorization", "Bearer " + credentials.token());
        this.http = new Http(address.isTls(), credentials.tls(), headers, limit);
    }

    /** Returns the address of the application. */
    public ApiAddress address() {
        return address;
    }

    public JsonNode get(RestPath path) {
        return result(answer("GET", path));
    }

    /** Returns the answer to a GET; an empty object if nothing exists at the path. */
    public JsonNode find(RestPath path) {
        HttpAnswer answer = answer("GET", path);
        return answer.status() == NOT_FOUND ? Json.object() : result(answer);
    }

    public JsonNode delete(RestPath path) {
        return result(answer("DELETE", path));
    }

    /** Sends a POST without a body. */
    public JsonNode post(RestPath path) {
        return result(answer("POST", path));
    }

    public JsonNode put(RestPath path, JsonNode body) {
        return result(answer("PUT", path, JSON, Json.compact(body)));
    }

    public JsonNode post(RestPath path, JsonNode body) {
        return result(answer("POST", path, JSON, Json.compact(body)));
    }

    public JsonNode patch(RestPath path, JsonNode body) {
        return result(answer("PATCH", path, JSON, Json.compact(body)));
    }

    public JsonNode postYaml(RestPath path, String body) {
        return result(answer("POST", path, "application/yaml", body));
    }

    private HttpAnswer answer(String method, RestPath path) {
        return answer(method, path, null, null);
    }

    private HttpAnswer answer(String method, RestPath path, @Nullable String mediaType, @Nullable String body) {
        URI uri = URI.create(address.url() + path);
        Progress progress = Progress.waiting(terminal, "waiting for " + address.url());
        try {
            return http.send(new Request(method, uri, mediaType, body));
        } catch (IOException e) {
            throw unreachable(e);
        } finally {
            progress.close();
        }
    }

    private JsonNode result(HttpAnswer answer) {
        JsonNode body = body(answer);
        if (answer.status() / 100 == 2) {
            return body;
        }
        throw Problem.of(answer.status(), body);
    }

    private JsonNode body(HttpAnswer answer) {
        if (answer.status() == HttpAnswer.FOREIGN) {
            throw new CommandFailure(ExitCode.FAILED, foreign("no HTTP"));
        }
        try {
            return Json.parse(answer.body());
        } catch (JsonProcessingException e) {
            throw new CommandFailure(ExitCode.FAILED, foreign("HTTP " + answer.status()), e);
        }
    }

    private String foreign(String how) {
        return address.url() + " from " + address.source() + " does not answer like Ebb (" + how
                + "); is another program on that port?";
    }

    private CommandFailure unreachable(IOException e) {
        if (e instanceof SSLException && String.valueOf(e.getMessage()).contains("unrecognized SSL message")) {
            String what = "the application at " + address.url() + " (from " + address.source()
                    + ") does not speak TLS; name its address with http://";
            return new CommandFailure(ExitCode.FAILED, what, e);
        }
        if (e instanceof SSLException) {
            String what = "cannot trust the application at " + address.url() + " (from " + address.source() + "): "
                    + e.getMessage() + ". Name certificates that verify it with --ca-file";
            return new CommandFailure(ExitCode.FAILED, what, e);
        }
        if (e instanceof LateAnswerException) {
            String what = "the application at " + address.url() + " (from " + address.source()
                    + ") has not answered in time: " + e.getMessage()
                    + ". The request may still take effect: check before you send it again";
            return new CommandFailure(ExitCode.NOT_READY, what, e);
        }
        if (e instanceof UnknownHostException) {
            String what = "the host '" + URI.create(address.url()).getHost() + "' of " + address.url() + " (from "
                    + address.source() + ") is unknown; name the right address with --api";
            return new CommandFailure(ExitCode.NOT_READY, what, e);
        }
        String what = "cannot reach the application at " + address.url() + " (from " + address.source()
                + "). Start it with 'ebb dev' or 'ebb run', or name its address with --api";
        return new CommandFailure(ExitCode.NOT_READY, what, e);
    }
}
