package dev.ebb.cli;

import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.ConfigOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.GeneratedSection;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.Member;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the table of commands in {@code docs/reference/commands.md} from their own help. Run it in the project's folder. */
final class CommandsDocs {

    static final Path PAGE = Path.of("docs", "reference", "commands.md");
    static final String SECTION = "commands";

    /** Homes of the options that the page describes once for all commands. */
    private static final Set<Class<?>> SHARED =
            Set.of(ApiOptions.class, ConfigOptions.class, OutputOptions.class, PageOptions.class, EbbCommand.class);

    private static final Set<String> SHARED_NAMES = Set.of("--help", "--actor", "--command-id");

    private CommandsDocs() {}

    public static void main(String[] args) throws IOException {
        new GeneratedSection(SECTION).write(PAGE, table());
    }

    static String table() {
        CommandEnvironment context = new CommandEnvironment(
                Terminal.plain(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())),
                InputStream.nullInputStream(),
                Map.of(),
                Path.of("target"));
        StringBuilder rows = new StringBuilder("| command | effect |\n|---|---|\n");
        append(EbbCommandLine.create(context), rows);
        return rows.toString();
    }

    private static void append(CommandLine line, StringBuilder rows) {
        CommandSpec spec = line.getCommandSpec();
        if (spec.usageMessage().hidden()) {
            return;
        }
        boolean isGroup = spec.userObject() instanceof CommandGroup || spec.parent() == null;
        if (!isGroup) {
            String purpose = Ansi.OFF.string(String.format(spec.usageMessage().description()[0]));
            rows.append("| `")
                    .append(synopsis(spec).replace("|", "\\|"))
                    .append("` | ")
                    .append(purpose)
                    .append(" |\n");
        }
        line.getSubcommands().values().stream().distinct().forEach(sub -> append(sub, rows));
    }

    private static String synopsis(CommandSpec spec) {
        String places =
                spec.positionalParameters().stream().map(CommandsDocs::place).collect(Collectors.joining());
        String options = spec.options().stream()
                .filter(option -> !option.hidden() && !isShared(option))
                .map(CommandsDocs::option)
                .collect(Collectors.joining());
        return spec.qualifiedName() + places + options;
    }

    private static boolean isShared(OptionSpec option) {
        return SHARED_NAMES.contains(option.longestName())
                || option.description().length > 0 && option.description()[0].equals(CommandOptions.VERBOSE)
                || option.userObject() instanceof Member member && SHARED.contains(member.getDeclaringClass());
    }

    private static String place(PositionalParamSpec place) {
        String many = place.arity().max() > 1 ? "…" : "";
        return place.arity().min() == 0 ? " [" + place.paramLabel() + "]" + many : " " + place.paramLabel() + many;
    }

    private static String option(OptionSpec option) {
        String name = option.negatable() ? option.longestName().replace("--", "--[no-]") : option.longestName();
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        String many = option.isMultiValue() ? "…" : "";
        return option.required() && option.group() == null
                ? " " + name + value + many
                : " [" + name + value + "]" + many;
    }
}
