package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.all;
import static dev.ebb.topology.CommandFixture.child;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.execution;
import static dev.ebb.topology.CommandFixture.prune;
import static dev.ebb.topology.CommandFixture.pruneBulk;
import static dev.ebb.topology.CommandFixture.request;
import static dev.ebb.topology.CommandFixture.sweep;
import static dev.ebb.topology.TopologyFixture.TOPICS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Errand.Step;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.topology.wire.EbbHeaders;
import dev.ebb.topology.wire.HoldConfirmations;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Errands that no task of ours would send: they go to the rejected topic and change nothing, and commands go on. */
@Tag("O-20")
class StrangeErrandsTest {

    private static final String PURGE = "{\"commandId\":\"c\",\"actor\":\"a\",\"reason\":\"\",\"isDryRun\":false,"
            + "\"command\":{\"command\":\"purge\",\"filter\":{\"limit\":10,\"isAll\":true}}}";
    private static final String SWEEP = "{\"commandId\":\"c\",\"actor\":\"a\",\"reason\":\"\",\"isDryRun\":false,"
            + "\"command\":{\"command\":\"sweep\",\"scope\":{\"kind\":\"ALL\",\"name\":\"\"},\"prunesPolicies\":false}}";
    private static final String COUNTS = "{\"streamsProcessed\":1}";
    private static final String BIG_NAME = "n".repeat(256);

    private final TopologyFixture fixture = TopologyFixture.inMemory();
    private int commands;

