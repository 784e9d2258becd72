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

/** Digests of one side, stream by stream, with one page in memory. Not thread-safe. */
final class StreamDigests {

    /** The order of both sides: by bytes of UTF-8, which differs from the order of Java's strings. */
    static final Comparator<String> BY_BYTES =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final Function<@Nullable String, DigestPage> pages;
    private final Deque<GroupDigest> page = new ArrayDeque<>();
    private @Nullable String after;
    private boolean isLast;

    /** @param pages returns the page after a cursor; the first page after null */
    StreamDigests(Function<@Nullable String, DigestPage> pages) {
        this.pages = pages;
    }

    /** Returns the next stream; null at the end. */
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

    /**
     * Returns the digest of each month of the stream and moves on, if it is the next stream; returns none otherwise.
     */
    Map<String, RowsDigest> take(String stream) {
        Map<String, RowsDigest> months = new HashMap<>();
        while (stream.equals(stream())) {
            GroupDigest part = page.remove();
            months.merge(part.month(), part.digest(), RowsDigest::plus);
        }
        return months;
    }
}
