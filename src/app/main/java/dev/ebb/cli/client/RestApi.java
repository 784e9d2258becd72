package dev.ebb.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** Asks the application. Every answer that is no success ends the command with the reason that came with it. */
public final class RestApi {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final int NOT_FOUND = 404;
    private static final String JSON = "application/json";

    private final ApiAddress address;
    private final Terminal terminal;
    private final Credentials credentials;
    private final HttpClient http;

    /** A client without a token. */
    public RestApi(ApiAddress address, Terminal terminal) {
        this(address, Credentials.NONE, terminal);
    }

    /** The terminal shows that an answer takes long. */
    public RestApi(ApiAddress address, Credentials credentials, Terminal terminal) {
        this.address = address;
        this.credentials = credentials;
        this.terminal = terminal;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        if (!address.isTls()) {
            builder.sslContext(NoTls.CONTEXT);
        } else if (credentials.tls() != null) {
            builder.sslContext(credentials.tls());
        }
        this.http = builder.build();
    }

    /** The address that is asked. */
    public ApiAddress address() {
        return address;
    }

    public JsonNode get(RestPath path) {
        return send(request(path).GET());
    }

    /** Answer to a GET; an empty object if nothing is there under the path. */
    public JsonNode find(RestPath path) {
        HttpResponse<String> response = answer(request(path).GET());
        return response.statusCode() == NOT_FOUND ? Json.object() : result(response);
    }

    public JsonNode delete(RestPath path) {
        return send(request(path).DELETE());
    }

    /** Asks for something to be done that needs no more words. */
    public JsonNode post(RestPath path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    public JsonNode put(RestPath path, JsonNode body) {
        return send(withBody("PUT", path, JSON, Json.compact(body)));
    }

    public JsonNode post(RestPath path, JsonNode body) {
        return send(withBody("POST", path, JSON, Json.compact(body)));
    }

    public JsonNode patch(RestPath path, JsonNode body) {
        return send(withBody("PATCH", path, JSON, Json.compact(body)));
    }

    public JsonNode postYaml(RestPath path, String body) {
        return send(withBody("POST", path, "application/yaml", body));
    }

    private HttpRequest.Builder request(RestPath path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.url() + path))
                .timeout(ANSWER)
                .header("Accept", JSON);
        return credentials.token() == null ? request : request.header("Authorization", "Bearer " + credentials.token());
    }

    private HttpRequest.Builder withBody(String method, RestPath path, String mediaType, String body) {
        return request(path).method(method, BodyPublishers.ofString(body)).header("Content-Type", mediaType);
    }

    private JsonNode send(HttpRequest.Builder request) {
        return result(answer(request));
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) {
        Progress progress = Progress.waiting(terminal, "waiting for " + address.url());
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        } finally {
            progress.close();
        }
    }

    private JsonNode result(HttpResponse<String> response) {
        JsonNode body = body(response);
        if (response.statusCode() / 100 == 2) {
            return body;
        }
        throw Problem.of(response.statusCode(), body);
    }

    private JsonNode body(HttpResponse<String> response) {
        try {
            return Json.parse(response.body());
        } catch (JsonProcessingException e) {
            String what = address.url() + " from " + address.source() + " does not answer like Ebb (HTTP "
                    + response.statusCode() + "); is another program on that port?";
            throw new CommandFailure(ExitCode.FAILED, what, e);
        }
    }

    private static boolean isUnknownHost(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    private CommandFailure unreachable(IOException e) {
        if (e instanceof SSLException && String.valueOf(e.getMessage()).contains("plaintext")) {
            String what = "the application at " + address.url() + " (from " + address.source()
                    + ") does not speak TLS; name its address with http://";
            return new CommandFailure(ExitCode.FAILED, what, e);
        }
        if (e instanceof SSLException) {
            String what = "cannot trust the application at " + address.url() + " (from " + address.source() + "): "
                    + e.getMessage() + ". Name the certificates by which it is known with --ca-file";
            return new CommandFailure(ExitCode.FAILED, what, e);
        }
        if (isUnknownHost(e)) {
            String what = "the host '" + URI.create(address.url()).getHost() + "' of " + address.url() + " (from "
                    + address.source() + ") is not known; name the right address with --api";
            return new CommandFailure(ExitCode.NOT_READY, what, e);
        }
        String what = "cannot reach the application at " + address.url() + " (from " + address.source()
                + "). Start it with 'ebb dev' or 'ebb run', or name its address with --api";
        return new CommandFailure(ExitCode.NOT_READY, what, e);
    }
}
