package dev.ebb.topology.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.work.Work;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorksTest {

    /**
     * States of pending work, each behind its kind, as the version before the catalogue of commands wrote them. A resource
     * and no path: PIT runs the tests in another directory than Surefire.
     */
    private static final String FORMER = "pending-work.txt";

    private static final Map<String, Work.Kind<?>> KINDS =
            Works.all().collect(Collectors.toMap(Work.Kind::name, Function.identity()));

    static List<String> former() throws IOException {
        try (InputStream text = Objects.requireNonNull(WorksTest.class.getResourceAsStream(FORMER), FORMER)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    static Stream<CommandKind<?>> commands() {
        return Command.Kinds.LIST.stream();
    }

    @Test
    @Tag("O-11")
    void shouldKnowAFormerStateOfEveryKindOfWork() throws IOException {
        assertThat(former().stream().map(WorksTest::kind).distinct())
                .containsExactlyInAnyOrderElementsOf(KINDS.keySet());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldKnowAFormerStateWithEveryCommand(CommandKind<?> command) throws IOException {
        assertThat(former().stream().filter(line -> line.contains("\"command\":\"" + command + "\"")))
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("former")
    @Tag("O-11")
    void shouldGoOnWithWorkOfTheFormerVersion(String line) {
        // given
        String written = line.substring(kind(line).length() + 1);

        // when
        Object state = JsonState.read(written, KINDS.get(kind(line)).type());

        // then
        assertThat(JsonState.write(state)).isEqualTo(written);
    }

    private static String kind(String line) {
        return line.substring(0, line.indexOf(' '));
    }
}
