package dev.ebb.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.domain.policy.Mirroring;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.source.Source;
import dev.ebb.port.SourceDesk;
import dev.ebb.port.SourceDesk.Reading.State;
import dev.ebb.serde.text.SourceJson;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources by REST: applied with a file, shown, and removed. */
@Tag("F-10")
class SourceApiTest {

    private static final String FILE = """
            policies: []
            sources:
              - {name: orders, topic: shop.orders, as: table, stream: "orders/{value.c}"}
              - {name: jobs, topic: shop.jobs, as: log, stream: "jobs"}
            """;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @Test
    @Tag("F-1")
    void shouldApplyTheSourcesOfAFileThatAreNotInForce() {
        // given
        ports.sources.add(source("jobs", "shop.jobs", "log", "jobs"));

        // when
        Answer answer = client.send("POST", "/v1/policies:apply?actor=eva&reason=r", "application/yaml", FILE);

        // then
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(200);
        assertThat(ports.changes)
                .containsExactly(new PolicyBatch(List.of(), List.of(), Set.of(), "eva", "r")
                        .with(List.of(source("orders", "shop.orders", "table", "orders/{value.c}"))));
        assertThat(json(answer).path("set")).extracting(JsonNode::asText).containsExactly("source:orders");
    }

    @Test
    @Tag("F-4")
    void shouldRefuseASourceThatMayShareStreamsWithOneInForce() {
        // given
        ports.sources.add(source("all", "t", "table", "orders/{key}"));

        // when
        Answer answer = client.send("POST", "/v1/policies:apply", "application/yaml", FILE);

        // then
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.response().body()).contains("source:orders, stream", "the streams of the source 'all'");
        assertThat(ports.changes).isEmpty();
    }

    @Test
    @Tag("F-1")
    void shouldCompareAndExportSources() {
        // given
        ports.sources.add(source("orders", "shop.other", "table", "orders/{value.c}"));
        ports.sources.add(source("gone", "t", "log", "gone"));

        // when
        JsonNode diff = json(client.send("POST", "/v1/policies/diff", "application/yaml", FILE));
        Answer export = client.send("GET", "/v1/policies/export", null, "");

        // then
        assertThat(diff.path("differences"))
                .extracting(
                        one -> one.path("key").asText() + " " + one.path("kind").asText())
                .containsExactly("source:jobs ADDED", "source:orders CHANGED", "source:gone MISSING");
        assertThat(json(export).path("sources")).hasSize(2);
    }

    @Test
    @Tag("F-9")
    void shouldListSourcesWithTheModeOfTheirNamespace() {
        // given
        ports.sources.add(source("orders", "shop.orders", "table", "orders/{value.c}"));
        ports.sources.add(source("jobs", "shop.jobs", "log", "jobs/all"));
        ports.policy(
                RetentionPolicy.of(Scope.namespace("jobs"))
                        .mode(PolicyMode.ENFORCE)
                        .build(),
                5);

        // when
        JsonNode list = json(client.send("GET", "/v1/sources", null, "")).path("sources");

        // then
        assertThat(list)
                .extracting(one ->
                        one.path("name").asText() + " " + one.path("mode").asText())
                .containsExactly("jobs enforce", "orders warn");
        assertThat(json(client.send("GET", "/v1/sources/orders", null, ""))
                        .path("declaration")
                        .path("topic")
                        .asText())
                .isEqualTo("shop.orders");
        assertThat(client.send("GET", "/v1/sources/none", null, "").status()).isEqualTo(404);
    }

    @Test
    @Tag("F-6")
    void shouldRefuseATargetThatTakesNoTombstonesAndWarnOfATopicThatIsMissing() {
        // given
        ports.sourceTopics.topics.put("shop.orders", SourceDesk.Topics.refused("target", "is without compact; set it"));
        ports.sourceTopics.topics.put("shop.jobs", new SourceDesk.Topics("there is no topic shop.jobs", null, null));

        // when
        String file = FILE.replace("\"jobs\"}", "\"jobs\", target: truncate}");
        Answer refused = client.send("POST", "/v1/policies:apply?actor=eva", "application/yaml", file);
        ports.sourceTopics.topics.remove("shop.orders");
        Answer taken = client.send("POST", "/v1/policies:apply?actor=eva", "application/yaml", file);

        // then
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.response().body()).contains("source:orders, target", "is without compact; set it");
        assertThat(taken.status()).isEqualTo(200);
        assertThat(json(taken).path("warnings").toString())
                .contains("source:jobs, topic", "there is no topic shop.jobs yet; Ebb reads it when it is there")
                .contains("source:jobs, target", "no undo brings a record back");
        assertThat(ports.changes).hasSize(1);
    }

    /** The words come with the target, and again with the mode that lets sweeps delete. */
    @Test
    @Tag("F-9")
    void shouldSayBeforeADeleteThatItIsFinal() {
        // given
        String sources = "sources: [{name: orders, topic: shop.orders, as: table, stream: 'orders/{key}', target:"
                + " {tombstones: same}%s}]\n";
        String policy = "/v1/policies/namespace:orders";

        // when
        Answer kept =
                client.send("POST", "/v1/policies:apply", "application/yaml", sources.formatted(", keep: payload"));
        Answer applied = client.send("POST", "/v1/policies:apply", "application/yaml", sources.formatted(""));
        ports.sources.add(SourceJson.read("""
                {"name": "orders", "topic": "shop.orders", "as": "table", "stream": "orders/{key}",
                 "target": {"tombstones": "same"}}
                """.getBytes(UTF_8)).source().orElseThrow());
        Answer warned = client.send("PUT", policy, "application/json", "{\"maxAge\": \"1d\", \"mode\": \"warn\"}");
        Answer enforced = client.send("PUT", policy, "application/json", "{\"maxAge\": \"1d\", \"mode\": \"enforce\"}");

        // then
        String words = "no undo can bring back a deleted row";
        assertThat(kept.status()).as(kept.response().body()).isEqualTo(200);
        assertThat(kept.response().body()).doesNotContain(words);
        assertThat(applied.response().body()).contains("source:orders, keep", words);
        assertThat(warned.response().body()).doesNotContain(words);
        assertThat(enforced.response().body()).contains("source:orders, keep", words);
    }

    /** The policy itself, a file and its comparison say the same, once. */
    @Test
    @Tag("F-13")
    void shouldSayThatRowsGoFromSql() {
        // given
        String policy = "/v1/policies/namespace:orders";
        String file = "policies: [{scope: 'namespace:orders', mirror: none}, {scope: 'namespace:jobs', mirror: all}]";

        // when
        Answer set = client.send("PUT", policy, "application/json", "{\"mirror\": \"none\"}");
        Answer compared = client.send("POST", "/v1/policies/diff", "application/yaml", file);
        Answer applied = client.send("POST", "/v1/policies:apply", "application/yaml", file);
        ports.policy(
                RetentionPolicy.of(Scope.namespace("orders"))
                        .set(PolicyField.MIRROR, Mirroring.NONE)
                        .build(),
                5);
        Answer again = client.send("PUT", policy, "application/json", "{\"mirror\": \"none\", \"maxAge\": \"1d\"}");

        // then
        String words = "the rows of its events go from SQL, and the events stay";
        for (Answer answer : List.of(set, compared, applied)) {
            assertThat(json(answer).path("warnings"))
                    .filteredOn(warning -> warning.toString().contains(words))
                    .singleElement()
                    .asString()
                    .contains("namespace:orders, mirror");
        }
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.response().body()).doesNotContain(words);
    }

    /** Those who compare or apply a file see before what its targets do to topics of others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "table | {tombstones: same} | each delete of its events sends a tombstone to topic shop.orders;",
                "table | {tombstones: {topic: shop.gone}} | each delete of its events sends a tombstone to topic shop.gone;",
                "log | truncate | the start of topic shop.orders moves up to its oldest record that must stay;"
            })
    @Tag("F-9")
    void shouldSayBeforeWhatATargetDoes(String form, String target, String words) {
        // given
        String file = "sources: [{name: orders, topic: shop.orders, as: " + form
                + ", stream: 'orders/{value.c}', target: " + target + "}]\n";

        // when
        Answer diff = client.send("POST", "/v1/policies/diff", "application/yaml", file);
        ports.sources.add(SourceJson.read(("{\"name\": \"orders\", \"topic\": \"shop.orders\", \"as\": \"" + form
                                + "\", \"stream\": \"orders/{value.c}\"}")
                        .getBytes(UTF_8))
                .source()
                .orElseThrow());
        Answer changed = client.send("POST", "/v1/policies/diff", "application/yaml", file);

        // then
        for (Answer answer : List.of(diff, changed)) {
            assertThat(answer.response().body()).contains("source:orders, target", words);
        }
    }

    @Test
    void shouldShowHowSourcesAreRead() {
        // given
        ports.sources.add(source("orders", "shop.orders", "table", "orders/{value.c}"));
        SourceDesk.Reading.Counts counts =
                new SourceDesk.Reading.Counts(3, 2, "SOURCE_PATH: value.c", Instant.parse("2026-11-28T10:00:00Z"));
        ports.sourceTopics.readings.put(
                "orders",
                new SourceDesk.Reading(
                        SourceDesk.Reading.State.BEHIND,
                        1200L,
                        40L,
                        "no compact",
                        counts,
                        List.of(new SourceDesk.Start(2, 10, 14, "event 2-14 of a/b"))));

        // when
        JsonNode shown =
                json(client.send("GET", "/v1/sources/orders", null, "")).path("reading");

        // then
        assertThat(shown.path("state").asText()).isEqualTo("behind");
        assertThat(shown.path("lag").asLong()).isEqualTo(1200);
        assertThat(shown.path("perSecond").asLong()).isEqualTo(40);
        assertThat(shown.path("rejected").asLong()).isEqualTo(3);
        assertThat(shown.path("overtaken").asLong()).isEqualTo(2);
        assertThat(shown.path("problem").asText()).isEqualTo("no compact");
        assertThat(shown.path("lastFault").asText()).isEqualTo("SOURCE_PATH: value.c");
        assertThat(shown.path("lastFaultAt").asText()).startsWith("2026-11-28T10:00:00");
        assertThat(shown.path("starts").toString())
                .contains("\"partition\":2", "\"start\":10", "\"next\":14", "event 2-14 of a/b");
    }

    /** Each instance counts the records that it reads itself; the lag is that of all. */
    @Test
    void shouldAddUpTheCountsOfAllInstances() {
        // given
        try (FakeInstances instances = new FakeInstances()) {
            FakeInstances.Instance one = instances.start();
            FakeInstances.Instance two = instances.start();
            instances.give(one, 0, 1);
            instances.give(two, 2, 3);
            List.of(one, two).forEach(each -> {
                each.data.sources.add(source("orders", "shop.orders", "table", "orders/{value.c}"));
                boolean isFirst = each == one;
                SourceDesk.Reading.Counts counts = new SourceDesk.Reading.Counts(
                        isFirst ? 3 : 4,
                        isFirst ? 1 : 0,
                        isFirst ? "SOURCE_PATH: value.c" : "SOURCE_TYPE: value.at",
                        Instant.parse(isFirst ? "2026-11-28T10:00:00Z" : "2026-11-28T10:00:01Z"));
                each.data.sourceTopics.readings.put(
                        "orders",
                        new SourceDesk.Reading(
                                SourceDesk.Reading.State.READING,
                                5L,
                                40L,
                                null,
                                counts,
                                isFirst ? List.of() : List.of(new SourceDesk.Start(0, 1, 2, "not read yet"))));
            });

            // when
            JsonNode shown = json(new ApiClient(one.server.port()).send("GET", "/v1/sources/orders", null, ""))
                    .path("reading");

            // then
            assertThat(shown.path("rejected").asLong()).isEqualTo(7);
            assertThat(shown.at("/starts/0/heldBy").asText()).isEqualTo("not read yet");
            assertThat(shown.path("overtaken").asLong()).isEqualTo(1);
            assertThat(shown.path("lag").asLong()).isEqualTo(5);
            assertThat(shown.path("lastFault").asText()).isEqualTo("SOURCE_TYPE: value.at");
        }
    }

    /** A source is paused once no instance reads it, and each mouth says the same until then. */
    @ParameterizedTest
    @CsvSource({
        "PAUSED, PAUSED, paused",
        "PAUSED, READING, pausing",
        "PAUSED, BEHIND, pausing",
        "PAUSED, UNKNOWN, pausing",
        "PAUSED, PAUSING, pausing",
        "PAUSING, PAUSED, pausing",
        "READING, PAUSED, reading"
    })
    void shouldSayWhetherNoInstanceReadsAPausedSource(State first, State second, String said) {
        // given
        try (FakeInstances instances = new FakeInstances()) {
            FakeInstances.Instance one = instances.start();
            FakeInstances.Instance two = instances.start();
            instances.give(one, 0, 1);
            instances.give(two, 2, 3);
            one.data.sourceTopics.readings.put("orders", reading(first));
            two.data.sourceTopics.readings.put("orders", reading(second));
            Source source = source("orders", "shop.orders", "table", "orders/{value.c}");
            List.of(one, two).forEach(each -> each.data.sources.add(source.paused(first != State.READING)));

            // when
            JsonNode shown = json(new ApiClient(one.server.port()).send("GET", "/v1/sources/orders", null, ""));

            // then
            assertThat(shown.at("/reading/state").asText()).isEqualTo(said);
        }
    }

    private static SourceDesk.Reading reading(State state) {
        return new SourceDesk.Reading(state, 0L, null, null, SourceDesk.Reading.Counts.NONE, List.of());
    }

    @Test
    void shouldPauseAndResumeByADeclaration() {
        // given
        Source source = source("orders", "shop.orders", "table", "orders/{value.c}");
        ports.sources.add(source);

        // when
        Answer paused = client.send("POST", "/v1/sources/orders/pause?actor=eva&reason=r", null, "");
        Answer resumed = client.send("POST", "/v1/sources/orders/resume?actor=eva", null, "");

        // then
        assertThat(paused.status()).isEqualTo(200);
        assertThat(resumed.status()).isEqualTo(200);
        assertThat(ports.changes)
                .containsExactly(
                        new PolicyBatch(List.of(), List.of(), Set.of(), "eva", "r").with(List.of(source.paused(true))));
        assertThat(client.send("POST", "/v1/sources/none/pause", null, "").status())
                .isEqualTo(404);
    }

    @Test
    void shouldResetOnlyWhatIsPaused() {
        // given
        Source source = source("orders", "shop.orders", "table", "orders/{value.c}");
        ports.sources.add(source);

        // when
        Answer early = client.send("POST", "/v1/sources/orders/reset?to=earliest", null, "");
        ports.sources.set(0, source.paused(true));
        Answer wrong = client.send("POST", "/v1/sources/orders/reset?to=soon", null, "");
        Answer none = client.send("POST", "/v1/sources/orders/reset", null, "");
        Answer moved =
                client.send("POST", "/v1/sources/orders/reset?to=2026-11-01T00:00:00Z&actor=eva&reason=new", null, "");

        // then
        assertThat(early.status()).isEqualTo(422);
        assertThat(early.response().body()).contains("ebb source pause orders");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(none.status()).isEqualTo(400);
        assertThat(json(moved).at("/offsets/0").asLong()).isEqualTo(7);
        assertThat(ports.sourceTopics.resets).containsExactly("orders 2026-11-01T00:00:00Z eva new");
    }

    @Test
    void shouldRemoveASourceThatIsThereAndNoOther() {
        // given
        ports.sources.add(source("orders", "shop.orders", "table", "orders/{value.c}"));

        // then
        assertThat(client.send("DELETE", "/v1/sources/none", null, "").status()).isEqualTo(404);
        assertThat(client.send("DELETE", "/v1/sources/orders?actor=eva&reason=over", null, "")
                        .status())
                .isEqualTo(200);
        assertThat(ports.changes)
                .containsExactly(
                        new PolicyBatch(List.of(), List.of(), Set.of(PolicyKey.ofSource("orders")), "eva", "over"));
    }

    private static JsonNode json(Answer answer) {
        return answer.json();
    }

    private static Source source(String name, String topic, String as, String stream) {
        String json = "{\"name\": \"" + name + "\", \"topic\": \"" + topic + "\", \"as\": \"" + as
                + "\", \"stream\": \"" + stream + "\"}";
        return SourceJson.read(json.getBytes(UTF_8)).source().orElseThrow();
    }
}
