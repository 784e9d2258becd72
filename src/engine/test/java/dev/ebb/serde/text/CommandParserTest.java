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

    private static ParsedCommand parse(String verb, Map<String, Object> fields) {
        Map<String, Object> values = new HashMap<>(fields);
        values.putAll(Map.of("commandId", "c-1", "verb", verb, "actor", "anna", "reason", "art. 17"));
        return CommandParser.parse(values);
    }
}
