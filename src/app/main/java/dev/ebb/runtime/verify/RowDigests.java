package dev.ebb.runtime.verify;

import dev.ebb.api.http.Audience;
import dev.ebb.port.MirrorCheck.GroupDigest;
import dev.ebb.serde.mirror.RowImage;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up rows by stream and month. Rows come stream by stream; the months of a stream may mix. */
final class RowDigests {

    private final Map<String, Map<String, RowsDigest>> sums = new LinkedHashMap<>();
    private int rows;
    private @Nullable List<String> last;

    void add(RowImage row) {
        Audience.require();
        sums.computeIfAbsent(row.stream(), stream -> new LinkedHashMap<>())
                .merge(row.month(), RowsDigest.of(row), RowsDigest::plus);
        rows++;
        last = row.key();
    }

    List<GroupDigest> parts() {
        List<GroupDigest> parts = new ArrayList<>();
        sums.forEach((stream, months) ->
                months.forEach((month, digest) -> parts.add(new GroupDigest(stream, month, digest))));
        return parts;
    }

    @Nullable
    String next(int limit) {
        return last == null || rows < limit ? null : RowCursor.text(last);
    }
}
