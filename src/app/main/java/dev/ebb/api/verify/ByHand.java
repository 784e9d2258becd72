package dev.ebb.api.verify;

import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.serde.mirror.SqlTimes;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The way out for a row that no record can address, since its name or its time breaks the rules of Ebb: it was
 * made by hand, and only a delete by hand reaches it.
 *
 * @param reason the reason why no record can address the row
 * @param sql the statement that deletes it; holds printable ASCII only
 */
record ByHand(String reason, String sql) {

    /** Returns the way out; null if a repair can reach the row. */
    static @Nullable ByHand of(Difference row) {
        String problem = StreamName.problem(row.stream());
        RowKey key = row.row();
        if (problem != null) {
            return new ByHand("its stream " + problem + ", so no record can address the row", statement(row));
        }
        if (key != null && isInfinite(key.instant())) {
            return new ByHand("its stored_at is infinite, so no record can address the row", statement(row));
        }
        return null;
    }

    private static boolean isInfinite(Instant time) {
        return SqlTimes.isInfinite(time) || SqlTimes.isMinusInfinite(time);
    }

    private static String statement(Difference row) {
        RowKey key = row.row();
        return key == null
                ? "DELETE FROM execution WHERE stream = " + literal(row.stream()) + " AND execution = "
                        + row.execution() + ";"
                : "DELETE FROM event WHERE stored_at = '" + SqlTimes.text(key.instant()) + "' AND stream = "
                        + literal(row.stream()) + " AND event_id = " + literal(key.eventId()) + ";";
    }

    /** Returns a literal that means the text whatever {@code standard_conforming_strings} says, and that shows it all. */
    static String literal(String text) {
        StringBuilder literal = new StringBuilder("E'");
        text.codePoints().forEach(c -> {
            if (c == '\'') {
                literal.append("''");
            } else if (c == '\\') {
                literal.append("\\\\");
            } else if (c >= ' ' && c < 0x7F) {
                literal.appendCodePoint(c);
            } else {
                literal.append(String.format(Locale.ROOT, c > 0xFFFF ? "\\U%08x" : "\\u%04x", c));
            }
        });
        return literal.append('\'').toString();
    }
}
