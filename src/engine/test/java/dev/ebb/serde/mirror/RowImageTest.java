package dev.ebb.serde.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.CollidingNames;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-15")
class RowImageTest {

    private static final long T0 = Instant.parse("2026-11-30T23:59:59.999Z").toEpochMilli();

    private final MirrorRows rows = new MirrorRows();

    @Test
    void shouldNameTheMonthToTheMillisecond() {
        assertThat(image(event("e", T0)).month()).isEqualTo("2026-11");
        assertThat(image(event("e", T0 + 1)).month()).isEqualTo("2026-12");
        assertThat(RowImage.firstOf(YearMonth.of(2026, 12))).isEqualTo(Instant.ofEpochMilli(T0 + 1));
        assertThat(RowImage.behind(YearMonth.of(2026, 11))).isEqualTo(Instant.ofEpochMilli(T0 + 1));
    }

    @Test
    void shouldCountWhatNoEventCanHaveInTheFirstAndLastMonths() {
        assertThat(RowImage.monthOf(Instant.parse("1969-12-31T23:59:59.999Z"))).isEqualTo(YearMonth.of(1970, 1));
        assertThat(RowImage.monthOf(Instant.parse("+10000-01-01T00:00:00Z"))).isEqualTo(YearMonth.of(9999, 12));
        assertThat(RowImage.monthOf(Instant.MAX)).isEqualTo(YearMonth.of(9999, 12));
        assertThat(RowImage.firstOf(YearMonth.of(1970, 1))).isNull();
        assertThat(RowImage.behind(YearMonth.of(9999, 12))).isNull();
    }

    @Test
    void shouldTellEveryColumnApart() {
        // given
        RowImage base = image(event("e", T0));
        Set<String> digests = new HashSet<>();
        digests.add(RowsDigest.of(base).hash());

        // then
        for (int i = 0; i < MirrorTable.EVENTS.columns().size(); i++) {
            RowImage other = changed(base, i);
            assertThat(base.differences(other))
                    .containsExactly(MirrorTable.EVENTS.columns().get(i).name());
            digests.add(RowsDigest.of(other).hash());
        }
        assertThat(digests).hasSize(MirrorTable.EVENTS.columns().size() + 1);
    }

    @Test
    void shouldTellNullFromEmptyAndOneValueFromTheNext() {
        assertThat(digest("a", "bc", null)).isNotEqualTo(digest("ab", "c", null));
        assertThat(digest("a", "b", null)).isNotEqualTo(digest("a", "b", ""));
    }

    @Test
    void shouldNotGoByTheOrderOfMetadata() {
        assertThat(new RowImage.Builder(MirrorTable.EXECUTIONS)
                                .json("{\"b\": \"1\", \"a\": \"2\"}")
                                .plain("")
                                .plain("")
                                .plain("")
                                .time(null)
                                .time(null)
                                .build()
                                .stream())
                .isEqualTo("{\"a\":\"2\",\"b\":\"1\"}");
    }

    @Test
    void shouldAddUpWhateverTheOrder() {
        // given
        RowsDigest a = RowsDigest.of(image(event("a", T0)));
        RowsDigest b = RowsDigest.of(image(event("b", T0)));
        RowsDigest c = RowsDigest.of(image(event("c", T0)));

        // then
        assertThat(a.plus(b).plus(c)).isEqualTo(c.plus(a.plus(b)));
        assertThat(a.plus(a)).isNotEqualTo(a.plus(b)).isNotEqualTo(RowsDigest.NONE);
    }

    /** Jackson's own limit for names is 50 000 characters, and for names that have one hash of its kind 150. */
    @Test
    void shouldNotGoByTheOrderOfMetadataWhateverItsNames() {
        List<String> names = new ArrayList<>(CollidingNames.forJackson(1000));
        names.add("n".repeat(60_000));
        List<String> backwards = new ArrayList<>(names);
        Collections.reverse(backwards);

        assertThat(json(backwards)).isEqualTo(json(names)).doesNotContain(", ");
    }

    private static String json(List<String> names) {
        return new RowImage.Builder(MirrorTable.EXECUTIONS)
                        .json(CollidingNames.json(names).replace(",", ", "))
                        .plain("")
                        .plain("")
                        .plain("")
                        .time(null)
                        .time(null)
                        .build()
                        .stream();
    }

    private static String digest(String first, String second, String third) {
        return RowsDigest.of(new RowImage.Builder(MirrorTable.EXECUTIONS)
                        .plain(first)
                        .plain(second)
                        .plain(third)
                        .plain(null)
                        .time(null)
                        .time(null)
                        .build())
                .hash();
    }

    private static RowImage changed(RowImage base, int column) {
        List<String> other = List.of("other");
        RowImage.Builder row = new RowImage.Builder(MirrorTable.EVENTS);
        for (int i = 0; i < MirrorTable.EVENTS.columns().size(); i++) {
            row.plain(i == column ? other.get(0) : base.values().get(i));
        }
        return row.build();
    }

    private RowImage image(StoredEvent event) {
        return RowImage.of(MirrorTable.EVENTS, rows.eventRow(event));
    }

    private static StoredEvent event(String id, long storedAt) {
        Event event = new Event(
                new StreamName("s"),
                new EventId(id),
                "t",
                null,
                storedAt,
                storedAt,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                null,
                "payload".getBytes(UTF_8));
        return new StoredEvent(event, storedAt, 0, false);
    }
}
