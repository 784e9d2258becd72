package dev.ebb.cli.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.serde.text.PolicyFile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "validate",
        description = {
            "Checks files of policies, holds and sources without the application, as 'ebb policy apply' would check them.",
            "Prints each fault and each warning as FILE:LINE: with its correction. Exit code 2 if a file has a fault."
        },
        footer = {"  ebb policy validate -f policies.yaml", "  ebb policy validate -f a.yaml -f b.yaml --strict -o json"
        })
final class PolicyValidateCommand extends OutputCommand {

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE",
            description = "YAML or JSON, plain or .gz; - reads standard input. Several files are checked one by one.")
    private List<String> files;

    @Option(names = "--strict", description = "Take a warning for a fault.")
    private boolean strict;

    private final CommandEnvironment context;

    PolicyValidateCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        List<Finding> findings = new ArrayList<>();
        ObjectNode result = Json.object();
        ArrayNode checked = result.putArray("files");
        for (String name : files) {
            PolicyFile file = PolicyFile.read(InputFile.of(name, context).text());
            findings.addAll(Finding.of(name, file));
            checked.addObject()
                    .put("file", name)
                    .put("policies", file.policies().size())
                    .put("holds", file.holds().size())
                    .put("sources", file.sources().size());
        }
        boolean isValid = findings.stream().noneMatch(finding -> strict || finding.problem.isFault());
        result.put("valid", isValid);
        ArrayNode problems = result.putArray("problems");
        findings.forEach(finding -> finding.write(problems.addObject()));
        output.print(result, terminal -> print(terminal, findings));
        return (isValid ? ExitCode.OK : ExitCode.USAGE).code();
    }

    private void print(Terminal terminal, List<Finding> findings) {
        findings.forEach(finding -> terminal.out().println(CellText.safe(finding.text())));
        if (findings.isEmpty()) {
            terminal.out().println(Texts.counted(files.size(), "file") + " checked, no faults.");
        }
    }

    /** A problem and where it stands; line 0 where it concerns a policy or hold as a whole. */
    private record Finding(String file, int line, String place, PolicyProblem problem) {

        static List<Finding> of(String name, PolicyFile file) {
            List<Finding> findings = new ArrayList<>();
            file.problems().forEach(one -> findings.add(new Finding(name, one.line(), one.place(), one.problem())));
            file.policies().forEach(policy -> {
                findings.addAll(ofSignature(name, policy.scope().toString(), "updatedBy", policy.updatedBy()));
                findings.addAll(ofSignature(name, policy.scope().toString(), "reason", policy.reason()));
            });
            file.holds().forEach(hold -> {
                findings.addAll(ofSignature(name, hold.key().toString(), "placedBy", hold.placedBy()));
                findings.addAll(ofSignature(name, hold.key().toString(), "reason", hold.reason()));
            });
            return findings;
        }

        private static List<Finding> ofSignature(String file, String place, String field, @Nullable String text) {
            String problem = SignatureRule.problem(field, text);
            return problem == null
                    ? List.of()
                    : List.of(new Finding(file, 0, place, PolicyProblem.fault(field, problem)));
        }

        String text() {
            return file + ":" + (line == 0 ? "" : line + ":") + (problem.isFault() ? " error: " : " warning: ")
                    + (place.isEmpty() ? "" : place + ", ") + problem;
        }

        void write(ObjectNode json) {
            json.put("file", file)
                    .put("line", line == 0 ? null : line)
                    .put("place", place)
                    .put("field", problem.field())
                    .put("message", problem.message())
                    .put("fault", problem.isFault());
        }
    }
}
