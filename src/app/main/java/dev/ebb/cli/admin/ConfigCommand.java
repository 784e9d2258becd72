package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.ConfigOptions;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.config.EffectiveSettings.Line;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "config", description = "Settings that are in force, and their sources.", footer = "  ebb config show")
@Subcommands(ConfigCommand.ShowCommand.class)
public final class ConfigCommand extends CommandGroup {

    @Command(
            name = "show",
            description = {
                "Shows the settings that a source names, each with its source; secrets are hidden.",
                "Reads them as this machine does: the file, the environment and --set. It does not ask the application."
            },
            footer = {"  ebb config show", "  ebb config show --all --config ebb.properties"})
    static final class ShowCommand extends OutputCommand {

        @Option(names = "--all", description = "Show the defaults of all other settings as well.")
        private boolean all;

        @Mixin
        private ConfigOptions config;

        @Override
        public Integer call() {
            List<Line> lines = config.effective().stream()
                    .filter(line -> all || line.isGiven())
                    .toList();
            output.print(json(lines), terminal -> new Columns<Line>()
                    .left("SETTING", Line::key)
                    .left("VALUE", Line::value)
                    .left("FROM", Line::source)
                    .table(lines)
                    .print(terminal));
            if (output.isTable() && !all) {
                output.note("All other settings have their defaults; --all shows them.");
            }
            return ExitCode.OK.code();
        }

        private static ObjectNode json(List<Line> lines) {
            ObjectNode result = Json.object();
            ArrayNode settings = result.putArray("settings");
            lines.forEach(line -> settings.addObject()
                    .put("key", line.key())
                    .put("value", line.value())
                    .put("source", line.source()));
            return result;
        }
    }
}
