package dev.ebb.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.receipt.AuditVerificationView.FindingView;
import dev.ebb.wire.WireJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = {
            "Reads the whole audit again, recomputes the root of every checkpoint, and names the first record of"
                    + " each tree that was changed, dropped or inserted. A record that the retention of the topic has"
                    + " deleted is no fault.",
            "Exit code 0 if audit and checkpoints agree, 3 if they do not. With --key, one of these keys must have"
                    + " signed the last checkpoint of each tree, and no checkpoint may bear only signatures of other"
                    + " keys."
        },
        footer = {
            "  ebb audit verify --key receipts.key.pub",
            "  ebb audit verify --from kept.checkpoint --key old.key.pub --key receipts.key.pub"
        })
public final class AuditVerifyCommand extends ApiCommand {

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "A checkpoint that you kept, a receipt, or the output of this command with -o json: compares"
                    + " only the trees in this file, from there on.")
    private @Nullable Path from;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "File of a public key with which to verify signatures. May be repeated. Default: verifies no"
                    + " signatures.")
    private List<Path> keys = new ArrayList<>();

    @Override
    public Integer call() {
        List<VerifierKey> verifiers =
                keys.stream().map(AuditVerifyCommand::readKey).toList();
        List<@Nullable String> known = new ArrayList<>();
        if (from == null) {
            known.add(null);
        } else {
            known.addAll(KeptCheckpoints.of(from, read(from), verifiers));
        }
        List<AuditVerificationView> trees = verify(api.connectSilently(), known, verifiers);
        ObjectNode result = Json.object();
        ArrayNode list = result.putArray("trees");
        trees.forEach(tree -> list.add(WireJson.tree(tree)));
        output.print(result, terminal -> table(terminal, trees));
        boolean isSound = trees.stream().allMatch(tree -> tree.finding() == null);
        return (isSound ? ExitCode.OK : ExitCode.DIFFERENCES).code();
    }

    private static VerifierKey readKey(Path file) {
        try {
            return VerifierKey.parse(read(file));
        } catch (IllegalArgumentException e) {
            String message = file + " holds no public key: " + e.getMessage() + "; use the FILE.pub that 'ebb"
                    + " receipt key' made";
            throw new CommandFailure(ExitCode.FAILED, message, e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw CommandFailure.unread(file, e);
        }
    }

    /** Verifies part by part, and adds up the parts of each tree. */
    private List<AuditVerificationView> verify(
            RestApi connected, List<@Nullable String> known, List<VerifierKey> verifiers) {
        String publicKeys = verifiers.isEmpty()
                ? null
                : String.join(",", verifiers.stream().map(VerifierKey::toString).toList());
        Map<String, AuditVerificationView> trees = new LinkedHashMap<>();
        AtomicReference<String> shown = new AtomicReference<>("the audit is read");
        try (Progress progress = Progress.saying(output.terminal(), shown::get)) {
            for (String note : known) {
                Map<String, AuditVerificationView> ofNote = new LinkedHashMap<>();
                String after = null;
                do {
                    JsonNode answer = connected.get(RestPath.of("v1", "receipts", "verification")
                            .with("keys", publicKeys)
                            .with("known", note)
                            .with("after", after));
                    AuditVerificationView part = Json.as(answer, AuditVerificationView.class);
                    ofNote.merge(part.tree(), part, AuditVerifyCommand::sum);
                    shown.set("tree " + part.tree() + ": " + part.size() + " records");
                    after = part.next();
                } while (after != null);
                ofNote.forEach((tree, one) -> trees.merge(tree, one, AuditVerifyCommand::worse));
            }
        }
        return List.copyOf(trees.values());
    }

    /** Returns the result that begins at the oldest checkpoint of a tree, unless only the newest one shows a fault. */
    private static AuditVerificationView worse(AuditVerificationView oldest, AuditVerificationView newest) {
        return oldest.finding() == null && newest.finding() != null ? newest : oldest;
    }

    private static AuditVerificationView sum(AuditVerificationView first, AuditVerificationView second) {
        return new AuditVerificationView(
                first.tree(),
                first.from(),
                second.size(),
                second.open(),
                first.checkpoints() + second.checkpoints(),
                first.signed() + second.signed(),
                first.unsigned() + second.unsigned(),
                second.checkpoint() == null ? first.checkpoint() : second.checkpoint(),
                second.finding(),
                null);
    }

    private void table(Terminal terminal, List<AuditVerificationView> trees) {
        new Columns<AuditVerificationView>()
                .left("TREE", AuditVerificationView::tree)
                .count("FROM", AuditVerificationView::from)
                .count("RECORDS", AuditVerificationView::size)
                .count("OPEN", AuditVerificationView::open)
                .count("CHECKPOINTS", AuditVerificationView::checkpoints)
                .count("SIGNED", AuditVerificationView::signed)
                .count("UNSIGNED", AuditVerificationView::unsigned)
                .left(
                        "FAULT",
                        tree -> tree.finding() == null ? "none" : tree.finding().kind())
                .table(trees)
                .print(terminal);
        for (AuditVerificationView tree : trees) {
            if (tree.finding() != null) {
                terminal.out().println("tree " + tree.tree() + " " + text(tree.finding()));
            }
        }
        if (trees.stream().anyMatch(tree -> tree.open() > 0)) {
            output.note("OPEN: records after the last checkpoint, which are not proved yet. Verify again in a moment.");
        }
        if (keys.isEmpty()) {
            output.note("No signature was verified: name the public key with --key.");
        }
    }

    private static String text(FindingView finding) {
        boolean isSize = finding.kind().equals(Finding.Kind.CHECKPOINT.name()) && finding.offset() == null;
        String which = isSize
                ? "size " + finding.last()
                : finding.first() == finding.last()
                        ? "leaf " + finding.first()
                        : "leaves " + finding.first() + " to " + finding.last();
        String place = finding.offset() == null ? "" : ", offset " + finding.offset();
        return finding.kind() + ": " + which + place + ", " + finding.detail();
    }
}
