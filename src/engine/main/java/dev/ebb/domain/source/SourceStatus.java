package dev.ebb.domain.source;

import dev.ebb.domain.Snapshot;
import java.util.Map;

/**
 * The status of an event by a value of its record. A value that the map does not name protects, and so does a record
 * without the value: nothing says that its work is done (F-4).
 *
 * @param from the path of the value
 * @param map the statuses by values, compared as texts
 */
public record SourceStatus(SourcePath from, Map<String, String> map) {

    /** Maximum number of values that a map may name. */
    public static final int MAX_VALUES = 256;

    /** The status of a record without the value. */
    static final String WITHOUT_VALUE = "unmapped";

    /** Begins the status of a value that the map does not name, so that it never equals a word for finished work. */
    private static final String UNMAPPED = "unmapped:";

    private static final int MAX_CHARACTERS = 60;

    public SourceStatus {
        map = Snapshot.of(map);
    }

    String of(SourceContent content) {
        String value = PlainText.at(from, content);
        return value == null ? WITHOUT_VALUE : map.getOrDefault(value, unmapped(value));
    }

    /** Returns a status that no list of finished work names; only its first characters, since a status is a name. */
    private static String unmapped(String value) {
        StringBuilder text = new StringBuilder(UNMAPPED);
        value.codePoints()
                .filter(c -> !Character.isISOControl(c) && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE))
                .limit(MAX_CHARACTERS)
                .forEach(text::appendCodePoint);
        return text.toString().strip();
    }
}
