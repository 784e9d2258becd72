package dev.ebb.bench.runs.reads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.bench.harness.VoidRunException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks an instance by REST, one question at a time, on one connection. */
final class RestReader {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final double NANOS_OF_MS = 1e6;

    private final String url;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();

    RestReader(String url) {
        this.url = url;
    }

    /** Returns the time from the question to the last byte of its answer, in milliseconds. */
    double milliseconds(String path) {
        long begin = System.nanoTime();
        ask(path);
        return Math.round((System.nanoTime() - begin) / NANOS_OF_MS * 10) / 10.0;
    }

    /** Returns the answer. */
    JsonNode json(String path) {
        try {
            return JSON.readTree(ask(path));
        } catch (IOException e) {
            throw new VoidRunException(path + " answers no JSON", e);
        }
    }

    private byte[] ask(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(LIMIT).build();
        try {
            HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
            if (answer.statusCode() != OK) {
                throw new VoidRunException(path + " answers " + answer.statusCode());
            }
            return answer.body();
        } catch (IOException e) {
            throw new VoidRunException(path + " has no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VoidRunException(path + " was not waited for", e);
        }
    }
}
