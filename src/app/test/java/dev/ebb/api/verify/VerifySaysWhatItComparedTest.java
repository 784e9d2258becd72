package dev.ebb.api.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.FakeMirror;
import dev.ebb.port.MirrorCheck.GroupDigest;
import dev.ebb.port.MirrorCheck.Refusals;
import dev.ebb.serde.mirror.RowsDigest;
import dev.ebb.wire.instance.VerificationView.Compared;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The answer of a comparison names its extent and its moments: what fell due later is no part of it. */
@Tag("A-15")
class VerifySaysWhatItComparedTest {

    private final FakeMirror mirror = new FakeMirror();
    private final Witness seen = new Witness(mirror, new Ticking());
    private final Findings findings = new Findings(10);

    @Test
    void shouldNameTheMomentsAtWhichEachSideWasRead() {
        // given: the stored rows come on two pages, the rows of SQL on one, and both are equal
        mirror.inSql.add(new GroupDigest("s", "2026-11", new RowsDigest(4, 2, -2)));

        // when
        Compared compared = compare();

        // then: SQL first, since a store is never behind it; then two pages of the store; then the executions
        assertThat(compared.sqlFrom()).isEqualTo("2026-11-28T10:00:00Z");
        assertThat(compared.storesFrom()).isEqualTo("2026-11-28T10:00:02Z");
        assertThat(compared.sqlTo()).isEqualTo("2026-11-28T10:00:07Z");
        assertThat(compared.storesTo()).isEqualTo("2026-11-28T10:00:09Z");
        assertThat(compared.mirrorPosition()).isEqualTo("1,2;3,4");
    }

    @Test
    void shouldCountStreamsAndMonthsOfEitherSide() {
        // given: a stream in both, of which SQL has a further month, and one in SQL alone
        mirror.inSql.add(new GroupDigest("s", "2026-10", new RowsDigest(1, 2, -2)));
        mirror.inSql.add(new GroupDigest("s", "2026-11", new RowsDigest(4, 2, -2)));
        mirror.inSql.add(new GroupDigest("t", "2026-09", new RowsDigest(1, 2, -2)));

        // when
        Compared compared = compare();

        // then
        assertThat(compared.streams()).isEqualTo(2);
        assertThat(compared.months()).containsExactly("2026-09", "2026-10", "2026-11");
        assertThat(compared.groups()).isEqualTo(3);
        assertThat(compared.executionStreams()).isZero();
    }

    private Compared compare() {
        seen.mark();
        new Verification(seen, 1, time -> {}, Duration.ofSeconds(5), null, findings).run();
        return findings.result(false, seen, Refusals.NONE).compared();
    }

    /** Each look at the clock takes a second. */
    private static final class Ticking extends Clock {

        private Instant now = Instant.parse("2026-11-28T10:00:00Z");

        @Override
        public Instant instant() {
            Instant read = now;
            now = now.plusSeconds(1);
            return read;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
