package dev.ebb.domain.policy;

import org.jspecify.annotations.Nullable;

/**
 * Where a field of an effective policy comes from.
 *
 * @param scope the scope of the record that set it, or of the built-in default
 * @param version the version of that record; null if the value is built in
 */
public record PolicySource(Scope scope, @Nullable Long version) {

    /** Whether no record says so. */
    public boolean isBuiltIn() {
        return version == null;
    }

    @Override
    public String toString() {
        return scope + (isBuiltIn() ? " (built-in)" : " (version " + version + ")");
    }
}
