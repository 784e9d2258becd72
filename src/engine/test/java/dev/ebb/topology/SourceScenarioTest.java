package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.EventBuilder;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.source.SourceGone;
import dev.ebb.topology.source.SourceMark;
import dev.ebb.topology.source.SourceTargets;
import dev.ebb.topology.wire.ErrandBodies.SourceReset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Deletes of events that came from the topic of another application, and events that their source takes back. */
class SourceScenarioTest {

    private static final String STREAM = "orders/eva";
    private static final String TOPIC = "shop.orders";

    private final TopologyFixture fixture = TopologyFixture.inMemory();
    private Source source;

    @BeforeEach
    void begin() {
        fixture.sources.accept("source:orders", """
                {"name": "orders", "topic": "shop.orders", "as": "table", "stream": "orders/{value.customer}",
                 "target": {"tombstones": "same"}}
                """.getBytes(UTF_8), 7);
        source = fixture.sources.current().get("orders").source();
        target(SourceTargets.State.READY);
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(60_000)).build());
    }

    @AfterEach
    void end() {
        fixture.close();
    }

    /** The key comes back byte for byte, in its partition, with the reason. */
    @Test
    @Tag("F-6")
    void shouldDeleteTheRowInTheTransactionOfTheDelete() {
        // given
        byte[] key = {0, -1, 47, 127};
        fixture.event(of(key, 12));
        fixture.event(event(STREAM, "of nobody"));

        // when
        fixture.advance(70_000);

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        TestRecord<byte[], byte[]> tombstone = tombstones().get(0);
        assertThat(tombstone.key()).isEqualTo(key);
        assertThat(tombstone.value()).isNull();
        assertThat(headers(tombstone))
                .containsEntry("ebb-cause", "MAX_AGE")
                .containsEntry("ebb-scope", "*")
                .containsEntry("ebb-judged", "12")
                .containsKeys("ebb-policy-version", "ebb-id");
        assertThat(tombstones()).isEmpty();
    }

    @Test
    @Tag("F-6")
    void shouldDeleteTheRowByCommand() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));

        // when
        fixture.carryOut(CommandFixture.request("c-1", CommandFixture.delete(STREAM)));

        // then
        assertThat(headers(tombstones().get(0)))
                .containsEntry("ebb-cause", "DELETE")
                .containsEntry("ebb-scope", STREAM)
                .containsEntry("ebb-id", "c-1")
                .containsEntry("ebb-judged", "3");
    }

    /** A topic made anew has other records under the same keys and offsets. */
    @Test
    @Tag("F-11")
    void shouldLeaveATopicAloneThatWasMadeAnew() {
        fixture.event(event(STREAM, "old")
                .metadata(Map.of(SourcePlace.METADATA, new SourcePlace("orders", "other", 0, 1, new byte[1]).text())));
        fixture.advance(70_000);
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(tombstones()).isEmpty();
    }

    /** A newer version may be on its way, and a tombstone would hide it. */
    @Test
    @Tag("F-7")
    void shouldNotSweepWhileItsSourceIsBehind() {
        // given
        target(SourceTargets.State.BEHIND);
        fixture.event(of("k".getBytes(UTF_8), 3));
        fixture.event(event("invoices/1", "of nobody"));

        // when
        fixture.advance(70_000);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("k");
        assertThat(fixture.ids("invoices/1")).isEmpty();
        assertThat(tombstones()).isEmpty();

        // when
        target(SourceTargets.State.READY);
        fixture.advance(70_000);

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(tombstones()).hasSize(1);
    }

    @Test
    @Tag("F-4")
    void shouldTakeOutARowThatItsOwnerDeletedAndSendNoTombstoneBack() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));

        // when
        gone("k", 4, "orders");

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.audits).singleElement().satisfies(audit -> {
            assertThat(audit.cause()).isEqualTo("SOURCE_DELETED");
            assertThat(audit.reason()).isEqualTo("source orders has no such row any more");
        });
        assertThat(tombstones()).isEmpty();
    }

    @Test
    @Tag("F-4")
    void shouldTakeOutNeitherANewerVersionNorTheEventOfAnother() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 5));
        fixture.event(event(STREAM, "plain"));

        // when
        gone("k", 4, "orders");
        gone("k", 9, "invoices");
        gone("plain", 9, "orders");
        gone("unknown", 9, "orders");

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("k", "plain");
        assertThat(fixture.rejected).isEmpty();
    }

    /** The text of one key may be the id of another, which is no text. */
    @Test
    @Tag("F-4")
    void shouldNotTakeOutTheRowOfAnotherKeyWithTheSameId() {
        // given
        byte[] key = {-19, -96, -128};
        fixture.event(event(STREAM, "7aCA")
                .metadata(Map.of(SourcePlace.METADATA, place("orders", 5, key).text())));

        // when
        gone("7aCA", 9, "orders");

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("7aCA");
        assertThat(fixture.rejected).isEmpty();
    }

    @Test
    @Tag("F-4")
    void shouldKeepAHeldEventThatItsOwnerDeleted() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));
        fixture.hold("case-1", Scope.ALL);

        // when
        gone("k", 4, "orders");

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("k");
        assertThat(fixture.whyRejected()).contains("HELD").contains("the event that it would remove is held");
    }

    /** The bytes of the row are nowhere else, so the trash keeps no event that could come back without them. */
    @Test
    @Tag("F-9")
    void shouldBringBackNoReferenceWhoseRowIsGone() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));
        fixture.event(event("invoices/1", "of nobody"));
        fixture.carryOut(CommandFixture.request("c-1", CommandFixture.purge(CommandFixture.all(10))));
        assertThat(tombstones()).hasSize(1);

        // when
        undo();

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(fixture.ids("invoices/1")).containsExactly("of nobody");
        assertThat(tombstones()).isEmpty();
    }

    @Test
    @Tag("F-9")
    void shouldSendTheRowAgainUnderItsKeyWhenAnUndoBringsItBack() {
        // given
        keepPayload();
        byte[] key = {0, -1, 47, 127};
        fixture.event(of(key, 12).payload("the row".getBytes(UTF_8)));
        fixture.carryOut(CommandFixture.request("c-1", CommandFixture.delete(STREAM)));
        assertThat(tombstones()).hasSize(1);

        // when a newer version may be on its way
        target(SourceTargets.State.BEHIND);
        undo();

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(tombstones()).isEmpty();

        // when
        target(SourceTargets.State.READY);
        undo();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("id");
        TestRecord<byte[], byte[]> row = tombstones().get(0);
        assertThat(row.key()).isEqualTo(key);
        assertThat(row.value()).isEqualTo("the row".getBytes(UTF_8));
        assertThat(headers(row)).containsEntry("ebb-returned", "12").doesNotContainKey("ebb-cause");
    }

    /** Its row has never gone. */
    @Test
    @Tag("F-9")
    void shouldBringBackAReferenceThatWasDeletedWithoutATarget() {
        // given
        fixture.sources.targets().replace(List.of());
        fixture.event(of("k".getBytes(UTF_8), 3));
        fixture.carryOut(CommandFixture.request("c-1", CommandFixture.delete(STREAM)));

        // when
        undo();

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("k");
        assertThat(tombstones()).isEmpty();
    }

    private int undos;

    private void undo() {
        UndoFilter filter = new UndoFilter("c-1", null, null, null, null, null, null, null);
        fixture.carryOut(CommandFixture.request("u-" + undos++, new Command.UndoDeletes(filter, null)));
    }

    private void keepPayload() {
        fixture.sources.accept("source:orders", """
                {"name": "orders", "topic": "shop.orders", "as": "table", "stream": "orders/{value.customer}",
                 "keep": "payload", "target": {"tombstones": "same"}}
                """.getBytes(UTF_8), 8);
        source = fixture.sources.current().get("orders").source();
        target(SourceTargets.State.READY);
    }

    /** Commands act when Kafka has answered where tombstones go. */
    @Test
    @Tag("F-6")
    void shouldLetCommandsWaitUntilTheTargetIsKnown() {
        // given
        target(SourceTargets.State.UNKNOWN);
        fixture.event(of("k".getBytes(UTF_8), 3));

        // when
        fixture.send(CommandFixture.request("c-1", CommandFixture.delete(STREAM)));
        fixture.advance(5_000);

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("k");

        // when
        target(SourceTargets.State.READY);
        fixture.advance(5_000);

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(tombstones()).hasSize(1);
    }

    /** Its records stay on the topic, so the delete can be undone even if no bytes of them are kept here. */
    @Test
    @Tag("F-10")
    void shouldDeleteTheEventsOfASourceAloneAndSendNoTombstone() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));
        fixture.event(event(STREAM, "other")
                .metadata(Map.of(
                        SourcePlace.METADATA, place("orders-2", 1, new byte[1]).text())));
        fixture.event(event("invoices/1", "of nobody"));

        // when
        CommandResult dry = fixture.carryOut(empty("d-1", false, true));
        CommandResult done = fixture.carryOut(empty("c-1", false, false));

        // then
        assertThat(dry.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(done.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(fixture.ids(STREAM)).containsExactly("other");
        assertThat(fixture.ids("invoices/1")).containsExactly("of nobody");
        assertThat(fixture.audits)
                .filteredOn(audit -> audit.cause() != null)
                .singleElement()
                .satisfies(audit -> {
                    assertThat(audit.cause()).isEqualTo("EMPTY_SOURCE");
                    assertThat(audit.commandId()).isEqualTo("c-1");
                });
        assertThat(tombstones()).isEmpty();

        // when
        fixture.sources.accept("source:orders", null, 9);
        undo();

        // then
        assertThat(fixture.ids(STREAM)).containsExactlyInAnyOrder("k", "other");
        assertThat(tombstones()).isEmpty();
    }

    @Test
    @Tag("F-10")
    void shouldDeleteTheRowsOfASourceOnlyIfAsked() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));

        // when
        fixture.carryOut(empty("c-1", true, false));

        // then
        assertThat(fixture.ids(STREAM)).isEmpty();
        assertThat(headers(tombstones().get(0)))
                .containsEntry("ebb-cause", "DELETE")
                .containsEntry("ebb-id", "c-1")
                .containsEntry("ebb-judged", "3");
    }

    @Test
    @Tag("F-10")
    void shouldKeepWhatIsHeldOrProtectedWhenASourceGoes() {
        // given
        fixture.event(of("a".getBytes(UTF_8), 1));
        fixture.event(of("b".getBytes(UTF_8), 2).status("running"));
        fixture.event(event("orders/held", "c")
                .metadata(Map.of(
                        SourcePlace.METADATA, place("orders", 3, new byte[1]).text())));
        fixture.hold("case-1", Scope.stream("orders/held"));

        // when
        CommandResult done = fixture.carryOut(empty("c-1", true, false));

        // then
        assertThat(fixture.ids(STREAM)).containsExactly("b");
        assertThat(fixture.ids("orders/held")).containsExactly("c");
        assertThat(done.outcome().deletions().streamsSkipped())
                .isEqualTo(Map.of(Refusal.PROTECTED, 1L, Refusal.HELD, 1L));
        assertThat(tombstones()).hasSize(1);
    }

    /** Its next record would be an event again. */
    @Test
    @Tag("F-10")
    void shouldNotEmptyASourceThatIsRead() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));
        String declaration = """
                {"name": "orders", "topic": "shop.orders", "as": "table", "stream": "orders/{value.customer}"%s}""";
        fixture.policy("source:orders", declaration.formatted("").getBytes(UTF_8), new RecordHeaders());
        fixture.settle();

        // when
        CommandResult early = fixture.carryOut(empty("c-1", false, false));
        CommandResult dry = fixture.carryOut(empty("d-1", false, true));
        fixture.policy(
                "source:orders", declaration.formatted(", \"paused\": true").getBytes(UTF_8), new RecordHeaders());
        fixture.settle();
        CommandResult later = fixture.carryOut(empty("c-2", false, false));

        // then
        assertThat(early.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(early.detail()).contains("pause it first");
        assertThat(dry.outcome().deletions().eventsDeleted()).isEqualTo(1);
        assertThat(later.refusal()).as(later.detail()).isNull();
        assertThat(fixture.ids(STREAM)).isEmpty();
    }

    /** The brake counts it, unless a number is named; one less is too few. */
    @Test
    @Tag("T-15")
    void shouldRefuseToEmptyASourceOfMoreEventsThanTheNumberThatWasNamed() {
        // given
        fixture.event(of("a".getBytes(UTF_8), 1));
        fixture.event(of("b".getBytes(UTF_8), 2));

        // when
        CommandResult few = fixture.carryOut(
                new CommandRequest("c-1", "eva", "over", false, 1L, new Command.EmptySource("orders", false, false)));
        CommandResult enough = fixture.carryOut(
                new CommandRequest("c-2", "eva", "over", false, 2L, new Command.EmptySource("orders", false, false)));

        // then
        assertThat(few.refusal()).isEqualTo(Refusal.TOO_MANY);
        assertThat(enough.outcome().deletions().eventsDeleted()).isEqualTo(2);
    }

    private static CommandRequest empty(String id, boolean hasTombstones, boolean isDryRun) {
        return new CommandRequest(
                id, "eva", "over", isDryRun, null, new Command.EmptySource("orders", hasTombstones, false));
    }

    private void target(SourceTargets.State state) {
        fixture.sources.targets().replace(List.of(new SourceTargets.Target(source, TOPIC, "id-1", state)));
    }

    private EventBuilder of(byte[] key, long offset) {
        String id = key.length == 1 ? new String(key, UTF_8) : "id";
        return event(STREAM, id)
                .metadata(Map.of(
                        SourcePlace.METADATA, place("orders", offset, key).text()));
    }

    private static SourcePlace place(String name, long offset, byte[] key) {
        return new SourcePlace(name, "id-1", 0, offset, key);
    }

    private void gone(String id, long offset, String by) {
        SourceGone gone =
                new SourceGone(new StreamName(STREAM), new EventId(id), place(by, offset, id.getBytes(UTF_8)), false);
        fixture.send(gone.key(), null, fixture.nowMs(), gone.headers());
    }

    /** A reset is a word of the audit: it names person, reason and places, and deletes nothing by itself. */
    @Test
    @Tag("F-10")
    void shouldExplainAResetAndDeleteNothing() {
        // given
        fixture.event(of("k".getBytes(UTF_8), 3));
        SourceReset reset = new SourceReset("orders", "earliest", "partition 0 from 9 to 0", "eva", "new mapping");
        Errand errand = new Errand("reset-1", Errand.Step.SOURCE_RESET, 0, JsonState.write(reset));

        // when
        fixture.pipe(
                TopologyFixture.TOPICS.assessments(),
                SourceMark.KEY,
                fixture.records.errand(errand),
                new RecordHeaders(),
                fixture.nowMs());
        fixture.settle();

        // then
        assertThat(fixture.policyChanges)
                .filteredOn(audit -> audit.action().equals(AuditRecord.SOURCE_RESET))
                .singleElement()
                .satisfies(audit -> {
                    assertThat(audit.scope()).isEqualTo("source:orders");
                    assertThat(audit.actor()).isEqualTo("eva");
                    assertThat(audit.reason()).isEqualTo("read from earliest: partition 0 from 9 to 0; new mapping");
                    assertThat(audit.cause()).as("no event goes").isNull();
                    assertThat(audit.eventIds()).isEmpty();
                });
        assertThat(fixture.audits).as("deletes").isEmpty();
        assertThat(fixture.ids(STREAM)).containsExactly("k");
        assertThat(tombstones()).isEmpty();
    }

    private List<TestRecord<byte[], byte[]>> tombstones() {
        return fixture.drain(TOPIC);
    }

    private static Map<String, String> headers(TestRecord<byte[], byte[]> record) {
        return StreamSupport.stream(record.headers().spliterator(), false)
                .collect(Collectors.toMap(header -> header.key(), header -> new String(header.value(), UTF_8)));
    }
}
