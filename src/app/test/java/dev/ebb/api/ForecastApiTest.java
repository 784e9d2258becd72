package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.FakeInstances.Instance;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.ForecastQueries.DueStream;
import dev.ebb.port.forecast.ForecastQueries.Question;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forecast and the history of two instances. */
@Tag("C-3")
@Timeout(60)
class ForecastApiTest {

    private static final String TIME = "from=1970-01-01T00:16:40Z&to=1970-01-01T00:18:40Z&step=1m";

    @RegisterExtension
    final FakePair pair = new FakePair();

    private final FakeInstances instances = pair.instances;
    private final Instance one = pair.one;
    private final Instance two = pair.two;

    @Test
    void shouldAddUpTheForecastsOfAllInstances() {
        // given
        one.data.insight.forecasts.due.putAll(Map.of("orders", 3L, "users", 1L));
        two.data.insight.forecasts.due.put("orders", 4L);

        // when
        JsonNode told = get("/v1/forecast?" + TIME);

        // then
        assertThat(told.path("from").asLong()).isEqualTo(1_000_000);
        assertThat(told.path("stepMs").asLong()).isEqualTo(60_000);
        assertThat(told.path("exact").asBoolean()).isTrue();
        assertThat(told.path("partitionsMissing").asInt()).isZero();
        assertThat(told.path("stored").path("events").asLong()).isEqualTo(40);
        assertThat(told.path("buckets")).hasSize(2);
        assertThat(told.path("buckets").get(1).path("to").asLong()).isEqualTo(1_120_000);
        JsonNode orders = told.path("namespaces").get(0);
        assertThat(orders.path("namespace").asText()).isEqualTo("orders");
        assertThat(orders.path("stored").path("events").asLong()).isEqualTo(35);
        assertThat(orders.path("overdue").path("bytes").asLong()).isEqualTo(70);
        assertThat(orders.path("due").get(0).path("events").asLong()).isEqualTo(7);
        assertThat(orders.path("due").get(1).path("events").asLong()).isZero();
        assertThat(orders.path("later").path("events").asLong()).isEqualTo(7);
        assertThat(orders.path("never").path("events").asLong()).isEqualTo(14);
        assertThat(told.path("namespaces").get(1).path("namespace").asText()).isEqualTo("users");
        assertThat(told.path("others").isNull()).isTrue();
        assertThat(told.path("unanswered")).isEmpty();
    }

