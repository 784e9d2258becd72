package dev.ebb.topology.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands stand in the lines of their streams in the order in which they came. */
@Tag("O-9")
class StreamLinesTest {

    private final StreamLines lines = new StreamLines();
    private long number;

    @Test
    void shouldBeginWithTheCommandThatCameFirst() {
        // given
        lines.join("z", number++, List.of("s"));
        lines.join("a", number++, List.of("s"));
        lines.join("b", number++, List.of("t"));

        // then
        assertThat(isFirst("z", "s")).isTrue();
        assertThat(isFirst("a", "s")).isFalse();
        assertThat(isFirst("b", "t")).isTrue();

        // when
        Set<String> next = lines.leave("z", List.of("s"));

        // then
        assertThat(next).containsExactly("a");
        assertThat(isFirst("a", "s")).isTrue();
    }

    /** A record that was parked in between is taken in later, and comes before those that came behind it. */
    @Test
    @Tag("O-20")
    void shouldGoByTheOrderOfArrivalAndNotByThatOfTheIntake() {
        // given
        lines.join("b", 2, List.of("s"));
        lines.join("c", 3, List.of("s"));

        // when
        lines.join("a", 1, List.of("s"));

        // then
        assertThat(isFirst("b", "s")).isFalse();
        assertThat(lines.leave("a", List.of("s"))).containsExactly("b");
        assertThat(lines.leave("b", List.of("s"))).containsExactly("c");
    }

    @Test
    void shouldLetOthersGoOnBehindAStreamThatIsDone() {
        // given
        lines.join("purge", number++, List.of("s", "t"));
        lines.join("behind", number++, List.of("s"));
        lines.join("last", number++, List.of("t"));

        // then
        assertThat(lines.release("purge", List.of("s"))).containsExactly("behind");
        assertThat(isFirst("behind", "s")).isTrue();
        assertThat(isFirst("purge", "t")).isTrue();
        assertThat(lines.leave("purge", List.of("t"))).containsExactly("last");
    }

    @Test
    void shouldWaitForAllOfItsStreams() {
        // given
        lines.join("first", number++, List.of("s"));
        lines.join("second", number++, List.of("t"));
        lines.join("third", number++, List.of("s", "t", "u"));

        // then
        assertThat(isFirst("third", "s", "t", "u")).isFalse();
        assertThat(lines.leave("first", List.of("s"))).containsExactly("third");
        assertThat(isFirst("third", "s", "t", "u")).isFalse();
        assertThat(lines.leave("second", List.of("t"))).containsExactly("third");
        assertThat(isFirst("third", "s", "t", "u")).isTrue();
    }

    /** A plan of one stream is led and carried out by two pieces of work. */
    @Test
    void shouldStandOnceInALineWithAllItsWork() {
        // given
        lines.join("plan", number++, List.of("s"));
        lines.join("later", number++, List.of("s"));
        lines.join("plan", number++, List.of("s"));

        // then
        assertThat(isFirst("plan", "s")).isTrue();
        assertThat(lines.leave("plan", List.of("s"))).isEmpty();
        assertThat(isFirst("later", "s")).isFalse();
        assertThat(lines.leave("plan", List.of("s"))).containsExactly("later");
        assertThat(isFirst("later", "s")).isTrue();
    }

    /** The share of a command over many streams comes when it comes, although the same partition leads the command. */
    @Test
    void shouldGiveAShareNoPlaceBeforeItHasCome() {
        // given
        lines.join("purge", 1, List.of());
        lines.join("delete", 2, List.of("s"));

        // when
        lines.join("purge", 3, List.of("s"));

        // then
        assertThat(isFirst("delete", "s")).isTrue();
        assertThat(lines.leave("delete", List.of("s"))).containsExactly("purge");
        assertThat(lines.leave("purge", List.of("s"))).isEmpty();

        // when the next share comes
        lines.join("event delete", 4, List.of("s"));
        lines.join("purge", 5, List.of("s"));

        // then
        assertThat(isFirst("event delete", "s")).isTrue();
    }

    @Test
    void shouldHoldUpNoWorkWithoutStreams() {
        // given
        lines.join("first", number++, List.of("s"));

        // when
        lines.join("sweep", number++, List.of());

        // then
        assertThat(isFirst("sweep")).isTrue();
        assertThat(lines.leave("sweep", List.of())).isEmpty();
    }

    @Test
    @Tag("O-10")
    void shouldTellThoseBehindADeleteAloneThatTheirStreamIsGone() {
        // given
        lines.join("delete", number++, List.of("s"));
        lines.join("behind", number++, List.of("s", "t"));
        lines.join("elsewhere", number++, List.of("t"));

        // when
        lines.deleted("s", "delete");
        lines.join("later", number++, List.of("s"));

        // then
        assertThat(lines.takeOutlived()).containsExactly("behind");
        assertThat(lines.takeOutlived()).isEmpty();
        assertThat(lines.outlivedBy("behind")).containsExactly("s");
        assertThat(lines.outlivedBy("delete")).isEmpty();
        assertThat(lines.outlivedBy("elsewhere")).isEmpty();
        assertThat(lines.outlivedBy("later")).isEmpty();
    }

    @Test
    @Tag("O-10")
    void shouldForgetWhatItHasToldWithTheLastWorkOfACommand() {
        // given
        lines.join("c", number++, List.of("s"));
        lines.outlive("c", List.of("s"));

        // when
        lines.leave("c", List.of("s"));

        // then
        assertThat(lines.outlivedBy("c")).isEmpty();
    }

    private boolean isFirst(String commandId, String... streams) {
        return lines.isFirst(commandId, List.of(streams));
    }
}
