package dev.ebb.api.insight;

import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.DifferencePage;
import dev.ebb.port.MirrorCheck.DigestPage;
import dev.ebb.port.MirrorCheck.What;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers for a comparison of stores and SQL; times are to the microsecond, as rows made by hand may have them. */
final class VerifyView {

    private VerifyView() {}

    /** The beginning of a comparison, or of a wait; the mark goes into {@code mark} of {@code /v1/verify/passed}. */
    record Start(int partitions, String mark) {}

    /** Whether SQL has all that was on its way at the time of the mark. */
    record Passed(boolean passed) {}

    /** Rows that are counted together; those of one group may come in several parts, which add up. */
    record Digest(String stream, String month, long rows, String hash) {}

    /** One page; {@code next} goes into {@code after} of the next request and is null on the last page. */
    record Digests(List<Digest> digests, @Nullable String next) {

        static Digests of(DigestPage page) {
            List<Digest> digests = page.digests().stream()
                    .map(part -> new Digest(
                            part.stream(),
                            part.month(),
                            part.digest().rows(),
                            part.digest().hash()))
                    .toList();
            return new Digests(digests, page.next());
        }
    }

    /**
     * A row in which the two sides differ.
     *
     * @param version stands for the stored row; empty if there is none
     * @param moving whether the store knows that the row is still to go
     */
    record Row(
            String stream,
            @Nullable String storedAt,
            @Nullable String eventId,
            @Nullable Long execution,
            What what,
            List<String> fields,
            String version,
            boolean moving) {

        static Row of(Difference difference) {
            var key = difference.row();
            return new Row(
                    difference.stream(),
                    key == null ? null : key.storedAt(),
                    key == null ? null : key.eventId(),
                    difference.execution(),
                    difference.what(),
                    difference.fields(),
                    difference.version(),
                    difference.isMoving());
        }
    }

    /** One page; it may be empty although {@code next} names another one. */
    record Rows(List<Row> differences, @Nullable String next) {

        static Rows of(DifferencePage page) {
            return new Rows(page.differences().stream().map(Row::of).toList(), page.next());
        }
    }
}
