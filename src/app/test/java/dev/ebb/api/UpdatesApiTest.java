package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.port.forecast.News;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** News as server-sent events. */
@Tag("C-10")
@Timeout(60)
class UpdatesApiTest {

    private static final int MOST_LISTENERS = 16;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void shouldSendEverythingAtOnceAndThenWhatChanges() throws IOException, InterruptedException {
        // given
        ports.insight.audit("a-1", 1000, "orders/1", "MAX_AGE", "x");

        // when
        HttpResponse<InputStream> answer = listen();
        BufferedReader lines = lines(answer);

        // then
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(lines.readLine()).startsWith("retry: ");
        List<String> names = new ArrayList<>();
        String audit = "";
        for (int i = 0; i < 5; i++) {
            String name = next(lines, "event: ");
            names.add(name);
            String data = next(lines, "data: ");
            audit = name.equals("audit") ? data : audit;
        }
        assertThat(names).containsExactly("status", "policies", "sweeps", "audit", "ingest");
        assertThat(audit).isEqualTo("{\"end\":1,\"newest\":\"a-1\"}");

        // when
        ports.insight.audit("a-2", 2000, "orders/1", "MAX_AGE", "y");
        ports.insight.ends = new News.Ends(2L, 2L, 3L, 4L);

        // then
        assertThat(next(lines, "event: ")).isEqualTo("audit");
        assertThat(next(lines, "data: ")).contains("\"end\":2");
    }

    @Test
    void shouldEndAtOnceForACallerThatDoesNotWait() throws IOException, InterruptedException {
        // when
        List<String> all = lines(listen("?wait=0")).lines().toList();

        // then
        assertThat(all).filteredOn(line -> line.startsWith("event: ")).hasSize(5);
    }

    @Test
    void shouldEndWithTheServer() throws IOException, InterruptedException {
        // given
        BufferedReader lines = lines(listen());
        next(lines, "data: ");

        // when
        api.server.close();

        // then
        String line = lines.readLine();
        while (line != null) {
            line = lines.readLine();
        }
        assertThat(lines.readLine()).isNull();
    }

    @Test
    void shouldTakeNoMoreListenersThanItHasPlaces() throws IOException, InterruptedException {
        // given
        for (int i = 0; i < MOST_LISTENERS; i++) {
            next(lines(listen()), "data: ");
        }

        // when
        HttpResponse<InputStream> refused = listen();

        // then
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("10");
    }

    /** A broker that is away is no news; the rest is told. */
    @Test
    void shouldTellTheRestWhileTheBrokerIsAway() throws IOException, InterruptedException {
        // given
        ports.insight.ends = new News.Ends(null, null, null, null);

        // when
        BufferedReader lines = lines(listen());

        // then
        assertThat(next(lines, "event: ")).isEqualTo("status");
        assertThat(next(lines, "event: ")).isEqualTo("policies");
        ports.insight.ends = new News.Ends(1L, 2L, 3L, 4L);
        assertThat(next(lines, "event: ")).isEqualTo("sweeps");
    }

    private HttpResponse<InputStream> listen() throws IOException, InterruptedException {
        return listen("");
    }

    private HttpResponse<InputStream> listen(String query) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + api.server.port() + "/v1/updates" + query);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream());
    }

    private static BufferedReader lines(HttpResponse<InputStream> answer) {
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private static String next(BufferedReader lines, String prefix) throws IOException {
        String line = lines.readLine();
        while (!line.startsWith(prefix)) {
            line = lines.readLine();
        }
        return line.substring(prefix.length());
    }
}
