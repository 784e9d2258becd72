package dev.ebb.runtime.verify;

import dev.ebb.domain.BadCursorException;
import dev.ebb.serde.text.JsonState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cursors of pages as text for a URL: words that name the end of the previous page. */
final class RowCursor {

    private RowCursor() {}

    static String text(List<String> cursor) {
        byte[] json = JsonState.write(cursor).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    /**
     * Returns the words of a cursor; null if there is none.
     *
     * @throws BadCursorException if the text is no such cursor
     */
    static @Nullable List<String> parse(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        try {
            String json = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            String[] words = JsonState.read(json, String[].class);
            if (words.length > 0) {
                return Arrays.asList(words);
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            // The text is no such cursor.
        }
        throw new BadCursorException();
    }
}