    /** Clocks differ, and an hour may begin between two questions: the instances are asked for the same buckets. */
    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "'?step=hour&limit=3', 'step=hour&limit=3&'",
        "'?fr%6Fm=1970-01-01T01:00:00Z&to=1970-01-02T01:00:00Z&step=6h', 'step=6h&'"
    })
    void shouldAskOtherInstancesForItsOwnBuckets(String query, String kept) throws Exception {
        // given
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        peer.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getRawQuery());
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        peer.start();
        instances.keepers.put(3, "127.0.0.1:" + peer.getAddress().getPort());

        // when
        JsonNode told = get("/v1/forecast" + query);
        peer.stop(0);

        // then
        assertThat(asked)
                .containsExactly(kept + "from=" + written(told.path("from")) + "&to=" + written(told.path("to")));
    }

    private static String written(JsonNode ms) {
        return URLEncoder.encode(Instant.ofEpochMilli(ms.asLong()).toString(), StandardCharsets.UTF_8);
    }

    /** O-25: the question before the release of a hold has a number. */
    @Test
    @Tag("O-25")
    void shouldForecastAsIfAHoldWereReleased() {
        // given
        List.of(one, two)
                .forEach(each -> each.data.holds.put("c", new Hold("c", Scope.namespace("orders"), "", "", 0)));

        // when
        get("/v1/forecast?released=c&" + TIME);

        // then
        List.of(one, two).forEach(each -> assertThat(each.data.insight.forecasts.asked)
                .singleElement()
                .satisfies(asked -> assertThat(asked.policies().holds()).isEmpty()));
        assertThat(one.client().get("/v1/forecast?released=d&" + TIME).status()).isEqualTo(404);
    }

    @Test
    @Tag("O-25")
    void shouldAddUpHowManyEventsWereRead() {
        // given
        one.data.insight.forecasts.readEvents = 3;
        two.data.insight.forecasts.readEvents = 4;

        // then
        assertThat(get("/v1/forecast?" + TIME).path("readEvents").asLong()).isEqualTo(7);
    }

    @Test
    void shouldSayThatOneBucketIsNotExact() {
        // given
        one.data.insight.forecasts.due.put("orders", 3L);
        two.data.insight.forecasts.due.put("orders", 4L);
        two.data.insight.forecasts.isExact = false;

        // when
        JsonNode told = get("/v1/forecast?" + TIME);

        // then
        assertThat(told.path("exact").asBoolean()).isFalse();
        JsonNode due = told.path("namespaces").get(0).path("due");
        assertThat(due.get(0).path("exact").asBoolean()).isFalse();
        assertThat(due.get(1).path("exact").asBoolean()).isTrue();
    }

    @Test
    void shouldCountThePartitionsOfAnInstanceThatDoesNotAnswer() {
        // given
        one.data.insight.forecasts.due.put("orders", 3L);
        two.server.close();

        // when
        JsonNode told = get("/v1/forecast?" + TIME);

        // then
        assertThat(told.path("exact").asBoolean()).isFalse();
        assertThat(told.path("partitionsMissing").asInt()).isEqualTo(2);
        assertThat(told.path("unanswered").get(0).path("instance").asText()).isEqualTo(two.address);
        assertThat(told.path("namespaces").get(0).path("stored").path("events").asLong())
                .isEqualTo(15);
    }

    /** One namespace of two is shown: the other one is added up, with those that the instances have added up. */
    @Test
    void shouldAddUpOtherNamespaces() {
        // given
        one.data.insight.forecasts.due.putAll(Map.of("big", 9L, "small", 1L));
        two.data.insight.forecasts.others = 2;

        // when
        JsonNode others = get("/v1/forecast?limit=1&" + TIME).path("others");

        // then
        assertThat(others.path("namespaces").asInt()).isEqualTo(3);
        assertThat(others.path("stored").path("events").asLong()).isEqualTo(15);
        assertThat(others.path("due").get(0).path("events").asLong()).isEqualTo(3);
    }

    /** Most is stored elsewhere, but nothing of it goes: shown are those that lose the most, wherever they are. */
    @Test
    void shouldShowNamespacesFirstThatLoseTheMost() {
        // given
        one.data.insight.forecasts.due.putAll(Map.of("still", 0L, "some", 2L));
        one.data.insight.forecasts.kept.put("still", 1000L);
        two.data.insight.forecasts.due.putAll(Map.of("most", 3L, "some", 2L));

        // when
        JsonNode told = get("/v1/forecast?limit=2&" + TIME);

        // then
        assertThat(told.path("namespaces").findValuesAsText("namespace")).containsExactly("some", "most");
        assertThat(told.path("others").path("stored").path("events").asLong()).isEqualTo(1000);
    }

    /** The other instance has added namespaces up, of which one may be the namespace that this one names. */
    @Test
    void shouldCallNoNamespaceExactThatMayLiePartlyInTheOthers() {
        // given
        one.data.insight.forecasts.due.put("big", 9L);
        two.data.insight.forecasts.others = 2;
        assertThat(get("/v1/forecast?" + TIME).path("exact").asBoolean()).isFalse();

        // when
        two.data.insight.forecasts.due.put("big", 1L);

        // then
        assertThat(get("/v1/forecast?" + TIME).path("exact").asBoolean()).isTrue();
    }

    /** C-4: viewers may ask what a file would change; every instance reads it. */
    @Test
    @Tag("C-4")
    void shouldForecastUnderAFileOfPolicies() {
        // given
        String file = "policies:\n  - scope: namespace:orders\n    maxAge: 7d\n";

        // when
        Answer answer = one.client().send("POST", "/v1/forecast?" + TIME, "application/yaml", file);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        for (Instance instance : instances.all) {
            Question question = instance.data.insight.forecasts.asked.get(0);
            assertThat(question.policies()
                            .effective(new StreamName("orders/1"))
                            .maxAge()
                            .value())
                    .isEqualTo(Limit.of(7L * 24 * 3600 * 1000));
        }
        assertThat(one.data.changes).isEmpty();
    }

    @Test
    @Tag("C-4")
    void shouldRefuseAFaultyFile() {
        // when
        Answer answer =
                one.client().send("POST", "/v1/forecast", "application/yaml", "policies:\n  - scope: nonsense\n");

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("problems")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/forecast?step=never, step",
        "/v1/forecast?step=1M, step",
        "/v1/forecast?limit=0, limit",
        "/v1/forecast?limit=201, limit",
        "/v1/forecast?from=1970-01-01T00:00:00.005Z&to=1970-01-01T00:00:00.005Z, to",
        "/v1/history?from=1970-01-01T00:00:00.006Z&to=1970-01-01T00:00:00.005Z, to",
        "/v1/forecast/streams?from=1970-01-01T00:00:00.006Z&to=1970-01-01T00:00:00.006Z, to",
        "/v1/forecast/streams?to=1970-01-01T00:00:00.006Z, from"
    })
    void shouldSayWhatIsWrong(String path, String where) {
        // when
        Answer answer = one.client().get(path);

        // then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("problems").get(0).path("where").asText()).isEqualTo(where);
    }

    @Test
    void shouldListStreamsOfAllInstancesPageByPage() {
        // given
        one.data.insight.forecasts.streams.add(stream("a/0", 9));
        one.data.insight.forecasts.streams.add(stream("a/1", 2));
        two.data.insight.forecasts.streams.add(stream("a/2", 5));
        two.data.insight.forecasts.streams.add(stream("a/3", 2));

        // when
        JsonNode first = get("/v1/forecast/streams?from=1970-01-01T00:00:00Z&to=1970-01-01T00:00:00.010Z&limit=3");
        JsonNode second =
                get("/v1/forecast/streams?from=1970-01-01T00:00:00Z&to=1970-01-01T00:00:00.010Z&limit=3&after="
                        + ApiClient.segment(first.path("next").asText()));

        // then
        assertThat(first.path("streams").findValuesAsText("stream")).containsExactly("a/0", "a/2", "a/1");
        assertThat(first.path("streamsInAll").asLong()).isEqualTo(4);
        assertThat(first.path("due").path("events").asLong()).isEqualTo(18);
        assertThat(second.path("streams").findValuesAsText("stream")).containsExactly("a/3");
        assertThat(second.path("next").isNull()).isTrue();
    }

    @Test
    void shouldRefuseForgedCursorsOfStreams() {
        assertThat(one.client()
                        .get("/v1/forecast/streams?from=1970-01-01T00:00:00Z&to=1970-01-01T00:00:00.010Z&after=x")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void shouldTellDeletesByNamespaceAndCause() {
        // given
        one.data.insight.deletions.deleted.put("orders", Map.of("MAX_AGE", new Tally(3, 30), "TTL", new Tally(2, 20)));
        one.data.insight.deletions.deleted.put("users", Map.of("MAX_AGE", new Tally(1, 10)));
        one.data.insight.deletions.deleted.put("zoo", Map.of("MAX_AGE", new Tally(1, 10)));
        one.data.insight.deletions.sinceMs = 500L;
        one.data.insight.deletions.isComplete = false;

        // when
        JsonNode told = get("/v1/history?limit=1&" + TIME);

        // then
        assertThat(told.path("since").asLong()).isEqualTo(500);
        assertThat(told.path("complete").asBoolean()).isFalse();
        assertThat(told.path("deleted").path("events").asLong()).isEqualTo(7);
        JsonNode orders = told.path("namespaces").get(0);
        assertThat(orders.path("deleted").path("bytes").asLong()).isEqualTo(50);
        assertThat(orders.path("causes").findValuesAsText("cause")).containsExactly("MAX_AGE", "TTL");
        assertThat(orders.path("causes")
                        .get(1)
                        .path("deleted")
                        .get(0)
                        .path("events")
                        .asLong())
                .isEqualTo(2);
        assertThat(told.path("others")
                        .get(0)
                        .path("deleted")
                        .get(0)
                        .path("events")
                        .asLong())
                .isEqualTo(2);
    }

    private static DueStream stream(String name, long events) {
        return new DueStream(new StreamName(name), new Tally(events, 10 * events), true, 1, 2, new Tally(20, 200));
    }

    private JsonNode get(String path) {
        Answer answer = one.client().get(path);
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        return answer.json();
    }
}
