package dev.ebb.domain.retention;

import dev.ebb.domain.event.StreamName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of an event in the order in which age and own TTLs take events, the soonest first. Events of the same
 * millisecond are in the order of their streams, and events of one stream in the order of their deletion.
 *
 * @param lastMs the last millisecond at which no sweep takes the event, epoch milliseconds
 * @param stream the stream of the event
 * @param execution the number of its execution
 * @param anchorMs its anchor, epoch milliseconds
 * @param seq its place in the stream's order of arrival
 */
public record DueMark(long lastMs, StreamName stream, long execution, long anchorMs, long seq)
        implements Comparable<DueMark> {

    private static final Comparator<DueMark> ORDER = Comparator.comparingLong(DueMark::lastMs)
            .thenComparing(DueMark::stream)
            .thenComparingLong(DueMark::execution)
            .thenComparingLong(DueMark::anchorMs)
            .thenComparingLong(DueMark::seq);

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,19}):(\\d{1,19}):(\\d{1,19}):(\\d{1,19}):(.+)", Pattern.DOTALL);

    /**
     * Returns the mark that {@link #text} wrote.
     *
     * @throws IllegalArgumentException if the text is not a mark
     */
    public static DueMark parse(String text) {
        Matcher parts = FORM.matcher(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a cursor of a former page");
        }
        return new DueMark(
                Long.parseLong(parts.group(1)),
                new StreamName(parts.group(5)),
                Long.parseLong(parts.group(2)),
                Long.parseLong(parts.group(3)),
                Long.parseLong(parts.group(4)));
    }

    /** Returns the mark as an opaque text. */
    public String text() {
        String text = lastMs + ":" + execution + ":" + anchorMs + ":" + seq + ":" + stream;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int compareTo(DueMark other) {
        return ORDER.compare(this, other);
    }
}
