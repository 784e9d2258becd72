package dev.ebb.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.ReceiptQueries.RefusedReceiptException;
import dev.ebb.port.history.ReceiptQueries.Verified;
import dev.ebb.port.history.TimeRange;
import dev.ebb.receipt.ReceiptView.SubjectView;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.wire.WireJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("T-9")
class KafkaReceiptsTest {

    private static final Path VERIFIER = Path.of("docs", "receipts", "VerifyReceipt.java");

    @TempDir
    private Path folder;

    private final SigningKey.Pair key = SigningKey.generate("ebb");
    private final WrittenAudit written = new WrittenAudit();

    @Nested
    final class ReceiptVerifiesOffline {

        @Test
        void shouldProveTheDeletesOfASweep() throws Exception {
            // given
            written.signer = key.signing();
            written.second(5).second(1).second(7);

            // when
            Run run = verify(receipt(null, "odd"), key.verifying());

            // then
            assertThat(run.exitCode).as(run.out).isZero();
            assertThat(run.out)
                    .contains("VERIFIED: 6 audit records by 3 checkpoints: 6 events deleted, 0 returned")
                    .contains("stream: orders/5", "eventIds: [e-5]", "cause: MAX_AGE", "sweepId: odd")
                    .doesNotContain("e-4");
        }

        @Test
        void shouldProveRecordsThatAreJson() throws Exception {
            // given
            written.signer = key.signing();
            written.second(1);
            written.records = AvroRecords.of(AvroSettings.of(Map.of(AvroSettings.URL, "")));
            written.second(2);
            assertThat((char) written.audited().get(1).value()[0]).isEqualTo('{');

            // when
            Run run = verify(receipt(null, "odd"), key.verifying());

            // then
            assertThat(run.exitCode).as(run.out).isZero();
            assertThat(run.out)
                    .contains("VERIFIED: 1 audit record by 1 checkpoint: 1 event deleted, 0 returned")
                    .contains("stream: orders/1", "eventIds: [e-1]", "at: 2026-", "oldestAnchor: 2026-");
        }

        @Test
        void shouldVerifyTheExampleAsThePageExplainsIt() throws Exception {
            // given
            Path example = VERIFIER.resolveSibling("example");
            String page = Files.readString(VERIFIER.resolveSibling("README.md"));

            // when
            Run run = run(example.resolve("receipt.json"), example.resolve("key.pub"));

            // then
            assertThat(run.exitCode).as(run.out).isZero();
            JsonNode receipt = WireJson.read(Files.readAllBytes(example.resolve("receipt.json")), JsonNode.class);
            assertThat(page)
                    .contains(receipt.at("/checkpoints/0/note").asText())
                    .contains(Files.readString(example.resolve("key.pub")));
            Matcher json = Pattern.compile("`(\\{\"auditId.*?})` \\| `(.*?)`").matcher(page);
            assertThat(json.find()).isTrue();
            assertThat(json.group(2))
                    .isEqualTo(Hash.ofLeaf(json.group(1).getBytes(StandardCharsets.UTF_8))
                            .toString());
        }

        /** A reader that calls itself for each bracket runs out of stack. */
        @Test
        @Tag("T-17")
        void shouldRefuseWhatIsNestedTooDeeply() throws Exception {
            Path pub = Files.writeString(folder.resolve("key.pub"), key.verifying() + "\n");
            for (String text :
                    List.of("[".repeat(100_000), "{\"a\":".repeat(100_000), "[".repeat(22) + "]".repeat(22))) {
                Run run = run(Files.writeString(folder.resolve("deep.json"), text), pub);

                assertThat(run.exitCode).isEqualTo(1);
                assertThat(run.out).startsWith("NOT VERIFIED: the JSON is nested more than 20 deep");
            }
            Run other = run(Files.writeString(folder.resolve("deep.json"), "[".repeat(21) + "]".repeat(21)), pub);
            assertThat(other.exitCode).isEqualTo(1);
            assertThat(other.out).startsWith("NOT VERIFIED: ").doesNotContain("nested");
        }

