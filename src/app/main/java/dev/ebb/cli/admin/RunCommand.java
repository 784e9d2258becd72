package dev.ebb.cli.admin;

import dev.ebb.cli.options.ConfigOptions;
import dev.ebb.cli.options.Logging;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.EffectiveSettings;
import dev.ebb.config.Settings;
import dev.ebb.runtime.EbbApplication;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        description = {
            "Runs the application alone, against services that already run, until it is told to stop.",
            "Settings: built-in default < file < environment (EBB_ and the key in upper case with underscores) < --set."
        },
        footer = "  ebb run --config config/ebb.properties --set api.listen=127.0.0.1:8490")
public final class RunCommand implements Callable<Integer> {

    @Mixin
    private ConfigOptions config;

    @Option(
            names = "--insecure",
            description =
                    "Allows api.listen on addresses other than loopback without tokens and TLS (api.insecure=true).")
    private boolean insecure;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description =
                    "Format of the log: text, or json with one object of the Elastic Common Schema a line (log.format).")
    private @Nullable String logFormat;

    @Override
    public Integer call() {
        Map<String, String> flags = new HashMap<>();
        if (insecure) {
            flags.put(Settings.API_INSECURE.key(), "true");
        }
        if (logFormat != null) {
            flags.put(Settings.LOG_FORMAT.key(), logFormat);
        }
        EbbConfig settings = config.load(flags);
        Logging.format(
                settings.get(Settings.LOG_FORMAT),
                settings.get(Settings.GROUP_INSTANCE_ID).orElse(""));
        log(config.given(flags));
        ExitCode exitCode =
                switch (EbbApplication.run(settings)) {
                    case STOPPED -> ExitCode.OK;
                    case FAILED -> ExitCode.FAILED;
                    case REFUSED -> ExitCode.REFUSED;
                };
        return exitCode.code();
    }

    /** Says at the beginning of the log what is set and where; secrets are hidden. */
    private static void log(List<EffectiveSettings.Line> given) {
        // Not a constant: every other command would load the library of the log.
        LoggingEventBuilder line = LoggerFactory.getLogger(RunCommand.class).atInfo();
        for (EffectiveSettings.Line setting : given) {
            line = line.addKeyValue(setting.key(), setting.value() + " (" + setting.source() + ")");
        }
        line.log("settings that differ from their defaults");
    }
}
