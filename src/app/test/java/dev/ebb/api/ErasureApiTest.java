package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.serde.text.JsonState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("T-11")
class ErasureApiTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;

    @Test
    void shouldTellWherePlacesOfACaseStandByNow() {
        // given
        audit("c-1", "GDPR-7", 1000);
        audit("c-2", "GDPR-8", 2000);
        audit("c-3", "GDPR-7", 3000);

        // when
        JsonNode erasures = client.get("/v1/erase/GDPR-7").json().path("erasures");

        // then
        assertThat(erasures.findValuesAsText("commandId")).containsExactly("c-3", "c-1");
        assertThat(erasures.at("/0/finishedAt").asText()).isEqualTo("1970-01-01T00:00:03.000Z");
        assertThat(erasures.at("/0/left/HELD").asLong()).isEqualTo(2);
        JsonNode places = erasures.at("/0/places");
        assertThat(places.findValuesAsText("name")).containsExactly("ebb.events", "ebb.rejected", "files");
        assertThat(places.findValuesAsText("isClean")).containsExactly("true", "false", "false");
        assertThat(places.at("/2/until").isNull()).isTrue();
    }

    @Test
    void shouldListErasuresOfAllCasesAndOfOneCommand() {
        // given
        audit("c-1", "GDPR-7", 1000);
        audit("c-2", "GDPR-8", 2000);

        // when
        JsonNode all = client.get("/v1/erase").json().path("erasures");
        JsonNode one = client.get("/v1/erase?commandId=c-1").json().path("erasures");
        JsonNode none = client.get("/v1/erase?commandId=c-3").json().path("erasures");

        // then
        assertThat(all.findValuesAsText("caseId")).containsExactly("GDPR-8", "GDPR-7");
        assertThat(one.findValuesAsText("caseId")).containsExactly("GDPR-7");
        assertThat(none).isEmpty();
    }

    @Test
    void shouldNotKnowACaseWithoutAnErasure() {
        audit("c-1", "GDPR-7", 1000);

        assertThat(client.get("/v1/erase/GDPR").status()).isEqualTo(404);
    }

    private void audit(String commandId, String caseId, long atMs) {
        EraseCase erased = new EraseCase(
                caseId,
                List.of("metadata.user"),
                "",
                5,
                500,
                Map.of("HELD", 2L),
                "",
                atMs,
                List.of(
                        new RemainingPlace("ebb.events", "whole events", atMs + 10, "retention.ms=10"),
                        new RemainingPlace(
                                "ebb.rejected", "whole events", Long.MAX_VALUE / 2000, "retention.ms=1000000"),
                        new RemainingPlace("files", "whole events", null, "none")));
        Origin origin = Origin.ofCommand(commandId, "anna", "art. 17", "0/1");
        ports.insight.audited.add(AuditRecord.ofErasure(
                commandId + "-0-1-erased", origin, EraseCase.scope(caseId), JsonState.write(erased), atMs));
    }
}
