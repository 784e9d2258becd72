package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * The origin of a field of an effective policy.
 *
 * @param scope the scope of the record that set the field, or of the built-in default
 * @param version the version of that record; null if the value is built in
 */
public record PolicySource(Scope scope, @Nullable Long version) {

    /** Returns true if no record set the value. */
    public boolean isBuiltIn() {
        return version == null;
    }

    @Override
    public String toString() {
        return scope + (isBuiltIn() ? " (built-in)" : " (version " + version + ")");
    }
}
