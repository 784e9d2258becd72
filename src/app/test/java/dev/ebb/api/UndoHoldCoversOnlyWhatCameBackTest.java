package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiClient.Answer;
import dev.ebb.api.http.ApiJson;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.policy.Hold;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hold of an undo covers each stream to which something comes back, by name, and nothing else (T-3, M-18). */
@Tag("T-3")
class UndoHoldCoversOnlyWhatCameBackTest {

    @RegisterExtension
    final FakeApi api = new FakeApi();

    private final FakePorts ports = api.ports;

    /** Whatever the undo means: neither its namespace nor the scope of its policy, and never all. */
    @ParameterizedTest
    @CsvSource({
        "command, c-0, , ",
        "sweep, s-1, , ",
        "command, c-0, namespace, orders",
        "policy, namespace:orders, , ",
        "policy, pattern:cache, , ",
        "policy, hold:c-1, , ",
        "policy, *, , "
    })
    void shouldHoldTheStreamsAlone(String field, String value, String more, String name) {
        // given
        ports.commands.counted = found(List.of("orders/1", "mail/2"), 2);

        // when
        Answer answer = undo(more == null ? Map.of(field, value) : Map.of(field, value, more, name));

        // then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(ports.changes).singleElement().satisfies(change -> {
            assertThat(change.holds())
                    .extracting(hold -> hold.caseId() + " " + hold.covers())
                    .containsExactly("INC-7-1 stream:mail/2", "INC-7-2 stream:orders/1");
            assertThat(change.holds()).extracting(Hold::reason).containsOnly("why");
        });
        assertThat(answer.json().at("/prepared/holds").size()).isEqualTo(2);
    }

    @Test
    void shouldUseTheCaseItselfForOneStream() {
        ports.commands.counted = found(List.of("orders/1"), 1);

        undo(Map.of("command", "c-0"));

        assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.holds())
                .extracting(hold -> hold.caseId() + " " + hold.covers())
                .containsExactly("INC-7 stream:orders/1"));
    }

    /** Below, at and above the limit; what is too much is refused before anything is done, with the way out. */
    @ParameterizedTest
    @CsvSource({"99, 200", "100, 200", "101, 422"})
    void shouldNameTheFixAboveTheLimit(int streams, int status) {
        // given
        List<String> names = IntStream.range(0, Math.min(streams, Undone.MOST_STREAMS))
                .mapToObj(i -> "orders/" + i)
                .toList();
        ports.commands.counted = found(names, streams);

        // when
        Answer answer = undo(Map.of("command", "c-0"));

        // then
        assertThat(answer.status()).isEqualTo(status);
        if (status == 200) {
            assertThat(ports.changes).singleElement().satisfies(change -> assertThat(change.holds())
                    .hasSize(streams));
        } else {
            assertThat(answer.json().path("detail").asText())
                    .contains("101 streams", "100 at most", "nothing was done", "by namespace or stream");
            assertThat(ports.changes).isEmpty();
            assertThat(ports.commands.submitted).isEmpty();
        }
    }

    private static Undone found(List<String> streams, long number) {
        return new Undone(number, 10, number, 0, Map.of(), List.of(), streams, null);
    }

    private Answer undo(Map<String, Object> body) {
        String path = "/v1/undo?hold=INC-7&actor=anna&reason=why";
        return api.client.send(
                "POST", path, "application/json", ApiJson.tree(body).toString());
    }
}
