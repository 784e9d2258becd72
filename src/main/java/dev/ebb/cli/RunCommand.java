package dev.ebb.cli;

import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.EbbApplication;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the application alone, against services that run already, until it is asked to stop.",
            "Settings: built-in default < file < environment (EBB_ and the key in upper case with underscores) < --set."
        },
        footerHeading = "%nExample:%n",
        footer = "  ebb run --config config/ebb.properties --set api.listen=127.0.0.1:8490")
final class RunCommand implements Callable<Integer> {

    @Mixin
    private ConfigOptions config;

    RunCommand(CommandContext context) {
        this.config = new ConfigOptions(context);
    }

    @Override
    public Integer call() {
        EbbConfig settings = config.load();
        ExitCode exitCode =
                switch (EbbApplication.run(settings)) {
                    case STOPPED -> ExitCode.OK;
                    case FAILED -> ExitCode.FAILED;
                    case REFUSED -> ExitCode.REFUSED;
                };
        return exitCode.code();
    }
}
