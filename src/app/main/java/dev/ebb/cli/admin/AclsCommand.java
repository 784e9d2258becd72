package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.ConfigOptions;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.source.Source;
import dev.ebb.runtime.kafka.AclPart;
import dev.ebb.runtime.kafka.AclPlan;
import dev.ebb.runtime.kafka.AclRule;
import dev.ebb.runtime.kafka.ConnectWorker;
import dev.ebb.serde.text.PolicyFile;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "acls",
        description = "Rights that a Kafka cluster with an authorizer must grant.",
        footer = "  ebb acls print --commands")
@Subcommands(AclsCommand.PrintCommand.class)
public final class AclsCommand extends CommandGroup {

    @Command(
            name = "print",
            description = {
                "Prints the least rights that each part needs, for the prefix and the application id in the settings."
                        + " Connects to no service.",
                "The parts are setup (ebb topics create), run (ebb run), connect (the sinks), producer (sends events)"
                        + " and policy (writes policies to the topic instead of through REST)."
            },
            footer = {
                "  ebb acls print --commands --admin-config admin.properties > grant.sh",
                "  ebb acls print --for connect --connect-config worker.properties",
                "  ebb acls print --for run --sources sources.yaml",
                "  ebb acls print --for run --principal run=User:CN=ebb"
            })
    static final class PrintCommand extends OutputCommand {

        private static final String QUOTE = "'";

        @Option(
                names = "--for",
                paramLabel = "PART",
                description = "Part to print: ${COMPLETION-CANDIDATES}. Default: all.")
        private @Nullable AclPart only;

        @Option(
                names = "--principal",
                paramLabel = "PART=NAME",
                description = "Principal of a part. Default: User:ebb for run, else User:ebb-PART. May be repeated.")
        private Map<AclPart, String> principals = new EnumMap<>(AclPart.class);

        @Option(names = "--commands", description = "Print calls of kafka-acls.sh.")
        private boolean commands;

        @Option(
                names = "--admin-config",
                paramLabel = "FILE",
                description = "Client settings of a user that may grant rights; for --commands.")
        private @Nullable String adminConfig;

        @Option(
                names = "--connect-config",
                paramLabel = "FILE",
                description = {
                    "Settings of the Connect worker (worker.properties): adds the rights on the worker's own group and"
                            + " topics. Without this option they are left out."
                })
        private @Nullable String connectConfig;

        @Option(
                names = "--sources",
                paramLabel = "FILE",
                description = {
                    "File with sources: adds the rights on their topics and targets. Without this option they are left"
                            + " out."
                })
        private @Nullable String sources;

        @Mixin
        private ConfigOptions config;

        private final CommandEnvironment context;

        PrintCommand(CommandEnvironment context) {
            this.context = context;
            this.config = new ConfigOptions(context);
        }

        @Override
        public Integer call() {
            EbbConfig settings = config.loadForClient();
            List<AclRule> rules = new AclPlan(settings, worker(), sources())
                    .rules().stream()
                            .filter(rule -> only == null || rule.part() == only)
                            .toList();
            output.print(json(rules), terminal -> {
                if (commands) {
                    rules.forEach(
                            rule -> terminal.out().println(command(rule, settings.get(Settings.BOOTSTRAP_SERVERS))));
                } else {
                    table(terminal, rules);
                }
            });
            return ExitCode.OK.code();
        }

        private Optional<ConnectWorker> worker() {
            if (connectConfig == null) {
                return Optional.empty();
            }
            try {
                Properties settings = new Properties();
                settings.load(
                        new StringReader(InputFile.of(connectConfig, context).text()));
                return Optional.of(ConnectWorker.of(settings));
            } catch (IOException | IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.USAGE, "cannot use " + connectConfig + ": " + e.getMessage(), e);
            }
        }

        private List<Source> sources() {
            if (sources == null) {
                return List.of();
            }
            PolicyFile file = PolicyFile.read(InputFile.of(sources, context).text());
            if (file.isFaulty()) {
                String faults = file.problems().stream()
                        .filter(problem -> problem.problem().isFault())
                        .map(PolicyFile.Problem::toString)
                        .collect(Collectors.joining("\n"));
                throw new CommandFailure(ExitCode.USAGE, "cannot use " + sources + ":\n" + faults);
            }
            return file.sources();
        }

        private String principal(AclPart part) {
            return principals.getOrDefault(part, part.defaultPrincipal());
        }

        private ObjectNode json(List<AclRule> rules) {
            ObjectNode result = Json.object();
            ArrayNode acls = result.putArray("acls");
            for (AclRule rule : rules) {
                ObjectNode acl = acls.addObject()
                        .put("part", rule.part().toString())
                        .put("principal", principal(rule.part()))
                        .put("resource", rule.type().name())
                        .put("pattern", rule.pattern().name());
                rule.names().forEach(acl.putArray("names")::add);
                rule.operations()
                        .forEach(operation -> acl.withArray("operations").add(operation.name()));
                acl.put("why", rule.why());
            }
            return result;
        }

        private void table(Terminal terminal, List<AclRule> rules) {
            Table table = new Table()
                    .left("PRINCIPAL")
                    .left("RESOURCE")
                    .left("NAME")
                    .left("OPERATIONS")
                    .left("WHY");
            for (AclRule rule : rules) {
                String operations =
                        rule.operations().stream().map(AclOperation::name).collect(Collectors.joining(", "));
                for (String name : rule.names()) {
                    String shown = rule.pattern() == PatternType.PREFIXED ? name + "*" : name;
                    table.row(principal(rule.part()), rule.type().name(), shown, operations, rule.why());
                }
            }
            table.print(terminal);
        }

        private String command(AclRule rule, String brokers) {
            List<String> words = new ArrayList<>(List.of("kafka-acls.sh", "--bootstrap-server", quoted(brokers)));
            if (adminConfig != null) {
                words.addAll(List.of("--command-config", quoted(adminConfig)));
            }
            words.addAll(List.of("--add", "--allow-principal", quoted(principal(rule.part()))));
            rule.operations().forEach(operation -> words.addAll(List.of("--operation", spelt(operation))));
            if (rule.pattern() == PatternType.PREFIXED) {
                words.addAll(List.of("--resource-pattern-type", "prefixed"));
            }
            rule.names().forEach(name -> words.addAll(List.of(option(rule.type()), quoted(name))));
            return "# " + rule.part() + ": " + rule.why() + "\n" + String.join(" ", words);
        }

        /** Returns the operation as Kafka's tools spell it: {@code DESCRIBE_CONFIGS} is DescribeConfigs. */
        private static String spelt(AclOperation operation) {
            StringBuilder word = new StringBuilder();
            for (String part : operation.name().split("_", -1)) {
                word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
            }
            return word.toString();
        }

        private static String option(ResourceType type) {
            return switch (type) {
                case TOPIC -> "--topic";
                case GROUP -> "--group";
                case TRANSACTIONAL_ID -> "--transactional-id";
                default -> throw new IllegalArgumentException(type.name());
            };
        }

        private static String quoted(String text) {
            return QUOTE + text.replace(QUOTE, "'\\''") + QUOTE;
        }
    }
}
