package dev.ebb.domain.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the metadata of an event, so that no reader of metadata reaches a limit of its own and SQL takes each of
 * its texts (O-24). Stateless.
 */
public final class MetadataRule {

    /** Maximum number of names. */
    public static final int MAX_NAMES = 1000;

    /** Maximum length of a name, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 1024;

    /** Maximum length of a value, in bytes of UTF-8. */
    public static final int MAX_VALUE_BYTES = 65_536;

    private MetadataRule() {}

    /** Returns the fault of the metadata, as a sentence; null if there is none. */
    public static @Nullable String problem(Map<String, String> metadata) {
        if (metadata.size() > MAX_NAMES) {
            return "metadata must have at most " + MAX_NAMES + " names, had " + metadata.size();
        }
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            String problem = problem(entry.getKey(), entry.getValue());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problem(String name, String value) {
        long nameBytes = EventSize.utf8(name);
        if (nameBytes > MAX_NAME_BYTES) {
            return "names in metadata must have at most " + MAX_NAME_BYTES + " bytes, one had " + nameBytes;
        }
        String characters = TextRule.problemOfCharacters(name);
        if (characters != null) {
            return "names in metadata " + characters;
        }
        characters = TextRule.problemOfCharacters(value);
        if (characters != null) {
            return "the value of '" + name + "' in metadata " + characters;
        }
        long valueBytes = EventSize.utf8(value);
        return valueBytes > MAX_VALUE_BYTES
                ? "values in metadata must have at most " + MAX_VALUE_BYTES + " bytes, that of '" + name + "' had "
                        + valueBytes
                : null;
    }
}
