package dev.ebb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.receipt.AuditVerificationView;
import dev.ebb.receipt.AuditVerificationView.FindingView;
import dev.ebb.receipt.ReceiptView;
import dev.ebb.receipt.ReceiptView.NoteView;
import dev.ebb.receipt.ReceiptView.ProvenView;
import dev.ebb.receipt.ReceiptView.SubjectView;
import dev.ebb.wire.WireJson;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("T-9")
class ReceiptCommandsTest {

    @TempDir
    private Path folder;

    @RegisterExtension
    final FakeApi api = new FakeApi();

    @Test
    void shouldMakeAKeyThatOnlyItsOwnerMayRead() throws IOException {
        // when
        CommandRun run = CommandRun.of("receipt", "key", path("a.key"), "--name", "ebb.example/prod");

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        SigningKey signing = SigningKey.parse(Files.readString(folder.resolve("a.key")));
        VerifierKey verifying = VerifierKey.parse(Files.readString(folder.resolve("a.key.pub")));
        assertThat(verifying.hasSigned(signing.sign("a\n"))).isTrue();
        assertThat(run.out().strip()).isEqualTo(verifying.toString()).startsWith("ebb.example/prod+");
        assertThat(run.out() + run.err()).doesNotContain("PRIVATE");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a.key"))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldNeverReplaceAKey() throws IOException {
        // given
        CommandRun.of("receipt", "key", path("a.key"));
        String before = Files.readString(folder.resolve("a.key"));

        // when
        CommandRun again = CommandRun.of("receipt", "key", path("a.key"));
        Files.delete(folder.resolve("a.key.pub"));
        CommandRun withoutPublic = CommandRun.of("receipt", "key", path("a.key"));

        // then
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(withoutPublic.exitCode()).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("a.key"))).isEqualTo(before);
        assertThat(folder.resolve("a.key.pub")).doesNotExist();
    }

    /** A half of a key is worth nothing, and its name is then taken. */
    @Test
    void shouldMakeBothHalvesOfAKeyOrNone() throws IOException {
        // given
        Files.createSymbolicLink(folder.resolve("a.key.pub"), folder.resolve("nothing"));

        // when
        CommandRun run = CommandRun.of("receipt", "key", path("a.key"));

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("a.key.pub already exists; a key is never replaced");
        assertThat(folder.resolve("a.key")).doesNotExist();
        assertThat(folder.resolve("nothing")).doesNotExist();
    }

    @Test
    void shouldNeverWriteAReceiptThroughALink() throws IOException {
        // given
        api.answer("GET /v1/receipts?command=c-1", receipt(1, 1, List.of(new NoteView("note", List.of())), List.of()));
        Path goal = Files.writeString(folder.resolve("goal"), "mine");
        Files.createSymbolicLink(folder.resolve("r.json"), goal);

        // when
        CommandRun run = api.run("receipt", "--command", "c-1", "-f", path("r.json"));

        // then
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("cannot write to " + path("r.json") + ": it is a symbolic link to " + goal + "; name that");
        assertThat(goal).hasContent("mine");
    }

    @Test
    void shouldSayWhyAFileCannotBeReadOrWritten() {
        assertThat(CommandRun.of("receipt", "key", path("none/a.key")).err())
                .contains("a.key: the folder " + path("none") + " does not exist");
        assertThat(api.run("audit", "verify", "--key", path("none")).err())
                .contains("cannot read " + path("none") + ": it does not exist");
        assertThat(api.run("audit", "verify", "--from", folder.toString()).err())
                .contains("cannot read " + folder + ": Is a directory");
    }

    /** As of a variable that is not set. */
    @Test
    void shouldRefuseAFileWithoutAName() {
        for (String[] words : new String[][] {
            {"receipt", "key", ""},
            {"receipt", "a", "-f", ""},
            {"audit", "verify", "--key", ""},
            {"token", "create", "--name", "a", "--role", "viewer", "--file", ""},
            {"status", "--token-file", ""}
        }) {
            CommandRun run = api.run(words);

            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("the name of a file or folder must not be empty");
        }
        assertThat(api.run("produce", "-f", "").err()).contains("the name of a file must not be empty");
    }

    @Test
    void shouldRefuseANameThatNotesCannotBear() {
        assertThat(CommandRun.of("receipt", "key", path("a.key"), "--name", "a b")
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void shouldWriteAReceipt() throws IOException {
        // given
        api.answer(
                "GET /v1/receipts?stream=orders%2F1&event=e-1",
                receipt(
                        1,
                        1,
                        List.of(new NoteView("note", List.of("ebb+01020304"))),
                        List.of(new ProvenView(0, 7, "AA==", List.of()))));

        // when
        CommandRun run = api.run("receipt", "orders/1", "e-1", "-f", path("r.json"));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("1 audit record in ", "signed by ebb+01020304");
        assertThat(Files.readString(folder.resolve("r.json"))).contains("ebb-receipt/1", "\"index\" : 7");
    }

    @Test
    void shouldSayThatAReceiptIsNotSigned() {
        api.answer("GET /v1/receipts?command=c-1", receipt(1, 1, List.of(new NoteView("note", List.of())), List.of()));

        assertThat(api.run("receipt", "--command", "c-1", "-f", path("r.json")).out())
                .contains("not signed: there was no key");
    }

    @Test
    @Tag("T-17")
    void shouldWriteAFileForEachPart() throws IOException {
        // given
        List<NoteView> notes = List.of(new NoteView("note", List.of("ebb+01020304")));
        List<ProvenView> records = List.of(new ProvenView(0, 7, "AA==", List.of()));
        api.answer("GET /v1/receipts?command=c-1", receipt(1, 3, notes, records));
        api.answer("GET /v1/receipts?command=c-1&after=p1", receipt(2, 3, notes, records));
        api.answer("GET /v1/receipts?command=c-1&after=p2", receipt(3, 3, notes, records));

        // when
        CommandRun run = api.run("receipt", "--command", "c-1", "-f", path("r.json"));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "3 audit records in 3 files, " + path("r-1-of-3.json") + " to " + path("r-3-of-3.json"),
                        "signed by ebb+01020304");
        assertThat(folder.resolve("r.json")).doesNotExist();
        assertThat(Files.readString(folder.resolve("r-2-of-3.json")))
                .contains("\"part\" : 2", "\"parts\" : 3")
                .doesNotContain("next");
    }

    @Test
    @Tag("T-17")
    void shouldSayThatStandardOutputIsNoFile() {
        CommandRun run = api.run("receipt", "--command", "c-1", "-f", "/dev/stdout");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("a receipt is written to a file, and /dev/stdout is none; name a new file")
                .doesNotContain("delete the link");
    }

    @Test
    void shouldAskForSubjectAndFile() {
        assertThat(api.run("receipt", "-f", path("r.json")).exitCode()).isEqualTo(2);
        assertThat(api.run("receipt", "orders/1").exitCode()).isEqualTo(2);
        assertThat(api.run("receipt", "--command", "c", "--sweep", "s", "-f", path("r.json"))
                        .exitCode())
                .isEqualTo(2);
    }

    @Test
    void shouldVerifyTheAuditPartByPart() throws IOException {
        // given
        String key = SigningKey.generate("ebb").verifying().toString();
        Files.writeString(folder.resolve("key.pub"), key + "\n");
        String path = "GET /v1/receipts/verification?keys=" + URLEncoder.encode(key, StandardCharsets.UTF_8);
        api.answer(path, part("0", 0, 5, null, "x"));
        api.answer(path + "&after=x", part("0", 5, 9, null, "y"));
        api.answer(path + "&after=y", part("policies", 0, 2, null, null));

        // when
        CommandRun run = api.run("audit", "verify", "--key", path("key.pub"));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("0 +0 +9 +0 +2 +2 +0 +none").containsPattern("policies +0 +2 +0 +1");
    }

    @Test
    void shouldNameTheFirstFault() {
        api.answer(
                "GET /v1/receipts/verification",
                part("0", 0, 5, new FindingView("DROPPED", 6, 7, 12L, "the records are missing"), null));

        CommandRun run = api.run("audit", "verify");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out()).contains("DROPPED: leaves 6 to 7, offset 12, the records are missing");
        assertThat(run.err()).contains("No signature was verified");
    }

    @Test
    void shouldGoOnFromAReceiptAndFromItsOwnResult() throws IOException {
        // given
        SigningKey.Pair key = SigningKey.generate("ebb");
        String oldest = note(key, 3);
        String middle = note(key, 5);
        String newest = note(key, 9);
        String verified = "GET /v1/receipts/verification?known=";
        for (String note : List.of(oldest, newest)) {
            api.answer(
                    verified + URLEncoder.encode(note, StandardCharsets.UTF_8).replace("+", "%20"),
                    part("0", 3, 12, null, null));
        }
        Files.writeString(
                folder.resolve("receipt.json"),
                WireJson.tree(receipt(
                                1,
                                1,
                                Stream.of(middle, oldest, newest)
                                        .map(note -> new NoteView(note, List.of()))
                                        .toList(),
                                List.of()))
                        .toString());
        Files.writeString(
                folder.resolve("verified.json"),
                WireJson.tree(Map.of("trees", List.of(Map.of("tree", "0", "checkpoint", oldest))))
                        .toString());
        Files.writeString(folder.resolve("note"), newest);

        for (String file : List.of("receipt.json", "verified.json", "note")) {
            // when
            CommandRun run = api.run("audit", "verify", "--from", path(file));

            // then
            assertThat(run.exitCode()).as(file + run.err()).isZero();
            assertThat(run.out()).containsPattern("0 +3 +12");
        }
    }

    @Test
    void shouldSayThatNoCheckpointCanBeUsed() throws IOException {
        SigningKey.Pair key = SigningKey.generate("ebb");
        Files.writeString(folder.resolve("key.pub"), key.verifying() + "\n");
        String edited = note(key, 3).replace("\n3\n", "\n4\n");
        for (String text : List.of("", "{", "{}", "[]", "note", edited)) {
            Files.writeString(folder.resolve("kept"), text);

            CommandRun run = api.run("audit", "verify", "--from", path("kept"), "--key", path("key.pub"));

            assertThat(run.exitCode()).as(text).isEqualTo(1);
            assertThat(run.err()).as(text).contains("cannot use a checkpoint from", "--from takes");
        }
        assertThat(api.run("audit", "verify", "--key", path("kept")).err()).contains("holds no public key");
    }

    private static ReceiptView receipt(int part, int parts, List<NoteView> notes, List<ProvenView> records) {
        SubjectView of = new SubjectView(null, null, "c-1", null, null, null);
        return new ReceiptView("ebb-receipt/1", of, part, parts, notes, records, part < parts ? "p" + part : null);
    }

    private static String note(SigningKey.Pair key, long size) {
        return key.signing()
                .sign(new Checkpoint("ebb/audit/0", size, Hash.OF_NOTHING).text())
                .toString();
    }

    private static AuditVerificationView part(
            String tree, long from, long size, @Nullable FindingView finding, @Nullable String next) {
        return new AuditVerificationView(tree, from, size, 0, 1, 1, 0, "note", finding, next);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }
}
