package dev.ebb.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sources of settings. A later source overrides an earlier one: built-in default, then the file ({@code --config} or
 * {@code EBB_CONFIG}), then the environment ({@code EBB_} and the key in upper case with underscores for dots), then
 * flags ({@code --set key=value}).
 *
 * @param file a properties file in UTF-8; null if there is none
 * @param environment the environment of the process; only names that begin with {@code EBB_} count
 * @param flags the keys and values of {@code --set}
 */
public record ConfigSources(@Nullable Path file, Map<String, String> environment, Map<String, String> flags) {

    /** The variable that names the file if no flag names one. */
    public static final String CONFIG_VARIABLE = "EBB_CONFIG";

    private static final String PREFIX = "EBB_";

    /**
     * Variables that are not settings: those of the launcher and of the command line, and those that Kubernetes sets in
     * every pod beside a service named {@code ebb}.
     */
    private static final Pattern NO_SETTING = Pattern.compile(
            "EBB_(CONFIG|CONTEXT|API_URL|TOKEN|TOKEN_FILE|CA_FILE|HOME|JAVA_OPTS|SERVICE_.*|PORT(_.*)?)");

    public ConfigSources {
        environment = Map.copyOf(environment);
        flags = Map.copyOf(flags);
    }

    /** Returns the sources of a process, with the file that the flag or else the environment names. */
    public static ConfigSources of(@Nullable Path flag, Map<String, String> environment, Map<String, String> flags) {
        String named = environment.getOrDefault(CONFIG_VARIABLE, "");
        Path file = flag == null && !named.isEmpty() ? Path.of(named) : flag;
        return new ConfigSources(file, environment, flags);
    }

    /** Returns sources of flags alone, for programs that set everything themselves. */
    public static ConfigSources ofFlags(Map<String, String> flags) {
        return new ConfigSources(null, Map.of(), flags);
    }

    /**
     * Returns the given values, each from the strongest source of its key; adds everything that cannot be read to the
     * problems.
     */
    Map<String, SettingValue> read(List<ConfigProblem> problems) {
        Map<String, SettingValue> values = new LinkedHashMap<>();
        if (file != null) {
            values.putAll(readFile(file, problems));
        }
        new TreeMap<>(environment).forEach((name, value) -> addVariable(values, name, value));
        new TreeMap<>(flags).forEach((key, value) -> values.put(key, new SettingValue(value, "--set " + key)));
        return values;
    }

    /** Returns the name of the environment variable of a setting. */
    public static String variableOf(String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    private static Map<String, SettingValue> readFile(Path file, List<ConfigProblem> problems) {
        var properties = new OrderedProperties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            problems.add(new ConfigProblem("--config", file.toString(), reason(file, e), "command or environment"));
        }
        properties.twice.forEach(key -> problems.add(new ConfigProblem(key, "", "is set twice", "file " + file)));
        Map<String, SettingValue> values = new LinkedHashMap<>();
        properties.texts.forEach((key, text) -> values.put(key, new SettingValue(text, "file " + file)));
        return values;
    }

    private static String reason(Path file, Exception e) {
        if (Files.isDirectory(file)) {
            return "is a folder; name a file of settings";
        }
        return e instanceof CharacterCodingException
                ? "is not UTF-8; name a file of settings"
                : "cannot be read: " + e.getMessage();
    }

    private static void addVariable(Map<String, SettingValue> values, String name, String value) {
        if (name.startsWith(PREFIX) && !NO_SETTING.matcher(name).matches()) {
            values.put(keyOf(name), new SettingValue(value, "environment " + name));
        }
    }

    /** Returns the key of a variable. No key has an underscore, so the conversion is unambiguous. */
    private static String keyOf(String variable) {
        return variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** Keeps the order of the file and notes duplicate keys, which {@link Properties} would hide. */
    private static final class OrderedProperties extends Properties {

        private static final long serialVersionUID = 1L;

        private final transient Map<String, String> texts = new LinkedHashMap<>();
        private final transient List<String> twice = new ArrayList<>();

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (texts.put(key.toString(), value.toString().strip()) != null) {
                twice.add(key.toString());
            }
            return null;
        }
    }
}
