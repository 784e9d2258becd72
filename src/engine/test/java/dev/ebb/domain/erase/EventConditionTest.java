package dev.ebb.domain.erase;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("T-10")
class EventConditionTest {

    static final Event EVENT = event("orders/1", "o-1")
            .type("order")
            .status("failed")
            .correlationId("c=1")
            .contentType("text/plain")
            .metadata(Map.of("user", "42", "a.b", "x", "a=b", "y=z", "", "nameless", "\"q\"", "quoted"))
            .build();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stream=orders/1",
                "id=o-1",
                "type=order",
                "status=failed",
                "correlationId=c=1",
                "contentType=text/plain",
                "metadata.user=42",
                "metadata.a.b=x",
                "metadata.\"a=b\"=y=z",
                "metadata.\"\"=nameless",
                "metadata.\"\"\"q\"\"\"=quoted"
            })
    void shouldBeMetByTheTextOfTheField(String text) {
        EventCondition condition = EventCondition.parse(text);

        assertThat(condition.matches(EVENT)).isTrue();
        assertThat(new EventCondition(condition.field(), condition.value() + "x").matches(EVENT))
                .isFalse();
        assertThat(condition).hasToString(text);
    }

    @Test
    void shouldNotBeMetByAnEventWithoutTheText() {
        Event empty = event("orders/1", "o-1").build();

        assertThat(EventCondition.parse("metadata.user=42").matches(empty)).isFalse();
        assertThat(EventCondition.parse("status=failed").matches(empty)).isFalse();
        assertThat(EventCondition.areAllMetBy(
                        EVENT, List.of(EventCondition.parse("id=o-1"), EventCondition.parse("type=bill"))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "user=42 | 'user' is not a field of an event; the fields are stream, id, type, status,"
                        + " correlationId, contentType, source, metadata.<key>",
                "metadata.=42 | 'metadata.=42' is not a condition such as metadata.user=42; a name that is empty or has an"
                        + " equals sign stands in quotation marks, such as metadata.\"a=b\"=42",
                "metadata.\"a=42 | 'metadata.\"a=42' is not a condition such as metadata.user=42",
                "metadata.user | 'metadata.user' is not a condition such as metadata.user=42",
                "type= | the condition on type has no value"
            })
    void shouldRefuseWhatIsNoCondition(String text, String message) {
        assertThatThrownBy(() -> EventCondition.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource({"63, true", "64, true", "65, false"})
    @Tag("O-11")
    void shouldLimitTheNumberOfConditions(int count, boolean isAllowed) {
        List<EventCondition> conditions = Collections.nCopies(count, EventCondition.parse("metadata.user=42"));

        assertThat(EventCondition.problem(conditions) == null).isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, true", "1, false"})
    @Tag("O-11")
    void shouldLimitTheBytesOfAllConditions(int more, boolean isAllowed) {
        int length = EventCondition.MAX_BYTES / 2 - "type=".length();
        List<EventCondition> conditions = List.of(
                new EventCondition("type", "x".repeat(length)), new EventCondition("type", "x".repeat(length + more)));

        assertThat(EventCondition.problem(conditions) == null).isEqualTo(isAllowed);
    }
}
