package dev.ebb.domain.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.receipt.Finding.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuditCheckTest {

    private RightEdge written = RightEdge.EMPTY;
    private RightEdge closed = RightEdge.EMPTY;
    private final AuditCheck check = new AuditCheck("0", Set.of("policies"), RightEdge.EMPTY, false);

    @Test
    void shouldFindNothingWrongWithWhatWasWritten() {
        // given
        assertThat(check.record(0, null, bytes("of a former version"))).isNull();
        for (int i = 0; i < 10; i++) {
            assertThat(check.record(2 * i + 1, mark(i), bytes("record " + i))).isNull();
            assertThat(check.record(2 * i + 2, new LeafMark("policies", 0, Hash.OF_NOTHING), bytes("other")))
                    .isNull();
            assertThat(i % 3 == 0 ? close() : null).isNull();
        }

        // then
        assertThat(check.checkpoints()).isEqualTo(4);
        assertThat(check.verified().size()).isEqualTo(10);
    }

    @Test
    void shouldNameAChangedRecord() {
        check.record(0, mark(0), bytes("record 0"));

        assertThat(check.record(1, mark(1), bytes("Record 1"))).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.CHANGED);
            assertThat(found.first()).isEqualTo(1);
            assertThat(found.offset()).isEqualTo(1);
        });
    }

    @Test
    void shouldFindARecordThatWasChangedWithItsMark() {
        // given
        check.record(0, mark(0), bytes("record 0"));
        close();
        written = written.with(leaf(1)).with(leaf(2));
        Hash forged = Hash.ofLeaf(bytes("forged"));
        check.record(1, new LeafMark("0", 1, forged), bytes("forged"));
        check.record(2, new LeafMark("0", 2, leaf(2)), bytes("record 2"));

        // then
        assertThat(close()).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.CHANGED);
            assertThat(found.first()).isEqualTo(1);
            assertThat(found.last()).isEqualTo(2);
        });
    }

    @Test
    void shouldNameADroppedRecord() {
        check.record(0, mark(0), bytes("record 0"));
        mark(1);

        assertThat(check.record(2, mark(2), bytes("record 2"))).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.DROPPED);
            assertThat(found.first()).isEqualTo(1);
            assertThat(found.last()).isEqualTo(1);
            assertThat(found.offset()).isEqualTo(2);
        });
    }

    @Test
    void shouldNameRecordsThatWereDroppedAtTheEnd() {
        check.record(0, mark(0), bytes("record 0"));
        mark(1);
        mark(2);

        assertThat(close()).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.DROPPED);
            assertThat(found.first()).isEqualTo(1);
            assertThat(found.last()).isEqualTo(2);
        });
    }

    @Test
    void shouldNameARecordThatWasPutIn() {
        check.record(0, mark(0), bytes("record 0"));

        assertThat(check.record(1, null, bytes("put in"))).satisfies(AuditCheckTest::isPutIn);
        assertThat(check.record(1, new LeafMark("0", 0, leaf(0)), bytes("record 0")))
                .satisfies(AuditCheckTest::isPutIn);
        assertThat(check.record(1, new LeafMark("9", 1, leaf(1)), bytes("record 1")))
                .satisfies(AuditCheckTest::isPutIn);
    }

    private static void isPutIn(Finding found) {
        assertThat(found.kind()).isEqualTo(Kind.INSERTED);
        assertThat(found.offset()).isEqualTo(1);
    }

    @Test
    void shouldTellTheLeafFromARecordWithItsNumber() {
        // given
        check.record(0, mark(0), bytes("record 0"));
        LeafMark forged = new LeafMark("0", 1, Hash.ofLeaf(bytes("forged")));
        assertThat(check.record(1, forged, bytes("forged"))).isNull();

        // when
        LeafMark honest = mark(1);
        assertThat(check.isSecond(honest)).isTrue();
        assertThat(check.record(2, honest, bytes("record 1"))).isNull();
        assertThat(check.record(3, mark(2), bytes("record 2"))).isNull();

        // then
        assertThat(check.end()).satisfies(AuditCheckTest::isPutIn);
        assertThat(close()).satisfies(AuditCheckTest::isPutIn);
    }

    @Test
    void shouldTellARecordWithTheNumberOfALeafThatCameBefore() {
        check.record(0, mark(0), bytes("record 0"));
        LeafMark forged = new LeafMark("0", 0, Hash.ofLeaf(bytes("forged")));
        assertThat(check.record(1, forged, bytes("forged"))).isNull();

        assertThat(close()).satisfies(AuditCheckTest::isPutIn);
    }

    @Test
    void shouldNameARecordWithTheNumberOfALeafThatIsProved() {
        check.record(0, mark(0), bytes("record 0"));
        close();
        LeafMark forged = new LeafMark("0", 0, Hash.ofLeaf(bytes("forged")));

        assertThat(check.isSecond(forged)).isFalse();
        assertThat(check.record(1, forged, bytes("forged"))).satisfies(AuditCheckTest::isPutIn);
    }

    @Test
    void shouldNameALeftEdgeThatIsNotThatOfTheCheckpointBefore() {
        check.record(0, mark(0), bytes("record 0"));
        close();
        check.record(1, mark(1), bytes("record 1"));
        closed = new RightEdge(1, List.of(Hash.OF_NOTHING));

        assertThat(close()).satisfies(found -> assertThat(found.kind()).isEqualTo(Kind.CHECKPOINT));
    }

    @Test
    void shouldMissACheckpoint() {
        check.record(0, mark(0), bytes("record 0"));
        closed = written;
        check.record(1, mark(1), bytes("record 1"));

        assertThat(close()).satisfies(found -> assertThat(found.kind()).isEqualTo(Kind.CHECKPOINT));
    }

    @Test
    void shouldBeginAtTheEdgeOfACheckpoint() {
        // given
        mark(0);
        mark(1);
        closed = written;
        AuditCheck later = new AuditCheck("0", Set.of(), written, false);

        // when
        assertThat(later.record(7, new LeafMark("0", 1, leaf(1)), bytes("record 1")))
                .isNull();
        assertThat(later.record(8, mark(2), bytes("record 2"))).isNull();

        // then
        assertThat(later.checkpoint(checkpoint(), closed)).isNull();
        assertThat(later.record(9, null, bytes("put in")))
                .satisfies(found -> assertThat(found.kind()).isEqualTo(Kind.INSERTED));
    }

    private LeafMark mark(int index) {
        written = written.with(leaf(index));
        return new LeafMark("0", index, leaf(index));
    }

    private Finding close() {
        Finding found = check.checkpoint(checkpoint(), closed);
        closed = written;
        return found;
    }

    private Checkpoint checkpoint() {
        return new Checkpoint("ebb/audit/0", written.size(), written.root());
    }

    private static Hash leaf(int index) {
        return Hash.ofLeaf(bytes("record " + index));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