    @BeforeEach
    void fill() {
        fixture.event(event("open", "a").status("pending"));
        fixture.event(event("closed", "a"));
        fixture.event(event("closed", "b"));
        fixture.execution(child("kid", "closed", "completed"));
        fixture.settle();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> combinations() {
        return Stream.of(Step.values())
                .map(step -> arguments(
                        step,
                        List.of(
                                "",
                                step == Step.END_SEARCH ? "{" : "{}",
                                "garbage",
                                "null",
                                "[]",
                                "7",
                                "\"text\"",
                                "{} {}",
                                "[".repeat(100_000))));
    }

    /** Each body is right but for one thing. */
    static Stream<Arguments> bodies() {
        String parent =
                "{\"stream\":\"closed\",\"child\":\"kid\",\"parent\":\"closed\",\"partition\":0,\"visited\":[\"kid\"]}";
        String gather = "{\"request\":" + PURGE + ",\"limit\":5}";
        String gathered = "{\"candidates\":[{\"stream\":\"closed\",\"completedMs\":1}],\"skipped\":" + COUNTS
                + ",\"isLast\":true}";
        String carryOut = "{\"request\":" + PURGE + ",\"streams\":[\"closed\"],\"isDryRun\":false,\"round\":1}";
        String carriedOut = "{\"counts\":" + COUNTS + ",\"round\":1}";
        String sweep = "{\"request\":" + SWEEP + ",\"pointMs\":5}";
        String swept = "{\"outcome\":{\"kind\":\"swept\",\"parts\":{\"biggest\":"
                + "[{\"stream\":\"s\",\"cause\":\"MAX_AGE\",\"events\":1,\"bytes\":1}],\"leftOut\":0,\"rest\":[]},"
                + "\"sweepPoint\":\"2026-01-01T00:00:00.000Z\",\"policyVersion\":1},\"detail\":\"\"}";
        String assess =
                "{\"limit\":5,\"horizonMs\":0,\"sourceOffset\":-1,\"changes\":[{\"key\":\"*\",\"value\":null}]}";
        return Stream.of(
                spoilt(
                        Step.ASK_PARENT,
                        parent,
                        "\"partition\":0",
                        "\"partition\":-1",
                        "\"partition\":1",
                        "\"partition\":2147483647",
                        "\"partition\":99999999999",
                        "\"partition\":0.5",
                        "\"partition\":\"\"",
                        "\"partition\":null"),
                spoilt(
                        Step.ASK_PARENT,
                        parent,
                        "\"stream\":\"closed\"",
                        "\"stream\":\"\"",
                        "\"stream\":null",
                        "\"stream\":\" blank\"",
                        "\"stream\":\"" + BIG_NAME + "\"",
                        "\"stream\":{}"),
                spoilt(
                        Step.ASK_PARENT,
                        parent,
                        "[\"kid\"]",
                        "[null]",
                        "null",
                        "\"kid\"",
                        "[\"\"]",
                        "[" + "\"x\",".repeat(100) + "\"x\"]"),
                spoilt(
                        Step.TELL_PARENT,
                        parent,
                        "\"child\":\"kid\"",
                        "\"child\":\"\"",
                        "\"child\":null",
                        "\"refusal\":\"NONSENSE\",\"child\":\"kid\""),
                spoilt(
                        Step.GATHER,
                        gather,
                        "\"limit\":5",
                        "\"limit\":0",
                        "\"limit\":-1",
                        "\"limit\":1001",
                        "\"limit\":2147483647",
                        "\"limit\":1e3",
                        "\"limit\":true"),
                spoilt(
                        Step.GATHER,
                        gather,
                        "\"isDryRun\":false,",
                        "",
                        "\"isDryRun\":\"no\",",
                        "\"isDryRun\":null,",
                        "\"maxDeletes\":-5,\"isDryRun\":false,"),
                spoilt(Step.GATHER, gather, "\"purge\"", "\"explode\"", "\"delete\"", "null"),
                spoilt(
                        Step.GATHER,
                        gather,
                        "{\"limit\":10,\"isAll\":true}",
                        "null",
                        "{\"limit\":0,\"isAll\":true}",
                        "{\"limit\":5,\"streams\":[null]}",
                        "{\"limit\":5,\"streams\":[{\"value\":\"\"}]}",
                        "{\"limit\":5,\"namespace\":\"a/b\"}"),
                spoilt(Step.GATHER, gather, "\"commandId\":\"c\"", "\"commandId\":\"other\"", "\"commandId\":null"),
                spoilt(Step.GATHERED, gathered, "\"stream\":\"closed\"", "\"stream\":\"\"", "\"stream\":null"),
                spoilt(Step.GATHERED, gathered, "[{\"stream\":\"closed\",\"completedMs\":1}]", "[null]", "null", "{}"),
                spoilt(
                        Step.GATHERED,
                        gathered,
                        COUNTS,
                        "null",
                        "{\"streamsProcessed\":-1}",
                        "{\"streamsSkipped\":{\"NONSENSE\":1}}"),
                spoilt(Step.GATHERED, gathered, ",\"isLast\":true", ""),
                spoilt(
                        Step.CARRY_OUT,
                        carryOut,
                        "[\"closed\"]",
                        "[\"\"]",
                        "[null]",
                        "null",
                        "[" + "\"x\",".repeat(1000) + "\"x\"]"),
                spoilt(
                        Step.CARRY_OUT,
                        carryOut,
                        ",\"isDryRun\":false,\"round\":1",
                        ",\"round\":1",
                        ",\"isDryRun\":false",
                        ",\"isDryRun\":0,\"round\":1"),
                spoilt(Step.CARRY_OUT, carryOut, PURGE, "null", SWEEP),
                spoilt(Step.CARRIED_OUT, carriedOut, COUNTS, "null", "7"),
                spoilt(Step.CARRIED_OUT, carriedOut, "\"round\":1", "\"round\":\"\"", "\"round\":99999999999"),
                spoilt(
                        Step.SWEEP,
                        sweep,
                        "\"pointMs\":5",
                        "\"pointMs\":-1",
                        "\"pointMs\":null",
                        "\"pointMs\":99999999999999999999"),
                spoilt(Step.SWEEP, sweep, SWEEP, "null", PURGE),
                spoilt(Step.SWEEP, sweep, "\"prunesPolicies\":false", "\"policies\":\": no file\"", "\"atMs\":5"),
                spoilt(
                        Step.SWEEP,
                        sweep,
                        "{\"kind\":\"ALL\",\"name\":\"\"}",
                        "null",
                        "{\"kind\":\"STREAM\",\"name\":\"\"}",
                        "{\"kind\":\"PATTERN\",\"name\":\"p\"}"),
                spoilt(Step.SWEPT, swept, "\"stream\":\"s\"", "\"stream\":null"),
                spoilt(Step.SWEPT, swept, "\"cause\":\"MAX_AGE\"", "\"cause\":null", "\"cause\":\"X\""),
                spoilt(Step.SWEPT, swept, "\"leftOut\":0", "\"leftOut\":-1"),
                spoilt(Step.SWEPT, swept, "\"kind\":\"swept\"", "\"kind\":null", "\"kind\":\"x\""),
                spoilt(Step.SWEPT, swept, "\"detail\":\"\"", "\"detail\":null"),
                spoilt(
                        Step.ASSESS,
                        assess,
                        "\"key\":\"*\"",
                        "\"key\":\"planet:mars\"",
                        "\"key\":null",
                        "\"key\":\"stream:\""),
                spoilt(Step.ASSESS, assess, "[{\"key\":\"*\",\"value\":null}]", "null", "[null]", "{}"),
                spoilt(Step.ASSESS, assess, "\"limit\":5", "\"limit\":-1", "\"limit\":\"5\""),
                spoilt(Step.FOLLOW, "{\"sourceOffset\":5}", "5", "null", "\"5\"", "5.5", "{}"));
    }

    private static Arguments spoilt(Step step, String body, String right, String... wrong) {
        assertThat(body).contains(right);
        return arguments(
                step, Stream.of(wrong).map(other -> body.replace(right, other)).toList());
    }

    @ParameterizedTest
    @MethodSource({"combinations", "bodies"})
    void strangeErrands(Step step, List<String> bodies) {
        for (String body : bodies) {
            // given
            fixture.rejected.clear();
            fixture.results.clear();
            Map<Bytes, byte[]> before = state();

            // when
            byte[] value = fixture.records.bytes(new Errand("c", step, 0, body));
            send(value);

            // then
            assertThat(fixture.rejected).as(body).hasSize(1);
            TestRecord<byte[], byte[]> rejected = fixture.rejected.get(0);
            assertThat(rejected.value()).isEqualTo(value);
            assertThat(EbbHeaders.text(rejected.headers(), EbbHeaders.REJECTED_REASON))
                    .isEqualTo("BAD_COMMAND");
            assertThat(EbbHeaders.text(rejected.headers(), EbbHeaders.REJECTED_TOPIC))
                    .isEqualTo(TOPICS.commands());
            assertThat(EbbHeaders.text(rejected.headers(), EbbHeaders.REJECTED_DETAIL))
                    .contains(step.name());
            assertThat(fixture.observer.failedRecords).isEmpty();
            assertNothingChanged(before);
            assertThat(fixture.carryOut(request("next-" + commands++, prune("open", 5L, null)))
                            .state())
                    .isEqualTo(CommandResult.State.DONE);
        }
        assertCommandsGoOn();
    }

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"GATHER", "GATHERED", "CARRY_OUT", "CARRIED_OUT", "SWEEP", "SWEPT"})
    void shouldAnswerNobodyInAPartitionThatIsNot(Step step) {
        // given bodies that are all right
        Map<Step, String> bodies = Map.of(
                Step.GATHER, "{\"request\":" + PURGE + ",\"limit\":5}",
                Step.GATHERED, "{\"candidates\":[],\"skipped\":" + COUNTS + ",\"isLast\":true}",
                Step.CARRY_OUT, "{\"request\":" + PURGE + ",\"streams\":[\"closed\"],\"isDryRun\":false,\"round\":1}",
                Step.CARRIED_OUT, "{\"counts\":" + COUNTS + ",\"round\":1}",
                Step.SWEEP, "{\"request\":" + SWEEP + ",\"pointMs\":5}",
                Step.SWEPT, "{\"outcome\":{\"kind\":\"deleted\",\"streamsProcessed\":1},\"detail\":\"\"}");
        Map<Bytes, byte[]> before = state();

        // when
        for (int sender : List.of(-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE)) {
            send(fixture.records.bytes(new Errand("c", step, sender, bodies.get(step))));
        }

        // then
        assertThat(fixture.observer.rejected)
                .containsOnly(RejectReason.BAD_COMMAND)
                .hasSize(4);
        assertNothingChanged(before);

        // and the same from a partition that is one is taken
        send(fixture.records.bytes(new Errand("c", step, 0, bodies.get(step))));
        assertThat(fixture.observer.rejected).hasSize(4);
    }

    @Test
    void shouldRejectAnErrandOfNoCommand() {
        // when
        for (String id : List.of("", " ", BIG_NAME, "a\nb")) {
            send(fixture.records.bytes(new Errand(id, Step.FOLLOW, 0, "{\"sourceOffset\":5}")));
        }

        // then
        assertThat(fixture.observer.rejected)
                .containsOnly(RejectReason.BAD_COMMAND)
                .hasSize(4);
        assertCommandsGoOn();
    }

    /** An answer about another stream of another partition would let a child go whose parent is open. */
    @Test
    @Tag("M-6")
    void shouldNotAnswerForAStreamOfAnotherPartition() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(4);
        String parent = partitions.nameIn(1, "parent");
        partitions.event(event(parent, "a").status("pending"));
        String body = "{\"stream\":\"" + parent + "\",\"child\":\"kid\",\"parent\":\"" + parent
                + "\",\"partition\":2,\"visited\":[\"kid\"]}";
        TaskFixture wrong = partitions.tasks.get(0);

        // when
        wrong.process(
                "ebb.commands", bytes("c"), partitions.records().bytes(new Errand("c", Step.ASK_PARENT, 2, body)));

        // then
        assertThat(wrong.observer.rejected).containsExactly(RejectReason.BAD_COMMAND);
        assertThat(wrong.commands()).isEmpty();
    }

    /** Counts of another kind cannot be added up; the task must not stop at them, nor the command call them its own. */
    @Test
    @Tag("O-11")
    void shouldRefuseACommandOfWhichAPartitionAnswersAnother() {
        // given
        PartitionsFixture partitions = new PartitionsFixture(2);
        partitions.event(event(partitions.nameIn(0, "a"), "a"));
        partitions.send(request("c", sweep(Scope.ALL)), 0);
        partitions.tick();
        TaskFixture lead = partitions.tasks.get(0);
        String body = "{\"outcome\":{\"kind\":\"dropped\",\"streams\":1,\"records\":1},\"detail\":\"\"}";

        // when
        lead.process("ebb.commands", bytes("c"), partitions.records().bytes(new Errand("c", Step.SWEPT, 1, body)));
        CommandResult result = partitions.finish("c");

        // then
        assertThat(result.state()).isEqualTo(CommandResult.State.REFUSED);
        assertThat(result.refusal()).isEqualTo(Refusal.FAILED);
        assertThat(result.detail()).endsWith("has answered another command");
        assertThat(lead.observer.failedRecords).isEmpty();
    }

    /** Else the command would end while another partition is still at work, and count the one twice and the other never. */
    @Test
    @Tag("O-11")
    void shouldCountTheAnswerOfAPartitionOnce() {
        // given a partition that is done soon and one that is not
        PartitionsFixture partitions = new PartitionsFixture(2, TopologyFixture.settings(OptionalLong.of(1), 10));
        for (int i = 0; i < 100; i++) {
            partitions.event(event(partitions.nameIn(1, "long"), "e" + i));
        }
        partitions.event(event(partitions.nameIn(0, "short"), "a"));
        partitions.event(event(partitions.nameIn(0, "short"), "b"));
        partitions.send(request("c", pruneBulk(all(10), 1L, null)), 0);

        // when
        TaskFixture first = partitions.tasks.get(0);
        byte[] answer = null;
        for (int i = 0; i < 100 && answer == null; i++) {
            partitions.tick();
            answer = first.commands().stream()
                    .map(Record::value)
                    .filter(value -> partitions.records().object(value) instanceof Errand errand
                            && errand.step() == Step.CARRIED_OUT)
                    .findFirst()
                    .orElse(null);
        }
        assertThat(partitions.results("c")).noneMatch(CommandResult::isFinal);
        first.process("ebb.commands", bytes("c"), answer);

        // then
        assertThat(partitions.finish("c").outcome().deletions().eventsDeleted()).isEqualTo(1 + 99);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void strangeAnswers(Object answer, RejectReason reason) {
        // when
        fixture.pipe(TOPICS.assessments(), bytes("c"), fixture.records.bytes(answer), new RecordHeaders(), 0);
        fixture.advance(1000);

        // then
        assertThat(fixture.observer.rejected).containsExactly(reason);
        assertThat(EbbHeaders.text(fixture.rejected.get(0).headers(), EbbHeaders.REJECTED_TOPIC))
                .isEqualTo(TOPICS.assessments());
        assertCommandsGoOn();
    }

    static Stream<Arguments> answers() {
        Stream<Arguments> bodies = Stream.of(
                        "",
                        "{}",
                        "garbage",
                        "null",
                        "{\"wouldDelete\":-1,\"isAtLeast\":false,\"stored\":5}",
                        "{\"wouldDelete\":1,\"isAtLeast\":\"no\",\"stored\":5}",
                        "{\"wouldDelete\":1,\"stored\":5}",
                        "{\"wouldDelete\":1e30,\"isAtLeast\":false,\"stored\":5}")
                .map(body -> arguments(new Errand("c", Step.ASSESSED, 0, body), RejectReason.BAD_COMMAND));
        String good = "{\"wouldDelete\":1,\"isAtLeast\":false,\"stored\":5}";
        return Stream.concat(
                bodies,
                Stream.of(
                        arguments(new Errand("c", Step.ASSESSED, 1, good), RejectReason.BAD_COMMAND),
                        arguments(new Errand("c", Step.ASSESSED, -1, good), RejectReason.BAD_COMMAND),
                        arguments(new Errand("c", Step.FOLLOW, 0, "{\"sourceOffset\":5}"), RejectReason.BAD_COMMAND),
                        arguments(request("c", delete("closed")), RejectReason.WRONG_TYPE),
                        arguments(
                                new DecodedCommand.Bad("", "", new Rejection(RejectReason.UNDECODABLE, "no")),
                                RejectReason.UNDECODABLE)));
    }

    @Test
    void shouldTellTheSenderOfABadCommandOnlyUnderAnIdThatCanBeOne() {
        // given
        Rejection rejection = new Rejection(RejectReason.BAD_COMMAND, "no verb");

        // when
        for (String id : List.of("", BIG_NAME, "x".repeat(900_000), "a\nb", "good")) {
            send(fixture.records.bytes(new DecodedCommand.Bad(id, "v".repeat(900_000), rejection)));
        }

        // then
        assertThat(fixture.observer.rejected)
                .containsOnly(RejectReason.BAD_COMMAND)
                .hasSize(4);
        assertThat(fixture.results).singleElement().satisfies(result -> {
            assertThat(result.commandId()).isEqualTo("good");
            assertThat(result.verb()).hasSizeLessThan(100);
        });
    }

    /** Its result would stand in place of what the partition has confirmed, and a hold would count as confirmed, or never. */
    @Test
    @Tag("M-18")
    void shouldTakeNoCommandUnderTheNameOfAConfirmationOfHolds() {
        // given
        String id = HoldConfirmations.idOf(0);
        fixture.hold("case", Scope.stream("closed"));
        fixture.settle();
        CommandResult confirmed = fixture.result(id);
        assertThat(confirmed).isNotNull();

        // when
        send(fixture.records.bytes(request(id, prune("closed", 5L, null))));
        send(fixture.records.bytes(
                new DecodedCommand.Bad(id, "prune", new Rejection(RejectReason.BAD_COMMAND, "no verb"))));
        fixture.settle();

        // then
        assertThat(fixture.result(id)).isEqualTo(confirmed);
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.BAD_COMMAND, RejectReason.BAD_COMMAND);
    }

    private void send(byte[] value) {
        fixture.pipe(TOPICS.commands(), bytes("c"), value, new RecordHeaders(), fixture.nowMs());
    }

    private Map<Bytes, byte[]> state() {
        Map<Bytes, byte[]> state = new TreeMap<>();
        for (var store : List.of(fixture.rawEvents(), fixture.rawUsage())) {
            try (var entries = store.all()) {
                entries.forEachRemaining(entry -> state.put(entry.key, entry.value));
            }
        }
        return state;
    }

    private void assertNothingChanged(Map<Bytes, byte[]> before) {
        fixture.advance(100);
        Map<Bytes, byte[]> after = state();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        after.forEach((key, value) -> assertThat(value).isEqualTo(before.get(key)));
        assertThat(fixture.results).isEmpty();
    }

    private void assertCommandsGoOn() {
        CommandResult pruned = fixture.carryOut(request("next", prune("closed", 1L, null)));
        assertThat(pruned.state()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.ids("closed")).containsExactly("b");
        fixture.execution(execution("kid", 1, "completed"));
        assertThat(fixture.carryOut(request("kid", delete("kid"))).state()).isEqualTo(CommandResult.State.DONE);
        assertThat(fixture.ids("open")).containsExactly("a");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
