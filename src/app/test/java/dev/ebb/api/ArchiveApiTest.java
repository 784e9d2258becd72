package dev.ebb.api;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.EventBuilder;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.RejectedRecord.Id;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-17")
class ArchiveApiTest {

    @RegisterExtension
    final FakeApi api = new FakeApi(100_000);

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @Test
    @Tag("O-3")
    void shouldListArchivedEventsWithoutTheirContent() {
        // given
        archive(7, event("orders/1", "a").payload("secret".getBytes(StandardCharsets.UTF_8)));
        archive(8, event("other", "b"));

        // when
        JsonNode first = client.get("/v1/archive?limit=1").json();
        JsonNode orders = client.get("/v1/archive?namespace=orders&cause=max_age&sweep=s-1")
                .json();

        // then
        assertThat(first.path("archived").findValuesAsText("record")).containsExactly("0-7");
        assertThat(first.path("next").asText()).isEqualTo("1");
        assertThat(orders.path("archived")).hasSize(1);
        assertThat(orders.at("/archived/0/cause").asText()).isEqualTo("MAX_AGE");
        assertThat(orders.at("/archived/0/scope").asText()).isEqualTo("*");
        assertThat(orders.at("/archived/0/bytes").asLong()).isPositive();
        assertThat(orders.toString()).doesNotContain("secret", "payload");
    }

    @ParameterizedTest
    @CsvSource({"cause=NONE", "limit=0", "from=x", "stream=%00", "nonsense=1"})
    void shouldRefuseAFilterThatMakesNoSense(String query) {
        assertThat(client.get("/v1/archive?" + query).status()).isEqualTo(400);
    }

    private void archive(long offset, EventBuilder event) {
        ports.insight.archived.add(record(
                offset,
                new ArchivedEvent(
                        event.stored(System.currentTimeMillis()), 2000, RemovalCause.MAX_AGE, "*", 1L, "s-1", null)));
    }

    private static ArchivedRecord record(long offset, ArchivedEvent archived) {
        return new ArchivedRecord(new Id(0, offset), archived);
    }
}
