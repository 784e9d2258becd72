package dev.ebb.runtime.history;

import dev.ebb.port.EventQueries.BadCursorException;
import java.util.regex.Pattern;

/**
 * Place at which the next part of a receipt begins, as text that is opaque to its reader.
 *
 * @param part the number of that part, from 1
 * @param parts number of all parts
 * @param partition the partition with the next record of the audit
 * @param offset the first offset that may have it
 */
record ReceiptCursor(int part, int parts, int partition, long offset) {

    private static final Pattern FORM = Pattern.compile("\\d{1,9}-\\d{1,9}-\\d{1,9}-\\d{1,18}");

    /** @throws BadCursorException if the text is no such cursor */
    static ReceiptCursor read(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new BadCursorException();
        }
        String[] fields = text.split("-", -1);
        return new ReceiptCursor(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Long.parseLong(fields[3]));
    }

    /** Returns the place behind the last record of this part. */
    ReceiptCursor next(int lastPartition, long lastOffset) {
        return new ReceiptCursor(part + 1, parts, lastPartition, lastOffset + 1);
    }

    boolean isLast() {
        return part >= parts;
    }

    @Override
    public String toString() {
        return part + "-" + parts + "-" + partition + "-" + offset;
    }
}
