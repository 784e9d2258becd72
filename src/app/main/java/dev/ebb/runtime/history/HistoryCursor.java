package dev.ebb.runtime.history;

import dev.ebb.domain.BadCursorException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Encodes the offset before which to continue in each partition, as text that is opaque to its reader. Stateless. */
final class HistoryCursor {

    private static final Pattern FORM = Pattern.compile("\\d{1,9}:\\d{1,18}(,\\d{1,9}:\\d{1,18})*");

    private HistoryCursor() {}

    static String write(Map<Integer, Long> offsets) {
        String text = new TreeMap<>(offsets)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .collect(Collectors.joining(","));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** @throws BadCursorException if the text is no such cursor */
    static Map<Integer, Long> read(String cursor) {
        String text = decode(cursor);
        if (!FORM.matcher(text).matches()) {
            throw new BadCursorException();
        }
        Map<Integer, Long> offsets = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            int colon = entry.indexOf(':');
            offsets.put(Integer.valueOf(entry.substring(0, colon)), Long.valueOf(entry.substring(colon + 1)));
        }
        return offsets;
    }

    private static String decode(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }
}
