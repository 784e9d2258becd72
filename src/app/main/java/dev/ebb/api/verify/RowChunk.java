package dev.ebb.api.verify;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Rows of one stream, at most as many as one request takes.
 *
 * @param rows at least one row
 */
record RowChunk(String stream, List<Difference> rows) {

    private static final int ROWS_AT_ONCE = 500;

    /** Returns the rows in chunks, with streams in their order of appearance. */
    static List<RowChunk> of(List<Difference> rows) {
        Map<String, List<Difference>> byStream = new LinkedHashMap<>();
        rows.forEach(row -> byStream.computeIfAbsent(row.stream(), stream -> new ArrayList<>())
                .add(row));
        List<RowChunk> chunks = new ArrayList<>();
        byStream.forEach((stream, all) -> {
            for (int i = 0; i < all.size(); i += ROWS_AT_ONCE) {
                chunks.add(new RowChunk(stream, all.subList(i, Math.min(all.size(), i + ROWS_AT_ONCE))));
            }
        });
        return chunks;
    }

    List<RowKey> keys() {
        return rows.stream().map(Difference::row).filter(Objects::nonNull).toList();
    }

    List<Long> executions() {
        return rows.stream().map(Difference::execution).filter(Objects::nonNull).toList();
    }
}
