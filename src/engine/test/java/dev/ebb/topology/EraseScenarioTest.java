package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.CommandFixture.delete;
import static dev.ebb.topology.CommandFixture.dryRun;
import static dev.ebb.topology.CommandFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.erase.EraseCondition;
import dev.ebb.domain.erase.Place;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.model.EventBuilder;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.observe.Copies.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Erasure of all events that match, wherever they are. */
@Tag("T-10")
class EraseScenarioTest {

    private TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("EraseFindsAll")
    void eraseFindsAll() {
        // given events in each of the four parts of the store, of several streams and executions
        fixture.policy(RetentionPolicy.of(Scope.namespace("log"))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build());
        fixture.event(of42("orders/1", "plain"));
        fixture.event(of42("orders/2", "timed").ttlSeconds(1000));
        fixture.event(of42("log/1", "endless").ttl(OwnTtl.INFINITE));
        fixture.event(of42("log/1", "pinned").status("running"));
        fixture.event(of42("jobs/1", "generation").execution(3));
        fixture.event(event("orders/1", "other").metadata(Map.of("user", "421")));
        fixture.event(event("orders/1", "none"));
        fixture.event(event("orders/1", "elsewhere").metadata(Map.of("customer", "42")));

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, true, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.counts().eventsDeleted()).isEqualTo(5);
        assertThat(result.counts().protectedEventsDeleted()).isEqualTo(2);
        assertThat(result.counts().streamsProcessed()).isEqualTo(4);
        assertThat(fixture.stored().stream().map(stored -> stored.event().id().value()))
                .containsExactlyInAnyOrder("other", "none", "elsewhere");
        assertThat(fixture.mirror).hasSize(3);
        assertThat(fixture.audits)
                .allSatisfy(audit -> {
                    assertThat(audit.cause()).isEqualTo("ERASE");
                    assertThat(audit.commandId()).isEqualTo("c-1");
                    assertThat(audit.reason()).isEqualTo("clean-up");
                })
                .flatExtracting(AuditRecord::eventIds)
                .containsExactlyInAnyOrder("plain", "timed", "endless", "pinned", "generation");
    }

    @Test
    void shouldTakeEventsThatMeetAllConditionsAndNoOthers() {
        // given
        fixture.event(of42("orders/1", "both").type("order").correlationId("c/9"));
        fixture.event(of42("orders/1", "oneOnly").type("order"));
        fixture.event(event("orders/1", "otherOnly").type("order").correlationId("c/9"));
        fixture.event(of42("bills/1", "elsewhere").type("order").correlationId("c/9"));

        // when
        Command erase = erase("orders", false, "metadata.user=42", "correlationId=c/9", "type=order");
        CommandResult dry = fixture.carryOut(dryRun("c-1", erase));
        List<String> afterDryRun = fixture.ids("orders/1");
        CommandResult result = fixture.carryOut(request("c-2", erase));

        // then
        assertThat(afterDryRun).contains("both");
        assertThat(dry.counts()).isEqualTo(result.counts());
        assertThat(result.counts().eventsDeleted()).isEqualTo(1);
        assertThat(fixture.ids("orders/1")).containsExactly("oneOnly", "otherOnly");
        assertThat(fixture.ids("bills/1")).containsExactly("elsewhere");
    }

    @Test
    @DisplayName("EraseSparesHeld")
    @Tag("M-18")
    void eraseSparesHeld() {
        // given
        archiveAll();
        fixture.event(of42("orders/1", "held"));
        fixture.event(of42("orders/1", "archivedThenHeld"));
        fixture.event(of42("orders/2", "busy").status("running"));
        fixture.event(of42("orders/3", "free"));
        fixture.carryOut(request("c-0", CommandFixture.deleteEvent("orders/1", "archivedThenHeld", false)));
        fixture.hold("LIT-1", Scope.stream("orders/1"));

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.counts().eventsDeleted()).isEqualTo(1);
        assertThat(result.counts().streamsSkipped()).isEqualTo(Map.of(Refusal.HELD, 1L, Refusal.PROTECTED, 1L));
        assertThat(result.detail()).contains("3 stay: held by [LIT-1]").contains("1 stay: protected");
        assertThat(fixture.ids("orders/1")).containsExactly("held");
        assertThat(fixture.ids("orders/2")).containsExactly("busy");
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactly("archivedThenHeld");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactly("archivedThenHeld");

        // when force does not help
        CommandResult forced = fixture.carryOut(request("c-2", erase(null, true, "metadata.user=42")));

        // then
        assertThat(forced.counts().streamsSkipped()).isEqualTo(Map.of(Refusal.HELD, 1L));
        assertThat(fixture.ids("orders/1")).containsExactly("held");
        assertThat(fixture.ids("orders/2")).isEmpty();
    }

    @Test
    @DisplayName("EraseReachesTrashAndArchive")
    void eraseReachesTrashAndArchive() {
        // given events that went before, each with a copy
        archiveAll();
        fixture.event(of42("orders/1", "deleted"));
        fixture.event(of42("orders/2", "expired").ttlSeconds(10));
        fixture.event(event("orders/1", "other").metadata(Map.of("user", "7")));
        fixture.event(of42("orders/3", "stored"));
        fixture.carryOut(request("c-0", delete("orders/1")));
        fixture.emptyOut();
        fixture.advance(20_000);
        fixture.settle();
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactlyInAnyOrder("deleted", "other", "expired");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactlyInAnyOrder("deleted", "other");

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(fixture.copies.ids(Kind.ARCHIVE)).containsExactly("other");
        assertThat(fixture.copies.ids(Kind.TRASH)).containsExactly("other");
        assertThat(fixture.stored()).isEmpty();
        assertThat(fixture.archived).hasSize(3);
        assertThat(result.counts().eventsDeleted()).isEqualTo(1);
        assertThat(result.detail()).isEqualTo("3 copies of events that had gone before went as well");
    }

    @Test
    @DisplayName("EraseListsWhereItCouldStillBe")
    @Tag("T-11")
    void eraseListsWhereItCouldStillBe() {
        // given
        fixture.event(of42("orders/1", "a"));
        fixture.event(of42("orders/2", "held"));
        fixture.hold("LIT-1", Scope.stream("orders/2"));

        // when
        fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(fixture.erasures).singleElement().satisfies(audit -> {
            assertThat(audit.scope()).isEqualTo("erase:GDPR-7");
            assertThat(audit.commandId()).isEqualTo("c-1");
            assertThat(audit.policy()).doesNotContain("42\"");
            EraseCase account = JsonState.read(Objects.requireNonNull(audit.policy()), EraseCase.class);
            assertThat(account.fields()).containsExactly("metadata.user");
            assertThat(account.events()).isEqualTo(1);
            assertThat(account.left()).isEqualTo(Map.of("HELD", 1L));
            assertThat(account.places())
                    .containsExactly(new Place("ebb.events", "whole events", account.finishedMs() + 5, "s=5"));
        });

        // and its proof is a leaf of the tree like the deletes
        fixture.settleFor(3);
        assertThat(fixture.deletes.again()).isNull();
    }

    /** For builds that are wrong on purpose. */
    static void play() {
        List.<Consumer<EraseScenarioTest>>of(
                        EraseScenarioTest::eraseFindsAll,
                        EraseScenarioTest::eraseSparesHeld,
                        EraseScenarioTest::eraseReachesTrashAndArchive,
                        EraseScenarioTest::shouldEraseWhatArrivesWhileItRuns)
                .forEach(scenario -> {
                    EraseScenarioTest test = new EraseScenarioTest();
                    scenario.accept(test);
                    test.close();
                });
    }

    @Test
    void shouldSayThatCopiesCannotBeRead() {
        // given
        fixture.event(of42("orders/1", "a"));
        fixture.copies.problem = "the archive cannot be read: no rights";

        // when
        CommandResult result = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(result.state()).isEqualTo(State.REFUSED);
        assertThat(result.refusal()).isEqualTo(Refusal.NOT_READY);
        assertThat(result.detail()).contains("no rights");
        assertThat(result.counts().eventsDeleted()).isEqualTo(1);
    }

    @Test
    void shouldEraseWhatArrivesWhileItRuns() {
        // given more than fits into one slice
        restartWithBatchesOf(2);
        fixture.event(of42("orders/0", "first"));
        fixture.event(event("orders/0", "other"));
        for (int i = 0; i < 10; i++) {
            fixture.event(of42("orders/1", "e" + i));
        }
        fixture.send(request("c-1", erase(null, true, "metadata.user=42")));
        for (int i = 0; i < 100 && fixture.stored().size() == 12; i++) {
            fixture.advance(100);
        }
        assertThat(fixture.ids("orders/0")).containsExactly("other");
        assertThat(fixture.result("c-1")).isNull();

        // when one arrives in a part that has been read, and one moves to another part of the store
        fixture.event(of42("orders/0", "late"));
        fixture.status("orders/1", "e9", "running");
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.stored()).hasSize(1);
        assertThat(result.counts().eventsDeleted()).isEqualTo(12);
    }

    @Test
    void shouldLeaveAnEventThatDoesNotMatchAnyMoreWhenItsTurnComes() {
        // given
        restartWithBatchesOf(1);
        fixture.event(of42("orders/1", "a"));
        fixture.event(of42("orders/1", "b"));
        fixture.send(request("c-1", erase(null, false, "metadata.user=42")));
        fixture.advance(100);
        List<String> left = fixture.ids("orders/1");

        // when the other one is anonymized meanwhile
        left.forEach(id -> fixture.event(event("orders/1", id).metadata(Map.of())));
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(fixture.ids("orders/1")).isEqualTo(left);
        assertThat(result.counts().eventsDeleted()).isEqualTo(2 - left.size());
    }

    @Test
    @DisplayName("EraseSurvivesKill")
    @Tag("O-11")
    void eraseSurvivesKill() {
        // given
        restartWithBatchesOf(3);
        for (int i = 0; i < 30; i++) {
            fixture.event(of42("orders/" + i % 3, "e" + i));
            fixture.event(event("orders/" + i % 3, "other" + i));
        }
        fixture.send(request("c-1", erase(null, false, "metadata.user=42")));

        // when it is killed again and again
        for (int kill = 0; kill < 3; kill++) {
            int before = fixture.stored().size();
            for (int i = 0; i < 100 && fixture.stored().size() == before; i++) {
                fixture.advance(100);
            }
            fixture.restart();
        }
        int left = fixture.stored().size();
        CommandResult result = fixture.finish("c-1");

        // then
        assertThat(left).isBetween(31, 59);
        assertThat(result.state()).isEqualTo(State.DONE);
        assertThat(result.counts().eventsDeleted()).isEqualTo(30);
        assertThat(fixture.stored())
                .hasSize(30)
                .allMatch(stored -> stored.event().metadata().isEmpty());
        assertThat(fixture.audits)
                .flatExtracting(AuditRecord::eventIds)
                .hasSize(30)
                .doesNotHaveDuplicates();

        // when it is sent again
        CommandResult again = fixture.carryOut(request("c-1", erase(null, false, "metadata.user=42")));

        // then
        assertThat(again.counts()).isEqualTo(result.counts());
    }

    private void restartWithBatchesOf(int deletes) {
        fixture.restart(TopologyFixture.settings(OptionalLong.of(1), deletes));
    }

    private void archiveAll() {
        fixture.policy(
                RetentionPolicy.of(Scope.ALL).set(PolicyField.ARCHIVE, true).build());
    }

    private static EventBuilder of42(String stream, String id) {
        byte[] payload = "secret of 42".getBytes(StandardCharsets.UTF_8);
        return event(stream, id).metadata(Map.of("user", "42", "agent", "web")).payload(payload);
    }

    static Command erase(@Nullable String namespace, boolean isForced, String... where) {
        List<EraseCondition> conditions =
                Arrays.stream(where).map(EraseCondition::parse).toList();
        return new Command.EraseEvents(conditions, namespace, "GDPR-7", isForced);
    }
}
