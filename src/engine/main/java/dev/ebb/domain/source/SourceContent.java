package dev.ebb.domain.source;

import org.jspecify.annotations.Nullable;

/**
 * A record of a source with its parts read. Each part is read when it is first needed, so a path that no field uses
 * costs nothing. Not thread-safe.
 */
public interface SourceContent {

    /** Returns the record as it stands on its topic. */
    SourceRecord record();

    /**
     * Returns the key in the forms of {@link SourceObject#field}; null if there is none.
     *
     * @throws UnreadablePartException if it is not in the declared format
     */
    @Nullable
    Object key();

    /**
     * Returns the value in the forms of {@link SourceObject#field}; null if there is none.
     *
     * @throws UnreadablePartException if it is not in the declared format
     */
    @Nullable
    Object value();

    /** Returns true if a row is gone: the record has no value, or a transformation took its value away. */
    default boolean isGone() {
        return record().value() == null;
    }

    /** Returns true if a transformation took the record out, so that it means nothing. */
    default boolean isDropped() {
        return false;
    }

    /** Returns the last header with this name, as bytes or in the forms of a field; null if there is none. */
    default @Nullable Object header(String name) {
        return record().header(name);
    }
}
