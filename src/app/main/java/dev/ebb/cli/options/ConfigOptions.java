package dev.ebb.cli.options;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.EffectiveSettings;
import dev.ebb.config.Settings;
import dev.ebb.stacks.Endpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Sources of settings. */
public final class ConfigOptions {

    private final CommandEnvironment context;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Properties file with settings. Default: the file in EBB_CONFIG.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting, stronger than the environment and the file. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    public ConfigOptions(CommandEnvironment context) {
        this.context = context;
    }

    /** Returns all settings, with flags that override {@code --set}. */
    public EbbConfig load(Map<String, String> flags) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(flags);
        return load(file, all);
    }

    /** Returns the settings that a source names, with flags that override {@code --set}. */
    public List<EffectiveSettings.Line> given(Map<String, String> flags) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(flags);
        return EffectiveSettings.of(sources(file, all)).stream()
                .filter(EffectiveSettings.Line::isGiven)
                .toList();
    }

    /** Returns all settings with their sources, as a command that reaches the application reads them. */
    public List<EffectiveSettings.Line> effective() {
        return EffectiveSettings.of(sources(isNamed() ? file : ofRunningStack().orElse(null), settings));
    }

    /** Returns true if options say where the application is: by a file of settings, or by the address of its API. */
    boolean optionsSayWhereTheApiIs() {
        return file != null || settings.containsKey(Settings.API_LISTEN.key());
    }

    /** Returns true if the environment says where the application is, in the same ways. */
    boolean environmentSaysWhereTheApiIs() {
        return isFileInEnvironment() || isGiven(ConfigSources.variableOf(Settings.API_LISTEN.key()));
    }

    private boolean isNamed() {
        return file != null || isFileInEnvironment();
    }

    private boolean isFileInEnvironment() {
        return isGiven(ConfigSources.CONFIG_VARIABLE);
    }

    /** Returns true if the environment has the variable; an empty one says nothing. */
    private boolean isGiven(String variable) {
        return !context.environment().getOrDefault(variable, "").isBlank();
    }

    /** Returns all settings; where no file is named, the file of the running {@code ebb dev} takes its place. */
    public EbbConfig loadForClient() {
        return load(isNamed() ? file : ofRunningStack().orElse(null), settings);
    }

    /** Returns the file of the stack on the default data folder, or else of the only stack that the user runs. */
    private Optional<Path> ofRunningStack() {
        Optional<Path> usual = Endpoints.settingsFile(context.devFolder());
        if (usual.isPresent() || saysWhere()) {
            return usual;
        }
        List<Path> running = context.runningStacks().settingsFiles();
        if (running.size() > 1) {
            String choice = running.stream()
                    .map(path -> "--config " + ShellWord.of(path.toString()))
                    .sorted()
                    .collect(Collectors.joining(" or "));
            throw CommandFailure.usage(running.size() + " stacks run here; choose one: " + choice);
        }
        return running.stream().findFirst();
    }

    /**
     * Returns true if a broker or the API is named: the command then means that one, and not a stack that also runs
     * here.
     */
    private boolean saysWhere() {
        return Stream.of(Settings.BOOTSTRAP_SERVERS.key(), Settings.API_LISTEN.key())
                .anyMatch(key ->
                        settings.containsKey(key) || context.environment().containsKey(ConfigSources.variableOf(key)));
    }

    private EbbConfig load(@Nullable Path chosen, Map<String, String> flags) {
        return EbbConfig.load(sources(chosen, flags));
    }

    private ConfigSources sources(@Nullable Path chosen, Map<String, String> flags) {
        if (chosen != null && !Files.isReadable(chosen)) {
            throw CommandFailure.usage("cannot read the file of settings " + chosen);
        }
        return ConfigSources.of(chosen, context.environment(), flags);
    }
}
