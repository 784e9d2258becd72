package dev.ebb.cli;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.BuildVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Writes the page {@code ebb(1)} of the manual from the help of the commands. The packages of a release have it. */
public final class ManPage {

    private ManPage() {}

    /**
     * Writes the page.
     *
     * @param args the file
     */
    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0]), text());
    }

    /** Returns the page in the macros {@code man} of roff. */
    static String text() {
        CommandLine root = EbbCommandLine.create(new CommandEnvironment(
                Terminal.plain(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter())),
                InputStream.nullInputStream(),
                Map.of(),
                Path.of("")));
        CommandSpec spec = root.getCommandSpec();
        UsageMessageSpec help = spec.usageMessage();
        StringBuilder page = new StringBuilder(".TH EBB 1 \"\" \"ebb " + escaped(BuildVersion.text()) + "\"\n");
        page.append(".SH NAME\nebb \\- retention engine for event streams\n");
        page.append(".SH SYNOPSIS\n.B ebb\nCOMMAND [OPTION]...\n");
        page.append(".SH DESCRIPTION\n").append(lines(help.description()));
        page.append("Each command has \\fB\\-\\-help\\fR.\n");
        page.append(".SH OPTIONS\n");
        spec.options().forEach(option -> append(option, page));
        page.append(".SH COMMANDS\n");
        commands(root).forEach(line -> append(line.getCommandSpec(), page));
        page.append(".SH EXIT STATUS\n");
        help.exitCodeList().forEach((code, meaning) -> page.append(".TP\n.B ")
                .append(escaped(code.strip()))
                .append('\n')
                .append(lines(meaning)));
        page.append(".SH ENVIRONMENT\n.TP\n.B EBB_CONFIG\nThe file of settings. Each setting also has a variable:"
                + " EBB_ and its key in upper case, with underscores for dots.\n");
        page.append(".TP\n.B EBB_JAVA_OPTS\nOptions of the JVM.\n.TP\n.B JAVA_HOME\nThe Java to run with.\n");
        page.append(".SH EXAMPLES\n.nf\n").append(example(help.footer())).append(".fi\n");
        return page.toString();
    }

    /** Returns the commands that do something, in the order of the help, and none of those that it hides. */
    private static Stream<CommandLine> commands(CommandLine line) {
        return line.getSubcommands().values().stream()
                .distinct()
                .filter(below -> !below.getCommandSpec().usageMessage().hidden())
                .flatMap(below -> Stream.concat(
                        below.getCommandSpec().userObject() instanceof CommandGroup ? Stream.empty() : Stream.of(below),
                        commands(below)));
    }

    private static void append(CommandSpec spec, StringBuilder page) {
        UsageMessageSpec help = spec.usageMessage();
        String places = spec.positionalParameters().stream()
                .map(place -> " \\fI" + escaped(place.paramLabel()) + "\\fR")
                .collect(Collectors.joining());
        page.append(".SS ").append(escaped(spec.qualifiedName())).append(places).append('\n');
        page.append(lines(help.description()));
        spec.positionalParameters().forEach(place -> append(place, page));
        spec.options().stream().filter(option -> !isEverywhere(option)).forEach(option -> append(option, page));
        if (help.footer().length > 0) {
            page.append(".PP\n.nf\n").append(example(help.footer())).append(".fi\n");
        }
    }

    /** Returns true for options that all commands have, which stand at the top. */
    private static boolean isEverywhere(OptionSpec option) {
        return option.inherited() || option.usageHelp();
    }

    private static void append(PositionalParamSpec place, StringBuilder page) {
        page.append(".TP\n.I ").append(escaped(place.paramLabel())).append('\n').append(lines(place.description()));
    }

    private static void append(OptionSpec option, StringBuilder page) {
        if (option.hidden()) {
            return;
        }
        String names = Stream.of(option.names())
                .map(name -> "\\fB" + escaped(option.negatable() ? name.replace("--", "--[no-]") : name) + "\\fR")
                .collect(Collectors.joining(", "));
        String value = option.arity().max() == 0 ? "" : " \\fI" + escaped(option.paramLabel()) + "\\fR";
        page.append(".TP\n").append(names).append(value).append('\n').append(lines(option.description()));
    }

    private static String lines(String... text) {
        String lines = Stream.of(text)
                .flatMap(line -> rendered(line).lines())
                .filter(line -> !line.isBlank())
                .map(line -> escaped(line.strip()) + "\n")
                .collect(Collectors.joining(".br\n"));
        return lines.isEmpty() ? "\n" : lines;
    }

    private static String example(String... lines) {
        return List.of(lines).stream()
                .map(line -> escaped(rendered(line)) + "\n")
                .collect(Collectors.joining());
    }

    private static String rendered(String line) {
        return Ansi.OFF.string(String.format(line));
    }

    /** Returns the text so that roff takes no part of it for a request, and no hyphen of an option for a dash. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
