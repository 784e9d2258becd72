package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.SampleCommands;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.text.CommandParser;
import dev.ebb.serde.text.JsonState;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A command that one of the lists, schemas or codecs forgets fails here. */
class CommandCatalogueTest {

    static Stream<Command> commands() {
        return SampleCommands.all();
    }

    static Stream<CommandKind<?>> kinds() {
        return Command.Kinds.LIST.stream();
    }

    @Test
    void shouldListEveryCommandOnceUnderAVerbOfItsOwn() {
        assertThat(Command.Kinds.LIST.stream().<Class<?>>map(CommandKind::type))
                .containsExactlyInAnyOrderElementsOf(SampleCommands.types().toList());
        assertThat(Command.Kinds.LIST.stream().map(CommandKind::verb)).doesNotHaveDuplicates();
    }

    @Test
    void shouldHaveASampleOfEveryCommand() {
        assertThat(commands().<Class<?>>map(Command::getClass).distinct())
                .containsExactlyInAnyOrderElementsOf(SampleCommands.types().toList());
    }

    @Test
    void shouldTakeExactlyTheFieldsOfTheSchema() {
        assertThat(Command.Kinds.fields().stream().map(CommandField::text))
                .containsExactlyInAnyOrderElementsOf(EbbSchemas.COMMAND.getFields().stream()
                        .map(Schema.Field::name)
                        .toList());
    }

    @Test
    void shouldDeclareNoFieldThatNoCommandTakes() {
        assertThat(Arrays.stream(CommandField.class.getDeclaredFields())
                        .filter(field -> Modifier.isPublic(field.getModifiers())))
                .hasSize(Command.Kinds.fields().size());
    }

    /** The schema leaves it to the refusal to name all verbs, so that a new one need not be added there. */
    @Test
    void shouldNameEveryVerbWhereAnUnknownOneIsRefused() {
        String detail =
                CommandParser.parse(Map.of("commandId", "c-1", "verb", "?")).detail();

        assertThat(detail.split("[ ,]+"))
                .containsAll(kinds().map(CommandKind::verb).toList());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldSetEveryFieldInASample(CommandKind<?> kind) {
        assertThat(commands()
                        .filter(command -> Command.Kinds.of(command) == kind)
                        .flatMap(command -> given(command).keySet().stream()))
                .containsAll(kind.fields().stream()
                        .map(CommandField::text)
                        .filter(name -> !name.equals("dryRun"))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldMakeTheCommandThatItsValuesCameFrom(Command command) {
        assertThat(CommandParser.parse(given(command)).request()).contains(SampleCommands.request(command));
    }

    @ParameterizedTest
    @MethodSource("commands")
    @Tag("O-11")
    void shouldRememberEveryCommand(Command command) {
        // given
        CommandRequest request = SampleCommands.request(command);

        // when
        String state = JsonState.write(request);

        // then
        assertThat(JsonState.read(state, CommandRequest.class)).isEqualTo(request);
        assertThat(state).contains("\"command\":\"" + command.verb() + "\"");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldReadTheRecordThatItWrote(Command command) {
        CommandRequest request = SampleCommands.request(command);
        try (AvroRecords records = AvroRecords.of(new InMemorySchemaRegistry())) {
            records.prepare();

            // when
            DecodedCommand read = records.readCommand("ebb.commands", new RecordHeaders(), records.command(request));

            // then
            assertThat(read).isEqualTo(new DecodedCommand.Good(request));
        }
    }

    /** The values that are given, as a record or a body has them. */
    private static Map<String, Object> given(Command command) {
        CommandRequest request = SampleCommands.request(command);
        Map<String, Object> values = new HashMap<>();
        Command.Kinds.of(command).plain(command).forEach((name, value) -> {
            if (!Objects.requireNonNullElse(value, false).equals(false)) {
                values.put(name, value);
            }
        });
        values.put("commandId", request.commandId());
        values.put("verb", command.verb());
        values.put("actor", request.actor());
        values.put("reason", request.reason());
        if (request.isDryRun()) {
            values.put("dryRun", true);
        }
        if (request.plan() != null) {
            values.put("plan", request.plan());
        }
        if (request.maxDeletes() != null) {
            values.put("maxDeletes", request.maxDeletes());
        }
        return values;
    }
}