        /** Numbers of many digits, and texts of many megabytes, cost no more than to read them. */
        @Test
        @Tag("T-17")
        @Timeout(60)
        void shouldRefuseHugeValuesSoon() throws Exception {
            Path pub = Files.writeString(folder.resolve("key.pub"), key.verifying() + "\n");
            for (String text : List.of("9".repeat(20_000_000) + " ", "\"" + "a".repeat(20_000_000) + "\"")) {
                Run run = run(Files.writeString(folder.resolve("huge.json"), "{\"format\":" + text + "}"), pub);

                assertThat(run.exitCode).isEqualTo(1);
                assertThat(run.out).startsWith("NOT VERIFIED: ").hasSizeLessThan(200);
            }
        }

        /** Until a key has signed it, all of a receipt may come from an attacker. */
        @Test
        void shouldNotLetAReceiptSteerTheTerminal() throws Exception {
            Path pub = Files.writeString(folder.resolve("key.pub"), key.verifying() + "\n");
            String hostile = "a\\u001b[2J\\u009b2J\\u202eb\\n1\\nAA==\\n\\n";
            Path receipt = Files.writeString(
                    folder.resolve("hostile.json"),
                    "{\"format\":\"ebb-receipt/1\",\"of\":{},\"part\":1,\"parts\":1,\"checkpoints\":[{\"note\":\""
                            + hostile + "\"}]}");

            Run run = run(receipt, pub);

            assertThat(run.out)
                    .startsWith("NOT VERIFIED: no given key has signed the checkpoint of a\\u001b[2J\\u009b2J\\u202eb");
        }

        @Test
        void shouldStayShort() throws IOException {
            assertThat(Files.readAllLines(VERIFIER)).hasSizeLessThanOrEqualTo(300);
        }
    }

    @Nested
    final class ReceiptOfAnotherKeyRefused {

        @Test
        void shouldNotVerifyByAKeyOfTheSameName() throws Exception {
            written.signer = key.signing();
            written.second(3);

            Run run =
                    verify(receipt("orders/1", null), SigningKey.generate("ebb").verifying());

            assertThat(run.exitCode).isEqualTo(1);
            assertThat(run.out)
                    .contains("NOT VERIFIED: no given key has signed")
                    .doesNotContain("orders/1");
        }

        @Test
        void shouldNotVerifyWithoutASignature() throws Exception {
            written.second(3);

            Run run = verify(receipt("orders/1", null), key.verifying());

            assertThat(run.exitCode).isEqualTo(1);
        }

        @Test
        void shouldNotVerifyAnotherRecord() throws Exception {
            written.signer = key.signing();
            written.second(3);
            Receipt honest = receipt("orders/1", null);
            Receipt.Proven proven = honest.records().get(0);
            byte[] other = written.audited().get(2).value();
            Receipt forged = new Receipt(
                    honest.checkpoints(), List.of(new Receipt.Proven(0, proven.index(), other, proven.proof())));

            Run run = verify(forged, key.verifying());

            assertThat(run.exitCode).isEqualTo(1);
            assertThat(run.out).contains("does not lead to its root");
        }
    }

    private Receipt receipt(@Nullable String stream, @Nullable String sweep) {
        return written.receipts()
                .receipt(AuditFilter.within(TimeRange.ALWAYS).ofStream(stream).ofSweep(sweep), null, null)
                .receipt();
    }

    private record Run(int exitCode, String out) {}

    private Run verify(Receipt receipt, VerifierKey by) throws Exception {
        Path file = Files.writeString(
                folder.resolve("receipt.json"),
                WireJson.tree(ReceiptView.of(new SubjectView("x", null, null, null, null, null), receipt, 1, 1, null))
                        .toPrettyString());
        Path pub = Files.writeString(folder.resolve("key.pub"), by + "\n");
        return run(file, pub);
    }

