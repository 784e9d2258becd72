package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of graves and of ends beside them, and what they have room for. */
@Tag("O-10")
class GraveTest {

    private static final StreamName NAME = new StreamName("a/1");

    @Test
    void shouldReadWhatWasWritten() {
        // given
        Grave plain = Grave.of(17, "c-1");
        Grave full = plain.withAtWork(List.of(3L, 0L, 1L << 40))
                .withEnds(2, 99)
                .withNextOrder()
                .withNextOrder()
                .withParentOrder(1);

        // then
        assertThat(Grave.decode(plain.encode())).isEqualTo(plain);
        assertThat(Grave.decode(full.encode())).isEqualTo(full);
        assertThat(full.atWork()).containsExactly(0L, 3L, 1L << 40);
        assertThat(Grave.decode(full.lifted().encode())).isEqualTo(full.lifted());
        assertThat(Grave.decode(full.withAnyAtWork().encode()).mayBeAtWork(7)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65})
    void shouldNameSomeExecutionsAtWorkAndElseDoubtAll(int executions) {
        // given
        Grave grave = Grave.of(17, "c-1")
                .withAtWork(LongStream.range(0, executions).boxed().toList());

        // then
        assertThat(grave.mayBeAtWork(executions - 1)).isTrue();
        assertThat(grave.mayBeAtWork(executions)).isEqualTo(executions > Grave.MOST_AT_WORK);
        assertThat(grave.withoutWork(1).mayBeAtWork(1)).isEqualTo(executions > Grave.MOST_AT_WORK);
        assertThat(grave.withAtWork(List.of(100L)).withoutWork(1).mayBeAtWork(2))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "999, 0, 1, true",
        "1000, 0, 1, false",
        "1, 262143, 1, true",
        "1, 262144, 1, false",
        "1, 262143, 2, false"
    })
    void shouldHaveRoomForSome(int ends, long endBytes, long bytes, boolean hasRoom) {
        assertThat(Grave.of(17, "c-1").withEnds(ends, endBytes).hasRoomFor(bytes))
                .isEqualTo(hasRoom);
    }

    @Test
    void shouldReadEndsAsTheyWereWritten() {
        // given
        WaitingEnd least = WaitingEnd.of(new ExecutionUpdate(NAME, 0, "read", null, null, null), 5, 0);
        WaitingEnd most = WaitingEnd.of(new ExecutionUpdate(NAME, 9, "failed", new StreamName("p"), 1L, 2L), 5, 300);

        // then
        assertThat(least.update().completedAt()).isEqualTo(5);
        assertThat(WaitingEnd.decode(NAME, 0, least.encode())).isEqualTo(least);
        assertThat(WaitingEnd.decode(NAME, 9, most.encode())).isEqualTo(most);
        assertThat(most.withoutParent().parent()).isNull();
        assertThat(UsageKeys.nameOfWaitingEnd(UsageKeys.waitingEnd("a/1", 9))).isEqualTo("a/1");
        assertThat(UsageKeys.executionOfWaitingEnd(UsageKeys.waitingEnd("a/1", 9)))
                .isEqualTo(9);
    }
}
