package dev.ebb.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The settings that are in force, each with its source, for people. Stateless; shows no secret. */
public final class EffectiveSettings {

    private EffectiveSettings() {}

    /**
     * One setting.
     *
     * @param value the text of the value; {@code [hidden]} in place of a secret
     * @param source the source of the value, for people; {@code default} if no source names the setting
     */
    public record Line(String key, String value, String source) {

        /** Returns true if a source names the setting. */
        public boolean isGiven() {
            return !source.equals(DEFAULT);
        }
    }

    private static final String DEFAULT = "default";

    /**
     * Returns all settings in the order of their keys.
     *
     * @throws ConfigProblemsException if a key is unknown or a value is invalid; names all such faults
     */
    public static List<Line> of(ConfigSources sources) {
        EbbConfig.load(sources);
        Map<String, SettingValue> all = new TreeMap<>();
        Settings.all().forEach(setting -> all.put(setting.key(), new SettingValue(setting.standard(), DEFAULT)));
        all.putAll(sources.read(new ArrayList<>()));
        List<Line> lines = new ArrayList<>();
        all.forEach((key, value) -> lines.add(new Line(key, Secrets.show(key, value.text()), value.source())));
        return lines;
    }
}
