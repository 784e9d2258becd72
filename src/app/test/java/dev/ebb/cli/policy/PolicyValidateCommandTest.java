package dev.ebb.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs no application: where one is asked, the command fails. */
@Tag("R-13")
class PolicyValidateCommandTest {

    @TempDir
    private Path folder;

    @Test
    void shouldTakeAFileWithoutFaults() throws Exception {
        CommandRun run = validate("policies:\n  - scope: '*'\n    maxAge: 30d\n");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("1 file checked, no faults.\n");
    }

    @Test
    void shouldNameFileLineFieldAndRemedyOfEachFault() throws Exception {
        CommandRun run = validate("policies:\n  - scope: namespace:a\n    maxAges: 3d\n    maxCount: 0\n"
                + "holds:\n  - case: L-1\n    covers: pattern:x\n");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out().lines())
                .hasSize(3)
                .anyMatch(line -> line.matches(
                        ".*/p.yaml:3: error: policies\\[0] \\(namespace:a\\), maxAges: .*did you mean maxAge\\?"))
                .anyMatch(line -> line.matches(".*/p.yaml:4: error: .*maxCount: must be positive, was 0"))
                .anyMatch(line -> line.matches(".*/p.yaml:7: error: .*covers: must be .*"));
    }

    @Test
    void shouldTakeAWarningForAFaultWhereAsked() throws Exception {
        String file = "policies:\n  - scope: namespace:a\n    keepLast: 10\n    maxCount: 5\n";

        CommandRun usual = validate(file);
        assertThat(usual.exitCode()).isZero();
        assertThat(usual.out()).contains("warning: ", "keepLast: is greater than maxCount");
        assertThat(validate(file, "--strict").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldCheckTheReasonAsTheApplicationDoes() throws Exception {
        CommandRun run = validate(
                "policies:\n  - scope: namespace:a\n    maxAge: 1d\n    reason: '" + "x".repeat(10_000) + "'\n");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).contains("namespace:a, reason: ");
    }

    @Test
    void shouldTellProgramsTheSame() throws Exception {
        JsonNode answer = new ObjectMapper()
                .readTree(validate("policies:\n  - maxAge: 30d\n", "-o", "json").out());

        assertThat(answer.path("valid").asBoolean(true)).isFalse();
        assertThat(answer.at("/problems/0/line").asInt()).isEqualTo(2);
        assertThat(answer.at("/problems/0/field").asText()).isEqualTo("scope");
        assertThat(answer.at("/files/0/policies").asInt(-1)).isZero();
    }

    @Test
    @Tag("F-1")
    void shouldCheckSourcesToo() throws Exception {
        String sources = "sources:\n  - name: orders\n    topic: shop.orders\n    as: table\n"
                + "    stream: 'orders/{value.customer}'\n";

        CommandRun run = validate(sources + "    status: {from: value.state, maps: {A: completed}}\n"
                + "  - name: orders\n    topic: shop.rows\n    as: tables\n    stream: 'orders/{key}'\n");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out().lines())
                .anyMatch(line -> line.matches(
                        ".*/p.yaml:6: error: sources\\[0] \\(orders\\), status.maps: .*did you mean map\\?"))
                .anyMatch(line -> line.matches(".*/p.yaml:9: error: .*as: must be table or log.*"))
                .anyMatch(line -> line.contains("name: is declared by sources[0] already"));

        CommandRun sound = validate(sources, "-o", "json");
        assertThat(sound.exitCode()).isZero();
        assertThat(new ObjectMapper()
                        .readTree(sound.out())
                        .at("/files/0/sources")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void shouldSayThatAFileIsMissing() {
        CommandRun run = CommandRun.of(
                "policy", "validate", "-f", folder.resolve("none.yaml").toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("it does not exist");
    }

    private CommandRun validate(String text, String... options) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), text);
        List<String> words = new ArrayList<>(List.of("policy", "validate", "-f", file.toString()));
        words.addAll(List.of(options));
        return CommandRun.of(words.toArray(String[]::new));
    }
}
