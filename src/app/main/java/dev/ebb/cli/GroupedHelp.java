package dev.ebb.cli;

import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.ConfigOptions;
import dev.ebb.cli.options.OutputOptions;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Help in which commands stand by their purpose, and options of their own before those of many commands. */
final class GroupedHelp extends Help {

    private static final List<Map.Entry<String, List<String>>> GROUPS = List.of(
            Map.entry("Try and run", List.of("demo", "dev", "source", "run", "topics", "status", "config", "context")),
            Map.entry(
                    "Send and look",
                    List.of("produce", "namespace", "stream", "event", "execution", "explain", "forecast")),
            Map.entry("Decide what stays", List.of("policy", "hold")),
            Map.entry(
                    "Delete and bring back",
                    List.of("sweep", "delete", "purge", "prune", "erase", "command", "undo", "trash", "archive")),
            Map.entry("Account for it", List.of("audit", "receipt", "report", "verify")),
            Map.entry("Operate", List.of()));

    private static final Set<Class<?>> COMMON =
            Set.of(EbbCommand.class, ApiOptions.class, ConfigOptions.class, OutputOptions.class);

    GroupedHelp(CommandSpec spec, ColorScheme colours) {
        super(spec, colours);
    }

    @Override
    public String commandList(Map<String, Help> commands) {
        if (commandSpec().parent() != null) {
            return super.commandList(commands);
        }
        Map<String, Help> rest = new LinkedHashMap<>(commands);
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, List<String>> group : GROUPS) {
            // The last group takes all others, so that a new command is never left out.
            List<String> names = group.getValue().isEmpty() ? List.copyOf(rest.keySet()) : group.getValue();
            Map<String, Help> members = new LinkedHashMap<>();
            names.stream().filter(rest::containsKey).forEach(name -> members.put(name, rest.remove(name)));
            text.append(String.format("%n %s:%n", group.getKey())).append(super.commandList(members));
        }
        return text.toString();
    }

    @Override
    public String optionList() {
        Map<Boolean, List<OptionSpec>> byKind =
                commandSpec().options().stream().collect(Collectors.partitioningBy(GroupedHelp::isCommon));
        List<OptionSpec> own = byKind.getOrDefault(false, List.of());
        List<OptionSpec> common = byKind.getOrDefault(true, List.of());
        String first = optionListExcludingGroups(own);
        String heading = own.isEmpty() || common.isEmpty() ? "" : String.format("%nOptions of many commands:%n");
        return first + heading + optionListExcludingGroups(common) + optionListGroupSections();
    }

    private static boolean isCommon(OptionSpec option) {
        return option.inherited()
                || (option.userObject() instanceof Field field && COMMON.contains(field.getDeclaringClass()));
    }
}