    private static Run run(Path receipt, Path key) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(java, VERIFIER.toString(), receipt.toString(), key.toString())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out);
    }

    @Test
    void shouldProveFromOneSecondAlone() {
        // given
        written.second(5).second(6).second(4);
        WrittenAudit.takeHead(written.audit, 5);
        WrittenAudit.takeHead(written.checkpoints, 1);

        // when
        Receipt receipt = receipt("orders/7", null);

        // then
        assertThat(receipt.checkpoints()).hasSize(1);
        assertThat(receipt.records()).singleElement().satisfies(proven -> assertThat(proven.index())
                .isEqualTo(7));
    }

    @Test
    void shouldWaitForTheCheckpointOfTheNewestDeletes() {
        written.second(2);
        written.delete();

        assertThatThrownBy(() -> receipt("orders/2", null)).isInstanceOf(NotReadyException.class);
        assertThat(receipt("orders/1", null).records()).hasSize(1);
    }

    @Test
    void shouldMakeNoReceiptFromAnAuditThatWasTamperedWith() {
        written.second(3);
        written.audited().remove(0);

        assertThatThrownBy(() -> receipt("orders/1", null)).isInstanceOf(RefusedReceiptException.class);
    }

    @Test
    void shouldVerifyTheWholeAudit() {
        // given
        written.second(3);
        written.signer = key.signing();
        written.second(2).second(1).delete();

        // then
        assertThat(verified(null, key.verifying())).singleElement().satisfies(tree -> {
            assertThat(tree.size()).isEqualTo(6);
            assertThat(tree.open()).isEqualTo(1);
            assertThat(tree.checkpoints()).isEqualTo(3);
            assertThat(tree.signed()).isEqualTo(2);
            assertThat(tree.unsigned()).isEqualTo(1);
            assertThat(tree.finding()).isNull();
        });
    }

    @Test
    void shouldGoOnPageByPage() {
        for (int i = 0; i < 2300; i++) {
            written.second(1);
        }

        List<Verified> parts = verified(null);

        assertThat(parts).extracting(Verified::size).containsExactly(1000L, 2000L, 2300L);
        assertThat(parts).allMatch(part -> part.finding() == null);
    }

    @Test
    void shouldBeginBehindWhatRetentionHasTaken() {
        written.second(3).second(4).second(2);
        WrittenAudit.takeHead(written.audit, 4);

        assertThat(verified(null)).singleElement().satisfies(tree -> {
            assertThat(tree.from()).isEqualTo(7);
            assertThat(tree.size()).isEqualTo(9);
            assertThat(tree.finding()).isNull();
        });
    }

    /** Without the state, topics that were deleted and made again look like those of an application that is new. */
    @Test
    @Tag("T-17")
    void shouldSayThatTheWholeAuditIsGone() {
        written.second(3);
        written.audit.partitions.clear();
        written.checkpoints.partitions.clear();
        assertThat(verified(null)).allMatch(part -> part.finding() == null);

        written.knownRecords = 3;

        assertThat(verified(null).get(0).finding()).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Finding.Kind.DROPPED);
            assertThat(found.first()).isZero();
            assertThat(found.last()).isEqualTo(2);
        });
    }

    /** The state tells the size of the last checkpoint but one. */
    @Test
    @Tag("T-17")
    void shouldFindNothingWrongWhereTheStateKnowsWhatTheTopicsHave() {
        written.second(3).second(2);
        written.knownRecords = 3;

        assertThat(verified(null)).allMatch(part -> part.finding() == null);
    }

    @Test
    void shouldFindNothingWrongWhereRetentionHasTakenAll() {
        written.second(3).second(4);
        WrittenAudit.takeHead(written.audit, 6);

        assertThat(verified(null)).singleElement().satisfies(tree -> {
            assertThat(tree.checkpoints()).isZero();
            assertThat(tree.finding()).isNull();
        });
    }

    @Test
    void shouldNameWhatWasChangedDroppedOrPutIn() {
        written.second(3).second(4);
        ConsumerRecord<byte[], byte[]> honest = written.audited().get(4);

        written.audited().set(4, WrittenAudit.of(8, honest.key(), new byte[] {1}, (RecordHeaders) honest.headers()));
        assertFault(Finding.Kind.CHANGED, 4, 8L);
        written.audited().remove(4);
        assertFault(Finding.Kind.DROPPED, 4, 10L);
        written.audited().add(4, honest);
        written.audited().add(5, WrittenAudit.of(9, new byte[0], new byte[0], new RecordHeaders()));
        assertFault(Finding.Kind.INSERTED, 5, 9L);
        written.audited().remove(5);
        assertThat(verified(null)).allMatch(part -> part.finding() == null);
        written.audited().remove(6);
        assertFault(Finding.Kind.DROPPED, 6, null);
    }

    private void assertFault(Finding.Kind kind, long leaf, @Nullable Long offset) {
        assertThat(verified(null).get(0).finding()).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(kind);
            assertThat(found.first()).isEqualTo(leaf);
            assertThat(found.offset()).isEqualTo(offset);
        });
    }

    @Test
    void shouldGoOnFromACheckpointThatWasKept() {
        // given
        written.second(3);
        Checkpoint kept = Checkpoint.parse(SignedNote.parse(written.note()).text());
        assertThat(verified(kept)).singleElement().satisfies(part -> assertThat(part.finding())
                .isNull());
        written.second(2);

        // then
        assertThat(verified(kept)).singleElement().satisfies(tree -> {
            assertThat(tree.from()).isEqualTo(3);
            assertThat(tree.size()).isEqualTo(5);
            assertThat(tree.finding()).isNull();
        });
    }

    /** No checkpoint follows the one that was kept: what was put in behind it has none, and must be named all the same. */
    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void shouldLookBehindTheLastCheckpointThatWasKept(int taken) {
        // given a second of which retention has taken some records, all but the last one at the most
        written.second(2).second(4);
        Checkpoint kept = Checkpoint.parse(SignedNote.parse(written.note()).text());
        if (taken > 0) {
            WrittenAudit.takeHead(written.audit, 2 + taken);
        }
        assertThat(verified(kept)).singleElement().satisfies(part -> {
            assertThat(part.finding()).isNull();
            assertThat(part.size()).isEqualTo(6);
            assertThat(part.checkpoint()).isEqualTo(written.note());
        });

        // when records are put in: with no mark, with an old number, and with the next one
        long offset = 100;
        String value = "put in";
        for (LeafMark mark : Arrays.asList(null, new LeafMark("0", 3, leaf(value)), written.nextMark(value))) {
            written.appendAt(offset, mark, value);
            written.nowMs = WrittenAudit.T0 + offset + Duration.ofMinutes(11).toMillis() + 1;

            // then
            Finding found = verified(kept).get(0).finding();
            assertThat(found).as("mark %s", mark).isNotNull();
            assertThat(found.offset()).isEqualTo(offset);
            written.audited().remove(written.audited().size() - 1);
        }

        // when the next number is left out
        LeafMark next = written.nextMark(value);
        written.appendAt(offset, new LeafMark(next.tree(), next.index() + 1, next.hash()), value);

        // then
        assertThat(verified(kept).get(0).finding().kind()).isEqualTo(Finding.Kind.DROPPED);
    }

    private static Hash leaf(String value) {
        return Hash.ofLeaf(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Retention has taken all that could be compared; what was put in behind it is there. */
    @Test
    void shouldLookBehindTheLastCheckpointWhereRetentionHasTakenTheRest() {
        written.second(3).second(4);
        WrittenAudit.takeHead(written.audit, 6);
        written.appendAt(100, null, "put in");

        assertFault(Finding.Kind.INSERTED, 7, 100L);
    }

    /** One record more than a checkpoint needs must be there as well. */
    @Test
    void shouldNameALastRecordThatIsMissingWhereRetentionHasTakenTheRest() {
        written.second(3).second(4);
        WrittenAudit.takeHead(written.audit, 5);
        written.audited().remove(written.audited().size() - 1);

        assertFault(Finding.Kind.DROPPED, 6, null);
    }

    @Test
    void shouldNameThatAllCheckpointsWereTaken() {
        // given
        written.second(3).second(4);
        written.keptMs = Duration.ofDays(1).toMillis();
        written.forgeCheckpoint(TreeName.POLICIES.value(), "of another tree");
        WrittenAudit.takeHead(written.checkpoints, 2);

        // then
        for (long late : List.of(0L, 1L)) {
            written.nowMs = WrittenAudit.T0 + Duration.ofMinutes(11).toMillis() + late;
            Finding found = verified(null).get(0).finding();
            assertThat(found != null).as("%s ms late", late).isEqualTo(late > 0);
        }
        assertFault(Finding.Kind.CHECKPOINT, 0, null);
        written.nowMs = WrittenAudit.T0 + Duration.ofDays(2).toMillis();
        assertThat(verified(null).get(0).finding()).isNull();
    }

    @Test
    void shouldNameATreeThatIsNotTheOneThatWasKept() {
        written.second(3).second(2);

        assertThat(fault(new Checkpoint("ebb/audit/0", 3, Hash.OF_NOTHING))).isEqualTo(Finding.Kind.CHANGED);
        assertThat(fault(new Checkpoint("ebb/audit/0", 4, Hash.OF_NOTHING))).isEqualTo(Finding.Kind.CHECKPOINT);
        assertThat(fault(new Checkpoint("ebb/audit/0", 9, Hash.OF_NOTHING))).isEqualTo(Finding.Kind.DROPPED);
        Checkpoint foreign = new Checkpoint("other/audit/0", 3, Hash.OF_NOTHING);
        assertThatThrownBy(() -> verified(foreign)).isInstanceOf(RefusedReceiptException.class);
    }

    private Finding.Kind fault(Checkpoint known) {
        return verified(known).get(0).finding().kind();
    }

    @Test
    void shouldNameASignatureThatIsWrong() {
        SigningKey.Pair other = SigningKey.generate("ebb");
        written.signer = text -> new SignedNote(
                text,
                List.of(new SignedNote.Signature(
                        key.verifying().name(),
                        other.signing().sign(text).signatures().get(0).bytes())));
        written.second(3);

        assertThat(verified(null, key.verifying()).get(0).finding())
                .satisfies(found -> assertThat(found.kind()).isEqualTo(Finding.Kind.CHECKPOINT));
        assertThat(verified(null).get(0).finding()).isNull();
    }

    @Test
    void shouldNameACheckpointThatAnotherKeyAloneHasSigned() {
        SigningKey.Pair renewed = SigningKey.generate("ebb");
        written.signer = key.signing();
        written.second(3);
        written.signer = renewed.signing();
        written.second(2);

        assertThat(verified(null, key.verifying()).get(0).finding()).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Finding.Kind.CHECKPOINT);
            assertThat(found.first()).isEqualTo(5);
            assertThat(found.detail())
                    .contains("offset 2", renewed.verifying().name().toString());
        });
        assertThat(verified(null, key.verifying(), renewed.verifying())).allMatch(part -> part.finding() == null);
    }

    @Test
    void shouldNameALastCheckpointWithoutASignature() {
        written.signer = key.signing();
        written.second(3);
        written.signer = NoteSigner.NONE;
        written.second(2);

        assertThat(verified(null, key.verifying()).get(0).finding())
                .satisfies(found -> assertThat(found.detail()).contains("no signature"));
        assertThat(verified(null).get(0).finding()).isNull();
        written.signer = key.signing();
        written.second(1);
        assertThat(verified(null, key.verifying()).get(0).finding()).isNull();
    }

    @Test
    void shouldNameARecordThatWasAppendedBehindTheLastCheckpoint() {
        written.second(3);
        long offset = written.forge(null, "put in");

        assertFault(Finding.Kind.INSERTED, 3, offset);
    }

    @Test
    void shouldNameAnAppendedRecordThatBearsTheNextNumber() {
        // given
        written.second(3);
        long offset = written.forge(written.nextMark("put in"), "put in");

        // then
        long elevenMinutes = Duration.ofMinutes(11).toMillis();
        for (long late : List.of(0L, 1L)) {
            written.nowMs = WrittenAudit.T0 + offset + elevenMinutes + late;
            assertThat(verified(null).get(0).open()).isEqualTo(1);
            assertThat(verified(null).get(0).finding() != null).isEqualTo(late > 0);
        }
        assertFault(Finding.Kind.CHECKPOINT, 3, offset);

        // when
        written.second(2);

        // then
        assertFault(Finding.Kind.INSERTED, 3, offset);
    }

    /** Records of another tree stand where there is time for twenty at once: a reading of them all would never end. */
    @ParameterizedTest
    @CsvSource({"50, 0, 0", "0, 50, 0", "0, 0, 50", "50, 50, 50"})
    void shouldGoOnThroughRecordsOfOtherTrees(int before, int between, int behind) {
        // given
        foreign(before);
        written.second(2);
        foreign(between);
        written.second(2);
        foreign(behind);
        written.audit.mostVisited = 20;

        // when
        List<Verified> parts = new ArrayList<>();
        String after = null;
        do {
            Verified part = written.receipts().verify(List.of(), null, after);
            parts.add(part);
            after = part.next();
        } while (after != null && parts.size() < 50);

        // then
        assertThat(after).isNull();
        assertThat(parts).allMatch(part -> part.finding() == null);
        assertThat(parts.stream().filter(part -> part.tree().equals("0")).mapToLong(Verified::checkpoints))
                .satisfies(checkpoints -> assertThat(
                                checkpoints.stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(2));
    }

    private void foreign(int records) {
        for (int i = 0; i < records; i++) {
            String value = "policy " + i;
            written.forge(new LeafMark("policies", i, Hash.ofLeaf(value.getBytes(StandardCharsets.UTF_8))), value);
        }
    }

    @Test
    void shouldNameACheckpointThatWasPutIn() {
        for (long size : List.of(3L, 4L, 5L, 6L, 900L)) {
            WrittenAudit one = new WrittenAudit();
            one.second(3).second(1);
            one.forgeCheckpoint("0", new Checkpoint("ebb/audit/0", size, Hash.OF_NOTHING).text() + "\n");
            one.second(2).second(2);

            assertCheckpointFault(one, "offset 4 ");
        }
    }

    @Test
    void shouldNameARecordThatIsNoCheckpoint() {
        for (String key : List.of("0", "7", "")) {
            WrittenAudit one = new WrittenAudit();
            one.second(3);
            one.forgeCheckpoint(key, key.isEmpty() ? one.note() : "x");
            one.second(2);

            assertCheckpointFault(one, "offset 2 ");
        }
        WrittenAudit foreign = new WrittenAudit();
        foreign.second(3);
        foreign.forgeCheckpoint("0", new Checkpoint("ebb/audit/1", 3, Hash.OF_NOTHING).text() + "\n");
        assertCheckpointFault(foreign, "ebb/audit/1");
    }

    private static void assertCheckpointFault(WrittenAudit one, String detail) {
        assertThat(one.receipts().verify(List.of(), null, null).finding()).satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Finding.Kind.CHECKPOINT);
            assertThat(found.detail()).contains(detail);
        });
    }

    /** The third second has the leaves 7 and 8, and the checkpoint in front of it is of the time T0 + 2. */
    @Test
    void shouldTellWhatWasTakenTooEarlyFromWhatRetentionTakes() {
        written.second(3).second(4).second(2).second(1);
        WrittenAudit.takeHead(written.audit, 8);
        written.keptMs = Duration.ofDays(1).toMillis();
        long secondClosedMs = WrittenAudit.T0 + 2;
        long slackMs = Duration.ofMinutes(10).toMillis();

        for (long early : List.of(-1L, 0L, 1L)) {
            written.nowMs = secondClosedMs + written.keptMs - slackMs - early;
            Finding found = verified(null).get(0).finding();
            assertThat(found == null).isEqualTo(early < 0);
            if (found != null) {
                assertThat(found.kind()).isEqualTo(Finding.Kind.DROPPED);
                assertThat(found.first()).isEqualTo(7);
                assertThat(found.last()).isEqualTo(7);
            }
        }
        written.keptMs = Long.MAX_VALUE;
        assertFault(Finding.Kind.DROPPED, 0, null);
    }

    @Test
    void shouldNameCheckpointsThatWereTakenTooEarly() {
        written.second(3).second(4).second(2);
        WrittenAudit.takeHead(written.checkpoints, 1);
        written.keptMs = Duration.ofDays(1).toMillis();

        assertFault(Finding.Kind.CHECKPOINT, 0, null);
        written.nowMs = WrittenAudit.T0 + Duration.ofDays(2).toMillis();
        assertThat(verified(null).get(0).finding()).isNull();
    }

    @Test
    void shouldSayThatRetentionHasTakenTheWayFromACheckpointThatWasKept() {
        written.second(3);
        Checkpoint kept = Checkpoint.parse(SignedNote.parse(written.note()).text());
        written.second(4).second(2);
        WrittenAudit.takeHead(written.audit, 5);

        assertThat(verified(kept).get(0).finding().detail()).contains("topics.audit.retention");
        WrittenAudit.takeHead(written.checkpoints, 2);
        assertThat(verified(kept).get(0).finding().detail()).contains("topics.audit.retention");
    }

    @Test
    void shouldRefuseACursorThatCameWithNoPart() {
        written.second(1);

        for (String cursor :
                List.of("x", "AAAA", new VerifyCursor(new TreeName("7"), true, 0, 0, RightEdge.EMPTY).write())) {
            assertThatThrownBy(() -> written.receipts().verify(List.of(), null, cursor))
                    .isInstanceOf(BadCursorException.class);
        }
    }

    /** All parts of the tree of the deletes. */
    private List<Verified> verified(@Nullable Checkpoint known, VerifierKey... keys) {
        List<Verified> parts = new ArrayList<>();
        String after = null;
        do {
            Verified part = written.receipts().verify(List.of(keys), known, after);
            if (part.tree().equals("0")) {
                parts.add(part);
            }
            after = part.next();
        } while (after != null);
        return parts;
    }
}
