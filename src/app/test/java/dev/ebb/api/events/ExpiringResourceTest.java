package dev.ebb.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient;
import dev.ebb.api.ApiServer;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.api.FakePair;
import dev.ebb.api.FakePorts;
import dev.ebb.api.LoneServer;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.DueMark;
import dev.ebb.port.EventQueries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-17")
@Timeout(60)
class ExpiringResourceTest {

    private static final String LIST = "/v1/namespaces/a/events?expiring-within=24h";

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final Instance one = pair.one;
    private final Instance two = pair.two;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 100})
    void shouldPageThroughTheStreamsOfAllInstancesTheSoonestFirst(int limit) {
        // given
        one.store("a/0", "e-1").store("a/0", "e-2").store("a/1", "e-3");
        two.store("a/2", "e-4").store("a/3", "e-5").store("a/3", "e-6").store("b/3", "of another");

        // when
        List<String> ids = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = one.client().get(LIST + "&limit=" + limit + after).json();
            assertThat(page.path("events").size()).isLessThanOrEqualTo(limit);
            assertThat(page.has("marks")).isFalse();
            ids.addAll(page.path("events").findValuesAsText("id"));
            after = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!after.isEmpty());

        // then
        assertThat(ids).containsExactly("e-1", "e-2", "e-3", "e-4", "e-5", "e-6");
    }

    @Test
    void shouldHandOnTheQueryOfTheCaller() {
        // given
        DueMark mark = new DueMark(7, new StreamName("a/\uD83D\uDE00:1"), 5, 3, 2);

        // when
        String path = "/v1/namespaces/a/events?expiring-within=90s&include-expired&limit=7&after=" + mark.text();
        FakePorts ports = new FakePorts();
        try (ApiServer server =
                LoneServer.of(ports.ports(), new ApiSettings("127.0.0.1", 0, 10_000, Duration.ofMillis(10)))) {
            server.start();
            assertThat(new ApiClient(server.port()).get(path).status()).isEqualTo(200);
        }

        // then
        assertThat(Objects.requireNonNull(ports.lastExpiringQuery))
                .isEqualTo(new EventQueries.ExpiringQuery("a", true, 90_000, mark, 7));
    }

    @Test
    void shouldNameAnInstanceThatGivesNoAnswer() {
        // given
        one.store("a/0", "e-1");
        two.store("a/2", "e-2");
        two.server.close();

        // when
        JsonNode page = one.client().get(LIST).json();

        // then
        assertThat(page.path("events").findValuesAsText("id")).containsExactly("e-1");
        assertThat(page.at("/unanswered/0/partitions")).hasToString("[2,3]");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/namespaces/a/events, expiring-within",
        "/v1/namespaces/a/events?expiring-within=, expiring-within",
        "/v1/namespaces/a/events?expiring-within=-1d, expiring-within",
        "/v1/namespaces/a/events?expiring-within=soon, expiring-within",
        "/v1/namespaces/a/events?expiring-within=1d&status=x, status",
        "/v1/namespaces/a/events?expiring-within=1d&limit=1001, limit",
        "/v1/namespaces/a/events?expiring-within=1d&after=zz, cursor",
        "/v1/namespaces/a/events?expiring-within=1d&after=%25, cursor",
        "/v1/namespaces/a%2Fb/events?expiring-within=1d, namespace",
        "/v1/namespaces/%20a/events?expiring-within=1d, namespace"
    })
    void shouldRefuseSenselessRequests(String path, String named) {
        // when
        ApiClient.Answer answer = one.client().get(path);

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().body()).contains(named);
    }
}
