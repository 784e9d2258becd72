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
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.port.EventQueries.SearchMark;
import dev.ebb.port.EventQueries.SearchQuery;
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

@Tag("R-15")
@Timeout(60)
class EventSearchResourceTest {

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final Instance one = pair.one;
    private final Instance two = pair.two;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 100})
    void shouldFindEventsInTheStreamsOfAllInstances(int limit) {
        // given
        one.store("a/0", "x").store("a/0", "other").store("a/1", "x");
        two.store("a/2", "x").store("a/3", "other").store("b/3", "x");

        // when
        List<String> streams = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = one.client()
                    .get("/v1/events?where=id%3Dx&limit=" + limit + after)
                    .json();
            assertThat(page.path("events").size()).isLessThanOrEqualTo(limit);
            assertThat(page.path("events").findValuesAsText("id")).containsOnly("x");
            streams.addAll(page.path("events").findValuesAsText("stream"));
            after = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!after.isEmpty());

        // then
        assertThat(streams).containsExactly("a/0", "a/1", "a/2", "b/3");
    }

    @Test
    void shouldHandOnTheQueryOfTheCaller() {
        // given
        SearchMark mark = new SearchMark(0, "0");

        // when
        String path = "/v1/events?where=metadata.user%3D42&where=type%3Da%3Db"
                + "&namespace=a&include-expired&limit=7&after=" + mark.text();
        FakePorts ports = new FakePorts();
        try (ApiServer server =
                LoneServer.of(ports.ports(), new ApiSettings("127.0.0.1", 0, 10_000, Duration.ofMillis(10)))) {
            server.start();
            assertThat(new ApiClient(server.port()).get(path).status()).isEqualTo(200);
        }

        // then
        assertThat(Objects.requireNonNull(ports.lastSearchQuery))
                .isEqualTo(new SearchQuery(
                        List.of(new EventCondition("metadata.user", "42"), new EventCondition("type", "a=b")),
                        "a",
                        true,
                        mark,
                        7));
    }

    /** Nothing is left out in silence: the search stops where an instance is away, and can go on there later. */
    @Test
    void shouldSayWhichInstanceIsAway() {
        // given
        one.store("a/0", "x");
        two.store("a/2", "x");
        two.server.close();

        // when
        JsonNode first = one.client().get("/v1/events?where=id%3Dx").json();
        ApiClient.Answer away = one.client().get("/v1/events?where=id%3Dx&after=2%40");

        // then
        assertThat(first.path("events").findValuesAsText("stream")).containsExactly("a/0");
        assertThat(first.path("next").asText()).isEqualTo("1@");
        assertThat(away.status()).isEqualTo(503);
        assertThat(away.response().body()).contains("partition 2");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/events, where",
        "/v1/events?where=, where",
        "/v1/events?where=user, where",
        "/v1/events?where=user%3D42, where",
        "/v1/events?where=id%3Dx&limit=1001, limit",
        "/v1/events?where=id%3Dx&after=zz, cursor",
        "/v1/events?where=id%3Dx&after=%40, cursor",
        "/v1/events?where=id%3Dx&after=-1%40, cursor",
        "/v1/events?where=id%3Dx&status=y, status"
    })
    void shouldRefuseSenselessRequests(String path, String named) {
        // when
        ApiClient.Answer answer = one.client().get(path);

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.response().body()).contains(named);
    }
}
