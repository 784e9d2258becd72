package dev.ebb.config;

import dev.ebb.domain.Spelling;
import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the sources and finds all faults in them. Used once; not thread-safe. */
final class ConfigCheck {

    private static final List<String> SECRET_FILES = List.of(".password.file", ".secret.file");

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Map<String, SettingValue> given;
    private final Map<String, String> texts = new LinkedHashMap<>();

    ConfigCheck(ConfigSources sources) {
        given = sources.read(problems);
    }

    /**
     * Returns the settings as values, with secrets read from their files.
     *
     * @throws ConfigProblemsException if there is any fault
     */
    EbbConfig config() {
        given.forEach(this::addChecked);
        given.keySet().stream().filter(ConfigCheck::isSecretFile).forEach(this::addSecret);
        var config = new EbbConfig(texts);
        CrossChecks.problems(config).forEach(this::addFault);
        if (!problems.isEmpty()) {
            throw new ConfigProblemsException(problems);
        }
        return config;
    }

    private static boolean isSecretFile(String key) {
        return SECRET_FILES.stream().anyMatch(key::endsWith);
    }

    private void addChecked(String key, SettingValue value) {
        String fault = faultOf(key, value.text());
        if (fault == null) {
            texts.put(key, value.text());
        } else {
            problems.add(new ConfigProblem(key, shown(key, value.text()), fault, value.source()));
        }
    }

    /** Returns the value for a message; empty for an unknown key, which may be the misspelt key of a password. */
    private static String shown(String key, String text) {
        boolean isKnown = Settings.find(key).isPresent() || PassThrough.isPassedThrough(key);
        return isKnown ? Secrets.show(key, text) : "";
    }

    private static @Nullable String faultOf(String key, String text) {
        Optional<Setting<?>> setting = Settings.find(key);
        if (setting.isPresent()) {
            return setting.get().kind().faultOf(text);
        }
        return PassThrough.isPassedThrough(key) ? faultOfPassThrough(key) : unknown(key);
    }

    /**
     * Returns the fault of a passed-through key. The prefix of the registry's settings is also that of a setting of its
     * own, where a typing error is likely.
     */
    private static @Nullable String faultOfPassThrough(String key) {
        String problem = PassThrough.problem(key);
        String url = Settings.SCHEMA_REGISTRY_URL.key();
        boolean isMisspelt = problem == null
                && key.startsWith(PassThrough.SCHEMA_REGISTRY)
                && key.length() <= url.length() + 1
                && Spelling.closest(key, List.of(url)).isPresent();
        return isMisspelt ? unknown(key) : problem;
    }

    private static String unknown(String key) {
        return "is not a setting"
                + Spelling.closest(
                                key,
                                Settings.all().stream()
                                        .map(Setting::key)
                                        .sorted()
                                        .toList())
                        .map(known -> "; did you mean " + known + "?")
                        .orElse("");
    }

    private void addSecret(String fileKey) {
        String key = fileKey.substring(0, fileKey.length() - ".file".length());
        String file = texts.getOrDefault(fileKey, "");
        if (file.isEmpty()) {
            return;
        }
        if (!texts.getOrDefault(key, "").isEmpty()) {
            addFault(fileKey, "cannot be set together with " + key);
            return;
        }
        try {
            TrustedFile.check(Path.of(file), "file");
            texts.put(key, Files.readString(Path.of(file)).strip());
            if (Settings.find(fileKey).isEmpty()) {
                texts.remove(fileKey);
            }
        } catch (UnsafeFileException e) {
            addFault(fileKey, String.valueOf(e.getMessage()));
        } catch (IOException | InvalidPathException e) {
            addFault(fileKey, "cannot be read");
        }
    }

    private void addFault(String key, String fault) {
        SettingValue value = given.getOrDefault(key, new SettingValue("", "default"));
        problems.add(new ConfigProblem(key, shown(key, value.text()), fault, value.source()));
    }
}
