package dev.ebb.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** Calls and events of Chrome's protocol for tools, over one connection. Thread-safe. */
final class DevTools implements WebSocket.Listener, AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_SECONDS = 60;

    /** The browser answers a call with an error. */
    static final class RefusedException extends RuntimeException {

        RefusedException(String message) {
            super(message);
        }
    }

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final StringBuilder part = new StringBuilder();
    private final BiConsumer<String, JsonNode> events;
    private final WebSocket socket;

    /** @param events is told each event and its parameters */
    DevTools(HttpClient http, URI address, BiConsumer<String, JsonNode> events) {
        this.events = events;
        this.socket = http.newWebSocketBuilder().buildAsync(address, this).join();
    }

    /** The result of a call; an error of the browser is an exception. */
    JsonNode call(String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        synchronized (this) {
            socket.sendText(message.toString(), true).join();
        }
        try {
            JsonNode result = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (result.has("error")) {
                throw new RefusedException(method + ": " + result.path("error"));
            }
            return result.path("result");
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the browser did not answer " + method, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } finally {
            calls.remove(id);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
        part.append(data);
        if (isLast) {
            take(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    private void take(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            CompletableFuture<JsonNode> call = calls.get(message.path("id").asInt(-1));
            if (call != null) {
                call.complete(message);
            } else if (message.has("method")) {
                events.accept(message.path("method").asText(), message.path("params"));
            }
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        calls.values().forEach(call -> call.completeExceptionally(error));
    }

    @Override
    public void close() {
        socket.abort();
    }
}
