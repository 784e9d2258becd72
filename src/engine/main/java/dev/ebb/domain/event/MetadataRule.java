package dev.ebb.domain.event;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final char QUOTE = '"';
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"]|\"\")*+)\"=(.*)", Pattern.DOTALL);

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

    /**
     * Returns a name and a value as people write them, such as {@code user=42}. A name that the first equals sign would
     * end too early, or that is empty, stands in quotation marks, which are doubled inside.
     */
    public static String written(String name, String value) {
        boolean isPlain = !name.isEmpty() && name.indexOf('=') < 0 && name.charAt(0) != QUOTE;
        return (isPlain ? name : QUOTE + name.replace("\"", "\"\"") + QUOTE) + "=" + value;
    }

    /**
     * Returns the name and the value of a text that {@link #written} may have written; null if it is none. The value may
     * have further equals signs.
     */
    public static Map.@Nullable Entry<String, String> read(String text) {
        Matcher quoted = QUOTED.matcher(text);
        if (quoted.matches()) {
            return Map.entry(quoted.group(1).replace("\"\"", "\""), quoted.group(2));
        }
        int equals = text.indexOf('=');
        return equals <= 0 || text.charAt(0) == QUOTE
                ? null
                : Map.entry(text.substring(0, equals), text.substring(equals + 1));
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
