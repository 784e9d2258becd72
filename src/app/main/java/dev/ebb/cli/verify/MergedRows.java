package dev.ebb.cli.verify;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Goes through several sorted lists of streams as through one. Not thread-safe. */
final class MergedRows {

    private final List<Source> sources;

    MergedRows(List<Iterator<StreamRows>> sources) {
        this.sources = sources.stream().map(Source::new).toList();
    }

    /** The next rows; null at the end. */
    @Nullable
    StreamRows peek() {
        Source first = first();
        return first == null ? null : first.next;
    }

    void advance() {
        Source first = first();
        if (first != null) {
            first.advance();
        }
    }

    private @Nullable Source first() {
        Source first = null;
        for (Source source : sources) {
            if (source.next != null
                    && (first == null
                            || first.next == null
                            || StreamRows.BY_BYTES.compare(source.next.stream(), first.next.stream()) < 0)) {
                first = source;
            }
        }
        return first;
    }

    private static final class Source {

        private final Iterator<StreamRows> rows;
        private @Nullable StreamRows next;

        Source(Iterator<StreamRows> rows) {
            this.rows = rows;
            advance();
        }

        void advance() {
            next = rows.hasNext() ? rows.next() : null;
        }
    }
}
