package dev.ebb.cli;

import dev.ebb.archive.ArchiveCommand;
import dev.ebb.cli.admin.AclsCommand;
import dev.ebb.cli.admin.CompletionCommand;
import dev.ebb.cli.admin.ConfigCommand;
import dev.ebb.cli.admin.ContextCommand;
import dev.ebb.cli.admin.DrainCommand;
import dev.ebb.cli.admin.OffsetsCommand;
import dev.ebb.cli.admin.RunCommand;
import dev.ebb.cli.admin.TokenCommand;
import dev.ebb.cli.admin.TopicsCommand;
import dev.ebb.cli.events.EventCommand;
import dev.ebb.cli.events.ExecutionCommand;
import dev.ebb.cli.events.ExplainCommand;
import dev.ebb.cli.events.NamespaceCommand;
import dev.ebb.cli.events.ProduceCommand;
import dev.ebb.cli.events.StreamCommand;
import dev.ebb.cli.insight.AuditCommand;
import dev.ebb.cli.insight.ForecastCommand;
import dev.ebb.cli.insight.RejectedCommand;
import dev.ebb.cli.insight.ReportCommand;
import dev.ebb.cli.insight.StatusCommand;
import dev.ebb.cli.insight.VerifyCommand;
import dev.ebb.cli.options.EbbVersion;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.policy.PolicyCommand;
import dev.ebb.cli.remove.CommandCommand;
import dev.ebb.cli.remove.DeleteCommand;
import dev.ebb.cli.remove.PruneCommand;
import dev.ebb.cli.remove.PurgeCommand;
import dev.ebb.cli.remove.SweepCommand;
import dev.ebb.erase.EraseCommand;
import dev.ebb.hold.HoldCommand;
import dev.ebb.instance.InstanceCommand;
import dev.ebb.parking.ParkedCommand;
import dev.ebb.receipt.ReceiptCommand;
import dev.ebb.source.SourceCommand;
import dev.ebb.undo.TrashCommand;
import dev.ebb.undo.UndoCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

@Command(
        name = "ebb",
        versionProvider = EbbVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "The retention engine for event streams.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ok",
            "1:failed, not found, or only partly done",
            "2:usage: the command makes no sense",
            "3:differences were found",
            "4:not ready: try again later",
            "5:refused: a rule or policy does not allow it, or the brake holds it back"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb policy set namespace:orders --max-age 30d", "  ebb status"})
@Subcommands({
    RunCommand.class,
    ProduceCommand.class,
    TopicsCommand.class,
    OffsetsCommand.class,
    SourceCommand.class,
    PolicyCommand.class,
    HoldCommand.class,
    StreamCommand.class,
    ExecutionCommand.class,
    EventCommand.class,
    DeleteCommand.class,
    PurgeCommand.class,
    PruneCommand.class,
    SweepCommand.class,
    UndoCommand.class,
    TrashCommand.class,
    EraseCommand.class,
    CommandCommand.class,
    NamespaceCommand.class,
    ExplainCommand.class,
    ForecastCommand.class,
    AuditCommand.class,
    ReceiptCommand.class,
    ArchiveCommand.class,
    ParkedCommand.class,
    RejectedCommand.class,
    ReportCommand.class,
    StatusCommand.class,
    InstanceCommand.class,
    DrainCommand.class,
    VerifyCommand.class,
    ConfigCommand.class,
    ContextCommand.class,
    TokenCommand.class,
    AclsCommand.class,
    CompletionCommand.class,
    CompleteCommand.class
})
final class EbbCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("unused") // the library checks whether it was given
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help message and exit.")
    private boolean help;

    @SuppressWarnings("unused")
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print version information and exit.")
    private boolean version;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces of errors.")
    private boolean debug;

    boolean isDebug() {
        return debug;
    }

    /** Shows the help: without a command there is nothing else to do. */
    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        line.usage(line.getErr());
        return ExitCode.USAGE.code();
    }
}
