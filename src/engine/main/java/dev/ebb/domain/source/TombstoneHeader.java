package dev.ebb.domain.source;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Headers of the tombstones that Ebb writes under the keys of a source; all values are texts (F-6). */
public enum TombstoneHeader {
    /** The cause of the removal, as the audit has it. */
    CAUSE("ebb-cause"),
    /** The scope of the policy, or the stream of the command. */
    SCOPE("ebb-scope"),
    /** The version of the policies that judged. */
    POLICY_VERSION("ebb-policy-version"),
    /** The id of the sweep or command. */
    ID("ebb-id"),
    /** The offset of the version that was judged. */
    JUDGED("ebb-judged");

    private static final Pattern OFFSET = Pattern.compile("\\d{1,18}");

    private final String key;

    TombstoneHeader(String key) {
        this.key = key;
    }

    /** Returns the name of the header. */
    public String key() {
        return key;
    }

    /** Returns the offset that a tombstone of Ebb judged; null if the record is none. */
    static @Nullable Long judgedOffset(SourceRecord record) {
        byte[] judged = record.value() == null ? record.header(JUDGED.key) : null;
        if (judged == null || record.header(CAUSE.key) == null) {
            return null;
        }
        String text = new String(judged, StandardCharsets.UTF_8);
        return OFFSET.matcher(text).matches() ? Long.valueOf(text) : null;
    }
}
