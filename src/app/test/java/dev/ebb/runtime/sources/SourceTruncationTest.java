package dev.ebb.runtime.sources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.topology.wire.ErrandBodies.FirstHeld;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Words for what begins at the start of a log. */
@Tag("F-8")
class SourceTruncationTest {

    @Test
    void shouldSayThatNoRecordStaysAtTheEndOfALog() {
        FirstHeld unread = new FirstHeld(5, "not read yet");
        assertThat(SourceTruncation.why(unread, 5, 5)).isEqualTo("no record yet");
        assertThat(SourceTruncation.why(null, 0, 0)).isEqualTo("no record yet");
        assertThat(SourceTruncation.why(unread, 5, 6)).isEqualTo("not read yet");
        assertThat(SourceTruncation.why(null, 0, 1)).isEqualTo("not read yet");
        assertThat(SourceTruncation.why(new FirstHeld(3, "rejected"), 3, 5)).isEqualTo("rejected");
    }
}
