package dev.ebb.domain.source;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.Unicode;
import dev.ebb.domain.event.EventId;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The ids of the events of a source (F-4, F-5). */
final class SourceId {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    /** Begins the id of a key that is longer than an id may be. */
    private static final String HASHED = "sha256-";

    private SourceId() {}

    /**
     * Returns the id of the event of a key: the key as text if that is an id, else its base64url, or its hash if that
     * is too long for an id. The key itself stays with the event: the id only names it.
     */
    static EventId ofKey(byte[] key) {
        String text = Unicode.decode(key, 0, key.length).orElse(null);
        if (isId(text)) {
            return new EventId(String.valueOf(text));
        }
        String encoded = BASE64.encodeToString(key);
        return new EventId(isId(encoded) ? encoded : HASHED + BASE64.encodeToString(Sha256.of(key)));
    }

    private static boolean isId(@Nullable String text) {
        return EventId.problem(text) == null;
    }

    /** Returns the id of a record of a log: its partition and its offset. */
    static EventId ofPlace(SourceRecord record) {
        return new EventId(record.partition() + "-" + record.offset());
    }
}
