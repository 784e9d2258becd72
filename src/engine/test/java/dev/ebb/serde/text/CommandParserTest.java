package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as their senders write them. */
class CommandParserTest {

    /** The plan knows what its dry run was about. */
    @ParameterizedTest
    @ValueSource(strings = {"sweep", "purge", "prune-bulk", "erase"})
    @Tag("T-6")
    void shouldNeedNoFiltersBesideAPlan(String verb) {
        assertThat(parse(verb, Map.of("plan", "p-1")).request()).isPresent();
    }

    @Test
    @Tag("T-10")
    void shouldRefuseAnErasureWithoutConditions() {
        assertThat(parse("erase", Map.of("case", "GDPR-7")).detail()).contains("where is missing");
        assertThat(parse("erase", Map.of("case", "GDPR-7", "where", List.of())).detail())
                .contains("where is empty");
        assertThat(parse("erase", Map.of("plan", "p-1", "where", List.of())).detail())
                .contains("where is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\uD800b", "a\u0000b"})
    @Tag("O-24")
    void shouldRefuseTextsThatComeBackAsOthers(String text) {
        Map<String, Object> values = Map.of("commandId", "c-1", "verb", "purge", "all", true);
        for (String field : List.of("actor", "reason")) {
            Map<String, Object> all = new HashMap<>(values);
            all.put(field, text);

            assertThat(CommandParser.parse(all).detail()).contains(field + " must ");
        }
    }

    @Test
    @Tag("O-22")
    void shouldNotTakeTheDigitsOfADateForMilliseconds() {
        assertThat(parse("undo", Map.of("since", 202611281015L)).detail()).contains("a date and a time?");
        assertThat(parse("undo", Map.of("since", 1764300000000L)).request()).isPresent();
    }

    @Test
    @Tag("O-22")
    void shouldReadTimesOfRecordsAsTextsToo() {
        assertThat(parse("undo", Map.of("since", "2026-11-28T10:00:00Z"))
                        .request()
                        .orElseThrow()
                        .command())
                .isEqualTo(parse("undo", Map.of("since", 1795860000000L))
                        .request()
                        .orElseThrow()
                        .command());
        assertThat(parse("undo", Map.of("since", "2026-11-28T10:00:00")).detail())
                .contains("names no offset");
        assertThat(parse("undo", Map.of("since", "1h")).detail()).contains("was the duration '1h'");
        assertThat(parse("undo", Map.of("since", "1970-06-01")).detail()).contains("before 1971");
    }

    private static ParsedCommand parse(String verb, Map<String, Object> fields) {
        Map<String, Object> values = new HashMap<>(fields);
        values.putAll(Map.of("commandId", "c-1", "verb", verb, "actor", "anna", "reason", "art. 17"));
        return CommandParser.parse(values);
    }
}
