package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.door.ApiSettings;
import dev.ebb.port.RequestMeter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each request is counted once, with the name of its route and its status, and with nothing that a caller has chosen. */
@Tag("O-17")
@Timeout(60)
class RequestMeterApiTest {

    private final List<String> answered = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger mostListeners = new AtomicInteger();
    private final AtomicInteger listeners = new AtomicInteger();
    private final Map<Object, String> running = new ConcurrentHashMap<>();
    private final List<String> listening = Collections.synchronizedList(new ArrayList<>());
    private final FakePorts ports = new FakePorts();
    private ApiServer server;
    private ApiClient client;

    @BeforeEach
    void start() {
        ports.requests = new RequestMeter() {
            @Override
            public void answered(String route, int status, long nanos) {
                assertThat(nanos).isPositive();
                answered.add(route + " " + status);
            }

            @Override
            public void listening(int change) {
                mostListeners.accumulateAndGet(listeners.addAndGet(change), Math::max);
            }

            @Override
            public void begun(Object request, String route) {
                running.put(request, route);
            }

            @Override
            public void listens(Object request) {
                listening.add(running.get(request));
            }

            @Override
            public void done(Object request) {
                running.remove(request);
            }
        };
        server = LoneServer.of(ports.ports(), ApiSettings.at("127.0.0.1", 0));
        server.start();
        client = new ApiClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @Tag("C-3")
    void shouldCountForecastsHistoryNewsAndThePage() {
        // when
        client.get("/v1/forecast");
        client.get("/v1/history?step=nonsense");
        client.get("/v1/updates?wait=0");
        client.get("/");

        // then
        assertThat(answered)
                .containsExactly("GET /v1/forecast 200", "GET /v1/history 400", "GET /v1/updates 200", "console 200");
        assertThat(listening).containsExactly("GET /v1/updates");
        assertThat(running).isEmpty();
        assertThat(mostListeners).hasValue(1);
        assertThat(listeners).hasValue(0);
    }

    @Test
    void shouldNeverNameWhatACallerHasChosen() {
        // when
        client.get("/v1/streams/secret-name");
        client.get("/v1/no-such-route/secret-name");
        client.send("DELETE", "/v1/status", null, "");

        // then
        assertThat(answered).hasSize(3).noneMatch(route -> route.contains("secret-name"));
        assertThat(answered.get(0)).isEqualTo("GET /v1/streams/{stream} 404");
        assertThat(answered.get(1)).isEqualTo("none 404");
        assertThat(answered.get(2)).isEqualTo("none 405");
    }
}
