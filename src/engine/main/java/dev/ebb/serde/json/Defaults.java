package dev.ebb.serde.json;

import org.jspecify.annotations.Nullable;

/**
 * Values for fields that an event in JSON does not name.
 *
 * @param stream the key of its record; null if there is none
 * @param id a name that no other record has; null if there is none
 * @param isUpdate true if an object that does not say whether it is an update is one
 */
public record Defaults(@Nullable String stream, @Nullable String id, boolean isUpdate) {

    /** No defaults: fields that the event does not name are missing. */
    public static final Defaults NONE = new Defaults(null, null);

    /** Makes defaults of events. */
    public Defaults(@Nullable String stream, @Nullable String id) {
        this(stream, id, false);
    }
}
