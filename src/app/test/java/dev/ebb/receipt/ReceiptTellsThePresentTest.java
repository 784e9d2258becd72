package dev.ebb.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.ReceiptQueries.Part;
import dev.ebb.port.history.TimeRange;
import dev.ebb.receipt.ReceiptView.SubjectView;
import dev.ebb.wire.WireJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the verifier says of returns, of what is left out, and of receipts that contradict themselves. */
@Tag("T-17")
class ReceiptTellsThePresentTest {

    private static final long UNTIL_MS = WrittenAudit.T0 + 86_400_000;
    private static final Origin COMMAND = Origin.ofCommand("c-1", "anna", "why", "0/7");
    private static final Origin UNDO = Origin.ofCommand("u-1", "eva", "mistake", "0/9");

    @TempDir
    private static Path classes;

    @TempDir
    private Path folder;

    private final SigningKey.Pair key = SigningKey.generate("ebb");
    private final WrittenAudit written = new WrittenAudit();

    @BeforeAll
    static void compile() {
        String source = Path.of("docs", "receipts", "VerifyReceipt.java").toString();
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes.toString(), source);
        assertThat(failed).isZero();
    }

    @BeforeEach
    void sign() throws Exception {
        written.signer = key.signing();
        Files.writeString(folder.resolve("key.pub"), key.verifying() + "\n");
    }

    private WrittenAudit delete(String stream, int... ids) {
        return written.add(deleteBy(COMMAND, stream, ids).undoableUntil(UNTIL_MS));
    }

    private static AuditRecord deleteBy(Origin origin, String stream, int... ids) {
        return new AuditRecord(
                "d-" + stream,
                origin,
                new StreamName(stream),
                RemovalCause.PURGE,
                "command",
                7,
                names(ids),
                100,
                1,
                2,
                WrittenAudit.T0);
    }

    private WrittenAudit bringBack(String stream, int... ids) {
        return written.add(AuditRecord.ofRestore(
                "r-" + stream, UNDO, "c-1", new StreamName(stream), names(ids), 100, 1, 2, WrittenAudit.T0 + 5));
    }

    private static List<String> names(int... ids) {
        return IntStream.of(ids).mapToObj(id -> "e-" + id).toList();
    }

    private WrittenAudit end(Origin origin, Long total) {
        String undoes = origin == UNDO ? "c-1" : null;
        String auditId = origin.commandId() + "-" + origin.commandRecord().replace('/', '-') + "-done";
        return written.add(AuditRecord.ofEnd(auditId, origin, undoes, total, WrittenAudit.T0 + 9));
    }

    @Nested
    final class ReceiptTellsOfTheReturn {

        @Test
        void shouldSayThatTheEventsAreBack() throws Exception {
            delete("a", 1, 2, 3);
            end(COMMAND, 3L);
            bringBack("a", 1, 2, 3);
            end(UNDO, 3L).close();

            Run run = verify(command("c-1"));

            assertThat(run.exitCode).as(run.out).isZero();
            assertThat(run.out)
                    .contains("VERIFIED: 4 audit records by 1 checkpoint: 3 events deleted, 3 returned")
                    .contains("BACK: 3 of these events came back after the deletion")
                    .contains("undoes: c-1", "no delete is left out of 3 events of the command c-1 at 0/7")
                    .doesNotContain("6 event");
        }

        @Test
        void shouldSayHowManyOfThemAreBack() throws Exception {
            delete("a", 1, 2, 3);
            bringBack("a", 2);
            end(COMMAND, 3L).close();

            assertThat(verify(command("c-1")).out).contains("3 events deleted, 1 returned", "BACK: 1 of these events");
        }

        @Test
        void shouldSayUntilWhenTheDeletesCanBeUndone() throws Exception {
            delete("a", 1);
            end(COMMAND, 1L).close();

            assertThat(verify(command("c-1")).out)
                    .contains("undoUntil: 2026-11-22T10:00:00Z")
                    .contains("UNDO: deletes could be undone until 2026-11-22T10:00:00Z")
                    .doesNotContain("BACK");
        }

        @Test
        void shouldCountAnEventThatWasDeletedAgainAsDeleted() throws Exception {
            delete("a", 1);
            bringBack("a", 1);
            delete("a", 1);
            end(COMMAND, 2L).close();

            assertThat(verify(command("c-1")).out)
                    .contains("2 events deleted, 1 returned")
                    .doesNotContain("BACK");
        }
    }

    @Nested
    final class ReceiptSaysThatItIsComplete {

        @Test
        void shouldNameTheEventsThatWereLeftOut() throws Exception {
            delete("a", 1, 2);
            delete("b", 3);
            end(COMMAND, 3L).close();
            ObjectNode receipt = command("c-1");
            ((ArrayNode) receipt.path("records")).remove(1);

            Run run = verify(receipt);

            assertThat(run.exitCode).isEqualTo(3);
            assertThat(run.out).contains("NOT COMPLETE: the records name 2 of 3 events of the command c-1");
        }

        @Test
        void shouldSayThatTheEndOfTheCommandWasLeftOut() throws Exception {
            delete("a", 1, 2);
            end(COMMAND, 2L).close();
            ObjectNode receipt = command("c-1");
            ((ArrayNode) receipt.path("records")).remove(1);

            Run run = verify(receipt);

            assertThat(run.exitCode).isEqualTo(3);
            assertThat(run.out).contains("NOT COMPLETE: the record DONE is missing");
        }

        /** No record tells that there were no others: an undo that is left out as a whole leaves no gap. */
        @Test
        void shouldClaimNothingOfReturns() throws Exception {
            delete("a", 1, 2);
            end(COMMAND, 2L);
            bringBack("a", 1);
            end(UNDO, 1L).close();
            ObjectNode receipt = command("c-1");
            ArrayNode records = (ArrayNode) receipt.path("records");
            assertThat(records).hasSize(4);
            records.remove(3);
            records.remove(2);

            Run run = verify(receipt);

            assertThat(run.exitCode).as(run.out).isZero();
            assertThat(run.out)
                    .endsWith("COMPLETE FOR DELETES: no delete is left out of 2 events of the command c-1 at 0/7, "
                            + "but returns may be\n")
                    .doesNotContain("\nCOMPLETE: ");
        }

        /** An undo of this command alone ends with its own number. */
        @Test
        void shouldNoticeAReturnThatIsLeftOutWithoutItsEnd() throws Exception {
            delete("a", 1, 2);
            end(COMMAND, 2L);
            bringBack("a", 1);
            end(UNDO, 1L).close();
            ObjectNode receipt = command("c-1");
            ((ArrayNode) receipt.path("records")).remove(2);

            Run run = verify(receipt);

            assertThat(run.exitCode).isEqualTo(3);
            assertThat(run.out).contains("NOT COMPLETE: the records name 0 of 1 event of the command u-1 at 0/9");
        }

        @Test
        void shouldBeCompleteWhereNothingCanComeBack() throws Exception {
            written.add(deleteBy(COMMAND, "a", 1));
            end(COMMAND, 1L).close();

            assertThat(verify(command("c-1")).out)
                    .contains("VERIFIED: 2 audit records by 1 checkpoint: 1 event deleted, 0 returned")
                    .endsWith("COMPLETE: nothing is left out of 1 event of the command c-1 at 0/7\n");
        }

        /** An erasure may find nothing but copies, and a repair has no events at all. */
        @Test
        void shouldBeCompleteWithoutEvents() throws Exception {
            written.add(AuditRecord.ofErasure("c-1-0-7-erased", COMMAND, "erase:x", "{}", WrittenAudit.T0));
            end(COMMAND, 0L).close();

            assertThat(verify(command("c-1")).out)
                    .endsWith("COMPLETE: nothing is left out of 0 events of the command c-1 at 0/7\n");
        }

        /** The records of one of them must not stand in for those of the other. */
        @Test
        void shouldTellTwoCommandsOfOneIdApart() throws Exception {
            Origin second = Origin.ofCommand("c-1", "anna", "again", "1/3");
            written.add(deleteBy(COMMAND, "a", 1, 2));
            end(COMMAND, 2L);
            written.add(deleteBy(second, "b", 3, 4));
            end(second, 2L).close();

            assertThat(verify(command("c-1")).out)
                    .endsWith("COMPLETE: nothing is left out of 2 events of the command c-1 at 0/7 "
                            + "and 2 events of the command c-1 at 1/3\n");
            ObjectNode mixed = command("c-1");
            ((ArrayNode) mixed.path("records")).remove(0);
            ((ArrayNode) mixed.path("records")).remove(2);
            Run run = verify(mixed);
            assertThat(run.exitCode).as(run.out).isEqualTo(3);
            assertThat(run.out).contains("NOT COMPLETE: the records name 0 of 2 events of the command c-1 at 0/7");
        }

        /** Its partitions delete more than it has counted. */
        @Test
        void shouldProveNothingOfACommandThatBrokeOff() throws Exception {
            delete("a", 1, 2);
            end(COMMAND, null).close();

            Run run = verify(command("c-1"));

            assertThat(run.exitCode).isZero();
            assertThat(run.out).endsWith("NOT PROVED: how many events belong to the command c-1 at 0/7\n");
        }

        /** The number of one command is not known, and a record of the other is missing, in both orders. */
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void shouldNoticeALeftOutRecordBesideACommandThatBrokeOff(boolean isBrokenFirst) throws Exception {
            Origin second = Origin.ofCommand("c-1", "anna", "again", "1/3");
            delete("a", 1, 2);
            end(COMMAND, isBrokenFirst ? null : 2L);
            written.add(deleteBy(second, "b", 3, 4));
            end(second, isBrokenFirst ? 2L : null).close();
            assertThat(verify(command("c-1")).out)
                    .endsWith("NOT PROVED: how many events belong to the command c-1 at "
                            + (isBrokenFirst ? "0/7\n" : "1/3\n"));
            ObjectNode receipt = command("c-1");
            ((ArrayNode) receipt.path("records")).remove(isBrokenFirst ? 2 : 0);

            Run run = verify(receipt);

            assertThat(run.exitCode).as(run.out).isEqualTo(3);
            assertThat(run.out)
                    .contains("NOT COMPLETE: the records name 0 of 2 events of the command c-1 at "
                            + (isBrokenFirst ? "1/3" : "0/7"));
        }

        @Test
        void shouldClaimNothingForAStream() throws Exception {
            delete("a", 1).close();

            Run run = verify(receipt("a", null, null, null).get(0));

            assertThat(run.exitCode).isZero();
            assertThat(run.out).contains("NOT PROVED: that nothing is left out");
        }
    }

    @Nested
    final class LargeCommandHasReceipts {

        @Test
        void shouldProveACommandInParts() throws Exception {
            // given 2500 records and the end of their command
            for (int i = 0; i < 2500; i++) {
                delete("s-" + i, i);
                if (i % 700 == 0) {
                    written.close();
                }
            }
            end(COMMAND, 2500L).close();

            // when
            List<ObjectNode> parts = receipt(null, "c-1", null, null);

            // then
            assertThat(parts).hasSize(3).allSatisfy(part -> {
                assertThat(part.path("parts").asInt()).isEqualTo(3);
                assertThat(part.path("of")).hasToString("{\"command\":\"c-1\"}");
                assertThat(part.path("records").size()).isLessThanOrEqualTo(KafkaReceipts.MOST_RECORDS);
            });
            Run run = verify(parts.toArray(ObjectNode[]::new));
            assertThat(run.exitCode).as(run.tail()).isZero();
            assertThat(run.out)
                    .contains("VERIFIED: 2501 audit records", "2500 events deleted, 0 returned")
                    .contains("COMPLETE FOR DELETES: no delete is left out of 2500 events of the command c-1 at 0/7");
            Run without = verify(parts.get(0), parts.get(2));
            assertThat(without.exitCode).as(without.tail()).isEqualTo(3);
            assertThat(without.out).contains("NOT COMPLETE: part 2 of 3 is missing");
        }

        @Test
        void shouldRefuseAPartThatIsThereTwiceOrCannotBe() throws Exception {
            delete("a", 1).close();
            ObjectNode once = command("c-1");
            ObjectNode empty = once.deepCopy();
            ((ArrayNode) empty.path("records")).removeAll();

            assertThat(verify(once, empty).out)
                    .contains("NOT VERIFIED: part 1 is there twice (")
                    .contains("r-1.json)");
            assertThat(verify(once.deepCopy().put("part", 3).put("parts", 2)).out)
                    .contains("NOT VERIFIED: part 3 of 2 is wrong");
            assertThat(verify(
                                    once.deepCopy().put("parts", 3),
                                    empty.put("part", 2).put("parts", 2))
                            .out)
                    .contains("NOT VERIFIED: part 2 of 2 is wrong");
        }

        @Test
        void shouldRefuseThePartsOfTwoReceipts() throws Exception {
            delete("a", 1).close();

            Run run = verify(receipt("a", null, null, null).get(0), command("c-1"));

            assertThat(run.exitCode).isEqualTo(1);
            assertThat(run.out).contains("NOT VERIFIED: the files are parts of different receipts");
        }
    }

    @Nested
    final class SplitViewRefused {

        @Test
        void shouldRefuseTwoRootsForOneSize() throws Exception {
            // given a second audit of the same size, signed by the same key
            delete("a", 1);
            end(COMMAND, 1L).close();
            ObjectNode receipt = command("c-1");
            String other = key.signing()
                    .sign(new Checkpoint("ebb/audit/0", 2, Hash.ofLeaf(new byte[] {1})).text())
                    .toString();
            ((ArrayNode) receipt.path("checkpoints")).addObject().put("note", other);

            // when
            Run run = verify(receipt);

            // then
            assertThat(run.exitCode).isEqualTo(1);
            assertThat(run.out).contains("NOT VERIFIED: there are two roots for ebb/audit/0 of size 2");
        }
    }

    @Nested
    final class DoubledLeafRefused {

        @Test
        void shouldRefuseARecordThatIsThereTwice() throws Exception {
            delete("a", 1);
            end(COMMAND, 1L).close();
            ObjectNode receipt = command("c-1");
            ArrayNode records = (ArrayNode) receipt.path("records");
            records.add(records.get(0).deepCopy());

            Run run = verify(receipt);

            assertThat(run.exitCode).isEqualTo(1);
            assertThat(run.out).contains("NOT VERIFIED: the record 0 of ebb/audit/0 is there twice");
        }
    }

    @Nested
    final class FormIsStrict {

        @Test
        void shouldRefuseBytesBehindTheEnd() throws Exception {
            delete("a", 1).close();

            Run run = verifyText(command("c-1") + " {}");

            assertThat(run.exitCode).isEqualTo(1);
            assertThat(run.out).contains("NOT VERIFIED: something follows the end of the JSON");
        }

        @Test
        void shouldRefuseANoteWithoutItsLastLineBreak() throws Exception {
            delete("a", 1).close();
            ObjectNode receipt = command("c-1");
            ObjectNode checkpoint = (ObjectNode) receipt.at("/checkpoints/0");
            checkpoint.put("note", checkpoint.path("note").asText().stripTrailing());

            assertThat(verify(receipt).out)
                    .contains("NOT VERIFIED: a checkpoint is not a signed note, or lacks its last line");
        }

        @Test
        void shouldSayInWordsWhatItRefuses() throws Exception {
            delete("a", 1).close();
            String right = command("c-1").toString();
            for (String wrong : List.of(
                    "{",
                    "{\"format\":\"ebb-receipt/1\"",
                    "{\"format\":\"\\u00g0\"}",
                    "{\"format\":\"\\x\"}",
                    "[]",
                    right.replace("\"checkpoint\":0", "\"checkpoint\":7"),
                    right.replace("\"checkpoint\":0", "\"checkpoint\":\"0\""),
                    right.replace("\"value\":\"", "\"value\":\"*"),
                    right.replace("\\n1\\n", "\\n01\\n"),
                    right.replace("\"records\":[", "\"records\":[7,"))) {
                Run run = verifyText(wrong);

                assertThat(run.exitCode).as(wrong).isEqualTo(1);
                assertThat(run.out)
                        .as(wrong)
                        .startsWith("NOT VERIFIED: ")
                        .doesNotContain("Exception")
                        .doesNotContain("java.");
            }
        }

        /** The last file that was read is another one than that with the fault. */
        @Test
        void shouldNameTheFileThatItRefuses() throws Exception {
            delete("a", 1).close();
            ObjectNode wrong = command("c-1");
            wrong.put("records", 7);

            assertThat(verify(wrong).out)
                    .contains("wrong kind (")
                    .contains("r-0.json)")
                    .doesNotContain("key.pub");
            Path other = Files.writeString(folder.resolve("other.pub"), "ebb+1\n");
            Path good =
                    Files.writeString(folder.resolve("r.json"), command("c-1").toString());
            assertThat(run(good.toString(), other.toString(), pub()).out).contains("other.pub)");
            assertThat(run(good.toString(), folder.resolve("none.pub").toString()).out)
                    .startsWith("NOT VERIFIED: it cannot be read or understood (")
                    .contains("none.pub)");
        }

        @Test
        void shouldVerifyWithoutASignatureOnlyIfAsked() throws Exception {
            written.signer = note -> dev.ebb.domain.receipt.NoteSigner.NONE.sign(note);
            delete("a", 1);
            end(COMMAND, 1L).close();
            Path file =
                    Files.writeString(folder.resolve("r.json"), command("c-1").toString());

            assertThat(run(file.toString(), pub()).exitCode).isEqualTo(1);
            Run asked = run("--unsigned", file.toString());
            assertThat(asked.exitCode).as(asked.out).isZero();
            assertThat(asked.out).contains("VERIFIED WITHOUT A SIGNATURE").doesNotContain("VERIFIED: ");
        }
    }

    @Nested
    final class KeyHasAnEnd {

        @Test
        void shouldNotBelieveWhatAKeySignedAfterItsEnd() throws Exception {
            delete("a", 1);
            end(COMMAND, 1L).close();
            Path file =
                    Files.writeString(folder.resolve("r.json"), command("c-1").toString());

            Files.writeString(folder.resolve("key.pub"), key.verifying() + "\nuntil ebb/audit/0 2\n");
            assertThat(run(file.toString(), pub()).exitCode).isZero();
            Files.writeString(folder.resolve("key.pub"), key.verifying() + "\nuntil ebb/audit/0 1\n");
            assertThat(run(file.toString(), pub()).out)
                    .contains("NOT VERIFIED: the key ebb ended at the size 1 of ebb/audit/0");
            Files.writeString(folder.resolve("key.pub"), key.verifying() + "\nuntil ebb/audit/1 9\n");
            assertThat(run(file.toString(), pub()).out).contains("the key ebb ended at the size 0 of ebb/audit/0");
        }

        /** Of two ends the earlier one counts, and an end on the line of the key is none that is passed over. */
        @Test
        void shouldNotReviveAKeyByASecondEnd() throws Exception {
            delete("a", 1);
            end(COMMAND, 1L).close();
            Path file =
                    Files.writeString(folder.resolve("r.json"), command("c-1").toString());

            Files.writeString(
                    folder.resolve("key.pub"), key.verifying() + "\nuntil ebb/audit/0 1\nuntil ebb/audit/0 9\n");
            assertThat(run(file.toString(), pub()).out).contains("the key ebb ended at the size 1 of ebb/audit/0");
            Files.writeString(folder.resolve("key.pub"), key.verifying() + " until ebb/audit/0 1\n");
            assertThat(run(file.toString(), pub()).out).contains("NOT VERIFIED");
        }

        /** Otherwise the author of a forged receipt could send the key along, as one of its parts. */
        @Test
        void shouldTakeNoPartForAKey() throws Exception {
            delete("a", 1);
            end(COMMAND, 1L).close();
            Path file = Files.writeString(
                    folder.resolve("r-1-of-2.json"), command("c-1").toString());
            Path part = Files.writeString(folder.resolve("r-2-of-2.json"), key.verifying() + "\n");

            Run forged = run(file.toString(), part.toString());

            assertThat(forged.exitCode).isEqualTo(1);
            assertThat(forged.out).contains("NOT VERIFIED");
        }
    }

    private ObjectNode command(String id) {
        List<ObjectNode> parts = receipt(null, id, null, null);
        assertThat(parts).hasSize(1);
        return parts.get(0);
    }

    /** Asks for all parts, as the command does. */
    private List<ObjectNode> receipt(String stream, String command, String sweep, String event) {
        AuditFilter filter =
                AuditFilter.within(TimeRange.ALWAYS).ofStream(stream).ofSweep(command == null ? sweep : command);
        SubjectView of = new SubjectView(stream, event, command, sweep, null, null);
        List<ObjectNode> parts = new ArrayList<>();
        String next = null;
        do {
            Part part = written.receipts().receipt(filter, event, next);
            JsonNode json = WireJson.tree(ReceiptView.of(of, part.receipt(), part.part(), part.parts(), part.next()));
            parts.add((ObjectNode) json);
            next = part.next();
        } while (next != null);
        return parts;
    }

    private record Run(int exitCode, String out) {

        String tail() {
            return out.substring(Math.max(0, out.length() - 500));
        }
    }

    private String pub() {
        return folder.resolve("key.pub").toString();
    }

    private Run verifyText(String receipt) throws Exception {
        return run(Files.writeString(folder.resolve("r.json"), receipt).toString(), pub());
    }

    private Run verify(ObjectNode... parts) throws Exception {
        List<String> args = new ArrayList<>();
        for (ObjectNode part : parts) {
            Path file = folder.resolve("r-" + args.size() + ".json");
            args.add(Files.writeString(file, part.toPrettyString()).toString());
        }
        args.add(pub());
        return run(args.toArray(String[]::new));
    }

    private static Run run(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes.toString(),
                "VerifyReceipt"));
        command.addAll(List.of(args));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out);
    }
}
