package dev.ebb.api.verify;

import dev.ebb.port.MirrorCheck.DigestPage;
import dev.ebb.port.MirrorCheck.GroupDigest;
import dev.ebb.serde.mirror.RowsDigest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Digests of one side, stream after stream, of which one page is in memory. Not thread-safe. */
final class StreamDigests {

    /** The order of both sides: the bytes of UTF-8, which Java's texts do not keep to. */
    static final Comparator<String> BY_BYTES =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final Function<@Nullable String, DigestPage> pages;
    private final Deque<GroupDigest> page = new ArrayDeque<>();
    private @Nullable String after;
    private boolean isLast;

    /** @param pages the page after a cursor; the first one after null */
    StreamDigests(Function<@Nullable String, DigestPage> pages) {
        this.pages = pages;
    }

    /** The next stream; null at the end. */
    @Nullable
    String stream() {
        while (page.isEmpty() && !isLast) {
            DigestPage next = pages.apply(after);
            page.addAll(next.digests());
            after = next.next();
            isLast = after == null;
        }
        return page.isEmpty() ? null : page.element().stream();
    }

    /** The digest of each month of the stream if it is the next one, and none otherwise; goes on behind it. */
    Map<String, RowsDigest> take(String stream) {
        Map<String, RowsDigest> months = new HashMap<>();
        while (stream.equals(stream())) {
            GroupDigest part = page.remove();
            months.merge(part.month(), part.digest(), RowsDigest::plus);
        }
        return months;
    }
}
