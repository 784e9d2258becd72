package dev.ebb.config;

/**
 * A setting.
 *
 * @param <T> the type of its values
 * @param key the name of the setting
 * @param group the heading of the setting in the documentation
 * @param standard the text of its default
 * @param kind the allowed values
 * @param meaning a description for people
 */
public record Setting<T>(String key, String group, String standard, Kind<T> kind, String meaning) {

    @Override
    public String toString() {
        return key;
    }
}
