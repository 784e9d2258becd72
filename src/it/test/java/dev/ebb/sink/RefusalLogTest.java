package dev.ebb.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log tells of each refused change, and has at most one line a minute. */
@Tag("O-24")
@Tag("O-28")
class RefusalLogTest {

    private final List<String> lines = new ArrayList<>();
    private long nanos;
    private final RefusalLog log = new RefusalLog(
            (refused, record, problem) -> lines.add(refused + " " + record + " " + problem), () -> nanos);

    @Test
    void shouldTellOfTheFirstAtOnceAndOfTheNextTogether() {
        // when
        refuse("a");
        refuse("b");
        refuse("c");
        nanos += RefusalLog.EVERY_NANOS;
        refuse("d");

        // then
        assertThat(lines).containsExactly("1 a no", "3 d no");
    }

    @Test
    void shouldTellOfTheLastOnesAlthoughNoneFollows() {
        // given
        refuse("a");
        refuse("b");
        refuse("c");

        // when
        nanos += RefusalLog.EVERY_NANOS - 1;
        log.sayRest();
        assertThat(lines).containsExactly("1 a no");
        nanos++;
        log.sayRest();
        log.sayRest();

        // then
        assertThat(lines).containsExactly("1 a no", "2 c no");
    }

    @Test
    void shouldTellOfAllAtTheEnd() {
        // given
        refuse("a");
        refuse("b");

        // when
        log.end();
        log.end();

        // then
        assertThat(lines).containsExactly("1 a no", "1 b no");
    }

    private void refuse(String place) {
        log.refused(place, new RowRefusal(null, "no"));
    }
}
