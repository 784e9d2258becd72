package dev.ebb.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.ApiClient.Answer;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.SourceJson;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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
