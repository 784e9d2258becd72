package dev.ebb.config;

import org.jspecify.annotations.Nullable;

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

    /** By the key alone, and written out: Java makes those of a record at their first call, too late for its archive. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Setting<?> setting && key.equals(setting.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return key;
    }
}
