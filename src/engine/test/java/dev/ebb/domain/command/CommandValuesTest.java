package dev.ebb.domain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Scope;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Plain values of commands: those that are wrong have a fault and no value. */
@Tag("O-9")
class CommandValuesTest {

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(CommandField.COMMAND_ID, 7, "must be a text"),
                Arguments.of(CommandField.POLICIES, "\uD83D", "must be valid Unicode"),
                Arguments.of(CommandField.NAMESPACE, "a/b", "is wrong"),
                Arguments.of(CommandField.STREAM, "", "must"),
                Arguments.of(CommandField.EVENT_ID, "", "must"),
                Arguments.of(CommandField.STREAMS, "s", "must be a list of stream names"),
                Arguments.of(CommandField.LIMIT, "7", "must be a whole number, was '7'"),
                Arguments.of(CommandField.LIMIT, 7.0, "must be a whole number, was '7.0'"),
                Arguments.of(CommandField.LIMIT, 0, "must be at least 1, was 0"),
                Arguments.of(CommandField.AT, -1L, "is wrong: -1 is read as 1969-12-31, before 1971"),
                Arguments.of(
                        CommandField.SINCE,
                        1764300000L,
                        "is wrong: 1764300000 is read as 1970-01-21, before 1971; seconds?"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("wrong")
    void shouldHaveNoValueOfAWrongField(CommandField<?> field, Object value, String message) {
        // given
        CommandValues given = values(field, value);

        // when
        given.read(field, true);

        // then
        assertThat(given.faults()).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo(field.text());
            assertThat(fault.message()).contains(message);
        });
        assertThat(given.find(field)).isNull();
    }

    static Stream<Arguments> wrongInPart() {
        return Stream.of(
                Arguments.of(CommandField.ACTOR, "x".repeat(256), "must not be longer than 255 characters, was 256"),
                Arguments.of(CommandField.DRY_RUN, "yes", "must be true or false, was 'yes'"),
                Arguments.of(CommandField.RECORD, "topic/1", "must be topic/partition/offset, was 'topic/1'"),
                Arguments.of(CommandField.STREAMS, List.of("s", ""), "has the name '', which"),
                Arguments.of(CommandField.STREAMS, List.of("s", 7), "has the name '7', which must be a text"),
                Arguments.of(CommandField.ROWS, "r", "must be a list of rows"),
                Arguments.of(CommandField.ROWS, List.of("r"), "has an element that is not a row"),
                Arguments.of(CommandField.ROWS, List.of(row(4096 - 25 + 1)), "it has 4097 characters"),
                Arguments.of(CommandField.EXECUTIONS, "1", "must be a list of whole numbers"),
                Arguments.of(
                        CommandField.EXECUTIONS,
                        List.of(-1L),
                        "has '-1', which is not a whole number of at" + " least 0"),
                Arguments.of(
                        CommandField.EXECUTIONS,
                        List.of("1"),
                        "has '1', which is not a whole number of at" + " least 0"),
                Arguments.of(
                        CommandField.EXECUTIONS,
                        Collections.nCopies(1001, 1L),
                        "must not have more than 1000 elements, has 1001"),
                Arguments.of(CommandField.SCOPE, "pattern:cache", "streams of a pattern cannot be swept alone"),
                Arguments.of(CommandField.SCOPE, "n", "is wrong"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("wrongInPart")
    void shouldSayWhereAFieldIsWrong(CommandField<?> field, Object value, String message) {
        // given
        CommandValues given = values(field, value);

        // when
        given.read(field, false);

        // then
        assertThat(given.faults()).singleElement().satisfies(fault -> assertThat(fault.toString())
                .startsWith(field.text() + " ")
                .contains(message));
    }

    static Stream<Arguments> right() {
        return Stream.of(
                Arguments.of(CommandField.ACTOR, "x".repeat(255), "x".repeat(255)),
                Arguments.of(CommandField.LIMIT, 1, 1L),
                Arguments.of(CommandField.AT, 31_536_000_000L, 31_536_000_000L),
                Arguments.of(CommandField.RECORD, "t/1/2", "t/1/2"),
                Arguments.of(CommandField.ROWS, List.of(row(4096 - 25)), List.of(RowKey.parse(row(4096 - 25)))),
                Arguments.of(CommandField.EXECUTIONS, List.of(0, 5L), List.of(0L, 5L)),
                Arguments.of(CommandField.EXECUTIONS, Collections.nCopies(1000, 1L), Collections.nCopies(1000, 1L)),
                Arguments.of(CommandField.SCOPE, "namespace:n", Scope.namespace("n")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("right")
    void shouldReadAFieldAtItsLimit(CommandField<?> field, Object value, Object read) {
        // given
        CommandValues given = values(field, value);

        // when
        given.read(field, true);

        // then
        assertThat(given.faults()).isEmpty();
        assertThat(given.find(field)).isEqualTo(read);
    }

    @Test
    void shouldTakeFalseForNotGiven() {
        // given
        Map<String, Object> plain = new HashMap<>(Map.of("force", false, "all", true, "stream", "s"));
        CommandValues given = new CommandValues(plain);

        // then
        assertThat(given.names()).containsExactlyInAnyOrder("all", "stream");
        assertThat(given.isGiven(CommandField.FORCE)).isFalse();
        assertThat(given.isGiven(CommandField.ALL)).isTrue();
        assertThat(given.isGiven(CommandField.LIMIT)).isFalse();
    }

    @Test
    void shouldMissWhatIsRequired() {
        // given
        CommandValues given = new CommandValues(Map.of());

        // when
        given.read(CommandField.STREAM, true);
        given.read(CommandField.STREAM, false);
        given.read(CommandField.SCOPE, false);

        // then
        assertThat(given.faults()).containsExactly(new CommandValues.Fault("stream", "is missing"));
        assertThat(given.get(CommandField.SCOPE)).isEqualTo(Scope.ALL);
    }

    @Test
    @Tag("O-17")
    void shouldKnowFieldsOfTimeAndRolesAndScopes() {
        assertThat(CommandField.AT.isTime()).isTrue();
        assertThat(CommandField.LIMIT.isTime()).isFalse();
        assertThat(Command.DeleteStream.KIND.isForAdmins()).isTrue();
        assertThat(Command.PruneStream.KIND.isForAdmins()).isFalse();
        assertThat(Command.PruneStream.KIND.summary()).isEqualTo("Deletes old executions of a stream.");
        assertThat(new Command.RetryParked(null, null).scope()).isEqualTo(Scope.ALL);
    }

    private static CommandValues values(CommandField<?> field, Object value) {
        return new CommandValues(Map.of(field.text(), value));
    }

    /** A row with an event id of so many characters; the time and the blank before it have 25 more. */
    private static String row(int idChars) {
        return "2026-01-31T09:00:00.123Z " + "x".repeat(idChars);
    }
}
