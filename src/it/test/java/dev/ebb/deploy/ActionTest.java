package dev.ebb.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The steps of the Action as a runner would run them, with a script in place of the command. */
@Tag("R-13")
@Timeout(60)
class ActionTest {

    private static final Path HOME = Path.of(System.getProperty("ebb.home", "")).toAbsolutePath();
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ (inputs|steps)\\.([\\w.-]+) }}");

    private final JsonNode action =
            YamlFiles.documents(HOME.resolve("action.yml")).get(0);

    @TempDir
    private Path folder;

    @BeforeEach
    void makeCommand() throws Exception {
        Path ebb = Files.writeString(folder.resolve("ebb"), """
                #!/bin/sh
                echo "$@" >>calls
                case "$1 $2" in
                  'policy validate') cat validated; exit "$(cat code)" ;;
                  'policy plan') echo planned; exit "$(cat code)" ;;
                esac
                """);
        assertThat(ebb.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void shouldNameOnlyInputsAndStepsThatAreThere() {
        String text = YamlFiles.text(HOME.resolve("action.yml"));
        assertThat(EXPRESSION.matcher(text).results().filter(match -> match.group(1)
                        .equals("inputs")))
                .isNotEmpty()
                .allMatch(match -> action.path("inputs").has(match.group(2)));
        assertThat(EXPRESSION.matcher(text).results().filter(match -> match.group(1)
                        .equals("steps")))
                .isNotEmpty()
                .allMatch(match -> step(match.group(2).split("\\.", 2)[0]) != null);
        assertThat(action.at("/runs/using").asText()).isEqualTo("composite");
        // A composite Action must name the shell of each script.
        assertThat(YamlFiles.elements(action.at("/runs/steps")).filter(step -> step.has("run")))
                .allMatch(step -> step.path("shell").asText().equals("bash"));
    }

    @Test
    void shouldDownloadTheVersionOfTheProject() {
        assertThat(action.at("/inputs/version/default").asText())
                .isEqualTo(Pattern.compile("<artifactId>ebb-parent</artifactId>\\s*<version>(.*?)</version>")
                        .matcher(YamlFiles.text(HOME.resolve("pom.xml")))
                        .results()
                        .map(match -> match.group(1))
                        .collect(Collectors.joining()));
    }

    @Test
    void shouldPutFaultsToTheirLines() throws Exception {
        Shell.Outcome outcome = run(
                "validate",
                2,
                "a.yaml:3: error: policies[0] (*), maxAge: must be there\n",
                Map.of("FILES", "a.yaml b.yaml", "STRICT", "true"));

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.text()).contains("::error file=a.yaml,line=3::policies[0] (*), maxAge: must be there\n");
        assertThat(folder.resolve("calls")).hasContent("policy validate -f a.yaml -f b.yaml --strict");
        assertThat(folder.resolve("output")).hasContent("valid=false");
    }

    @Test
    void shouldEndWellWithoutFaults() throws Exception {
        Shell.Outcome outcome =
                run("validate", 0, "1 file checked, no faults.\n", Map.of("FILES", "a.yaml", "STRICT", "false"));

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.text()).doesNotContain("::error");
        assertThat(folder.resolve("output")).hasContent("valid=true");
    }

    @Test
    void shouldFailOnAPlanThatTheBrakeWouldHoldBack() throws Exception {
        Map<String, String> variables = Map.of("FILES", "a.yaml", "PRUNE", "true", "EBB_TOKEN", "", "EBB_CA_FILE", "");

        Shell.Outcome strict = run("plan", 5, "", with(variables, "FAIL_ON_BRAKE", "true"));
        assertThat(strict.exitCode()).isEqualTo(5);
        assertThat(strict.text()).contains("::error file=a.yaml::");
        assertThat(Files.readString(folder.resolve("summary"))).contains("### a.yaml", "planned");
        assertThat(folder.resolve("plan.json")).hasContent("planned");

        Shell.Outcome lenient = run("plan", 5, "", with(variables, "FAIL_ON_BRAKE", "false"));
        assertThat(lenient.exitCode()).isZero();
        assertThat(lenient.text()).contains("::warning file=a.yaml::");
    }

    private static Map<String, String> with(Map<String, String> variables, String name, String value) {
        Map<String, String> all = new HashMap<>(variables);
        all.put(name, value);
        return all;
    }

    private Shell.Outcome run(String step, int code, String validated, Map<String, String> variables) throws Exception {
        Files.writeString(folder.resolve("code"), Integer.toString(code));
        Files.writeString(folder.resolve("validated"), validated);
        Files.writeString(folder.resolve("script"), step(step).path("run").asText());
        Map<String, String> all = new HashMap<>(variables);
        all.put("EBB", folder.resolve("ebb").toString());
        all.put("GITHUB_OUTPUT", folder.resolve("output").toString());
        all.put("GITHUB_STEP_SUMMARY", folder.resolve("summary").toString());
        all.put("RUNNER_TEMP", folder.toString());
        return new Shell(folder, all).run("bash --noprofile --norc -eo pipefail script");
    }

    private JsonNode step(String id) {
        return YamlFiles.elements(action.at("/runs/steps"))
                .filter(step -> step.path("id").asText().equals(id))
                .findFirst()
                .orElse(null);
    }
}
