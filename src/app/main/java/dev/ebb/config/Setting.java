package dev.ebb.config;

/**
 * A setting.
 *
 * @param <T> the type of its values
 * @param key the name by which it is given
 * @param group the heading under which it is documented
 * @param standard the text of its default
 * @param kind the values that it may have
 * @param meaning a description for people
 */
public record Setting<T>(String key, String group, String standard, Kind<T> kind, String meaning) {

    @Override
    public String toString() {
        return key;
    }
}
