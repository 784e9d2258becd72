package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.TopologyFixture.T0;
import static dev.ebb.topology.TopologyFixture.TOPICS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record within the limits that grows on its way out is set aside before any part of it is written. */
@Tag("O-20")
class WaysOutTest {

    private static final int LIMIT = 1024 * 1024;
    private static final int TAKEN = LIMIT + 32 * 1024;

    private final TopologyFixture fixture =
            TopologyFixture.weighed(TopologyFixture.settings(OptionalLong.of(1), 10_000));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shouldSetAsideAnExecutionWhoseStatusIsNoName() {
        // given
        fixture.event(event("s", "a"));

        // when
        fixture.execution(running("\u0001".repeat(200_000)));
        fixture.execution(running("running"));

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.BAD_NAME);
        assertThat(fixture.observer.failedRecords).isEmpty();
        assertThat(fixture.ids("s")).containsExactly("a");
    }

    private static ExecutionUpdate running(String status) {
        return new ExecutionUpdate(new StreamName("s"), 3, status, null, null, null);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void shouldSetAsideACommandThatDoesNotFitUnderTheKeyOfItsStream(int more) {
        // given a command under no key, with headers that leave no room for the right one
        fixture.event(event("s", "a"));
        byte[] value = fixture.records.command(new CommandRequest("c", "eva", "why", false, null, delete("s")));
        Headers headers = new RecordHeaders().add("h", new byte[TAKEN - value.length - 11 - 1 + more]);

        // when
        fixture.pipe(TOPICS.commands(), null, value, headers, T0);
        fixture.settle();

        // then
        assertThat(fixture.observer.failedRecords).isEmpty();
        assertThat(fixture.observer.rejected).isEqualTo(more <= 0 ? List.of() : List.of(RejectReason.TOO_BIG));
        assertThat(fixture.ids("s").isEmpty()).isEqualTo(more <= 0);
    }
}
