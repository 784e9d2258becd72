package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static dev.ebb.topology.TopologyFixture.TOPICS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One record fails in an unforeseen way, and all other work goes on. */
@Tag("O-20")
class FailingRecordsTest {

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    static List<String> topics() {
        return List.of(TOPICS.events(), TOPICS.rekey(), TOPICS.commands(), TOPICS.policies(), TOPICS.assessments());
    }

    @ParameterizedTest
    @MethodSource("topics")
    void shouldSetAsideARecordThatCannotEvenBeRead(String topic) {
        // when
        for (Object bomb : List.of(new IllegalStateException("bang"), new StackOverflowError())) {
            fixture.pipe(topic, bytes("s"), fixture.records.bytes(bomb), new RecordHeaders(), T0);
        }
        fixture.event(event("s", "after"));
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(5)).build());
        fixture.settle();

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.FAILED, RejectReason.FAILED);
        assertThat(EbbHeaders.text(fixture.rejected.get(0).headers(), EbbHeaders.REJECTED_DETAIL))
                .isEqualTo("taking it in failed: java.lang.IllegalStateException: bang");
        assertThat(fixture.observer.failedRecords).containsExactly(topic + " 0:0", topic + " 0:1");
        assertThat(fixture.ids("s")).containsExactly("after");
        assertThat(fixture.policies().policies()).hasSize(1);
        assertThat(fixture.failed.size()).isZero();
    }

    @Test
    void shouldSetAsideAParkedRecordThatFailsWhenItIsTakenOut() {
        // given
        fixture.records.registryDown(true);
        fixture.send(bytes("s"), fixture.records.bytes(new IllegalStateException("bang")), T0);
        fixture.event(event("s", "behind"));

        // when
        fixture.records.registryDown(false);
        fixture.advance(1000);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.FAILED);
        assertThat(fixture.ids("s")).containsExactly("behind");
        assertThat(fixture.status().parkedRecords()).isZero();
    }

    @Test
    void shouldFailTheTransactionOfWhatFailsHalfwayAndSetItAsideWhenItComesAgain() {
        // given
        fixture.observer.failsBehind = stream -> stream.value().equals("bad");

        // when
        assertThatThrownBy(() -> fixture.event(event("bad", "a")))
                .isInstanceOf(StreamsException.class)
                .hasRootCauseMessage("the test says so");
        fixture.restart();
        fixture.event(event("bad", "a"));
        fixture.event(event("good", "a"));

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.FAILED);
        assertThat(fixture.observer.failedRecords).containsExactly(TOPICS.events() + " 0:0");
        assertThat(fixture.stored()).hasSize(1);
        assertThat(fixture.ids("good")).containsExactly("a");
        assertThat(fixture.mirror).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prune", "sweep", "event delete"})
    @Tag("I-5")
    void shouldFailTheTransactionOfDeletesThatCannotBeAudited(String which) {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(2))
                .set(PolicyField.WINDOW, SweepWindow.parse("12:00-12:01 UTC"))
                .build());
        for (String id : List.of("a", "b", "c", "d")) {
            fixture.event(event("s", id));
        }
        fixture.settleFor(3);
        Command command =
                switch (which) {
                    case "prune" -> CommandFixture.prune("s", 1L, null);
                    case "sweep" -> CommandFixture.sweep(Scope.ALL);
                    default -> CommandFixture.deleteEvent("s", "b", false);
                };

        // when
        fixture.records.failsToAudit = true;
        assertThatThrownBy(() -> fixture.carryOut(CommandFixture.request("c-1", command)))
                .isInstanceOf(StreamsException.class)
                .hasRootCauseMessage("the test says so");

        // then the command is ended by the next task, which begins without what was written
        assertThat(fixture.results).noneMatch(CommandResult::isFinal);
    }

    /** It is the record that was taken out of the queue that fails, not the one that came meanwhile. */
    @Test
    void shouldKnowWhichOfTwoRecordsFailedHalfway() {
        // given
        fixture.event(event("t", "first"));
        fixture.records.registryDown(true);
        fixture.event(event("bad", "parked"));
        fixture.advance(1000);
        fixture.records.registryDown(false);
        fixture.observer.failsBehind = stream -> stream.value().equals("bad");

        // when
        assertThatThrownBy(() -> fixture.event(event("good", "came"))).isInstanceOf(StreamsException.class);
        fixture.restart();
        fixture.advance(1000);
        fixture.event(event("good", "came"));

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.FAILED);
        assertThat(fixture.ids("good")).containsExactly("came");
        assertThat(fixture.reader().streams(null, "", null, 9)).hasSize(2);
    }

    @Test
    void shouldGoOnBehindAnAcceptedRecordThatIsNone() {
        // when a stranger writes to the topic that is the gate's alone
        Headers headers = new RecordHeaders();
        fixture.pipe(TOPICS.policiesAccepted(), bytes("planet:mars"), null, headers, T0);
        fixture.pipe(TOPICS.policiesAccepted(), null, null, headers, T0);
        fixture.pipe(TOPICS.policiesAccepted(), new byte[] {(byte) 0xFF}, new byte[3_000_000], headers, T0);
        fixture.pipe(
                TOPICS.policiesAccepted(),
                bytes("*"),
                fixture.records.bytes(new IllegalStateException("bang")),
                headers,
                T0);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.settle();

        // then
        assertThat(fixture.ids("s")).containsExactly("b");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
