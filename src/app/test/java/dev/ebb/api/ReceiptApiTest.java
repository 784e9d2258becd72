package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.port.history.ReceiptQueries.Verified;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-17")
@Tag("T-9")
class ReceiptApiTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;
    private final ApiClient client = api.client;
    private final FakeReceipts receipts = ports.insight.receipts;
    private final SigningKey.Pair key = SigningKey.generate("ebb");
    private final SignedNote note = key.signing().sign(new Checkpoint("ebb/audit/0", 3, Hash.OF_NOTHING).text());

    @Test
    void shouldAnswerWithTheReceipt() {
        // given
        receipts.receipt = new Receipt(
                List.of(note), List.of(new Receipt.Proven(0, 2, new byte[] {1, 2}, List.of(Hash.OF_NOTHING))));

        // when
        JsonNode receipt =
                client.get("/v1/receipts?stream=orders%2F1&event=e-1").json();

        // then
        assertThat(receipts.asked).containsExactly("orders/1 e-1 null null");
        assertThat(receipt.path("of")).hasToString("{\"stream\":\"orders/1\",\"event\":\"e-1\"}");
        assertThat(receipt.path("parts").asInt()).isEqualTo(1);
        assertThat(receipt.has("next")).isFalse();
        assertThat(receipt.at("/checkpoints/0/note").asText()).isEqualTo(note.toString());
        assertThat(receipt.at("/checkpoints/0/keys/0").asText())
                .isEqualTo(key.verifying().name().toString());
        assertThat(receipt.at("/records/0/value").asText()).isEqualTo("AQI=");
        assertThat(receipt.at("/records/0/proof/0").asText()).isEqualTo(Hash.OF_NOTHING.toString());
    }

    @Test
    @Tag("T-17")
    void shouldAnswerPartByPart() {
        // given
        receipts.receipt = new Receipt(List.of(note), List.of(new Receipt.Proven(0, 2, new byte[] {1}, List.of())));
        receipts.part = 2;
        receipts.parts = 3;

        // when
        JsonNode receipt = client.get("/v1/receipts?command=c-1&after=x&to=1970-01-01T00:00:05Z")
                .json();

        // then
        assertThat(receipts.asked).containsExactly("null null c-1 x");
        assertThat(receipt.path("of")).hasToString("{\"command\":\"c-1\",\"to\":\"1970-01-01T00:00:05.000Z\"}");
        assertThat(receipt.path("part").asInt()).isEqualTo(2);
        assertThat(receipt.path("parts").asInt()).isEqualTo(3);
        assertThat(receipt.path("next").asText()).isEqualTo("more");
    }

    @ParameterizedTest
    @CsvSource({
        "'',400",
        "?command=c&sweep=s,400",
        "?stream=orders%2F1,404",
        "verification?keys=x,400",
        "verification?known=x,400"
    })
    void shouldSayWhatIsWrong(String query, int status) {
        String path = query.startsWith("verification") ? "/v1/receipts/" + query : "/v1/receipts" + query;

        assertThat(client.get(path).status()).isEqualTo(status);
    }

    @Test
    void shouldRefuseWhatCannotBeProved() {
        receipts.isRefused = true;

        assertThat(client.get("/v1/receipts?sweep=s-1").status()).isEqualTo(422);
    }

    @Test
    void shouldVerifyByTheKeysAndTheCheckpointOfTheCaller() {
        // given
        Finding finding = new Finding(Finding.Kind.DROPPED, 4, 5, 9L, "gone");
        receipts.verified = new Verified("0", 3, 4, 0, 1, 1, 0, "note", finding, "x");

        // when
        JsonNode part = client.get("/v1/receipts/verification?keys=" + encoded(key.verifying()) + "&known="
                        + encoded(note) + "&after=c")
                .json();

        // then
        assertThat(receipts.asked).containsExactly("[" + key.verifying() + "] ebb/audit/0 c");
        assertThat(part.at("/finding/kind").asText()).isEqualTo("DROPPED");
        assertThat(part.at("/finding/offset").asLong()).isEqualTo(9);
        assertThat(part.path("next").asText()).isEqualTo("x");
    }

    private static String encoded(Object text) {
        return URLEncoder.encode(text.toString(), StandardCharsets.UTF_8);
    }
}
