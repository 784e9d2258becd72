package dev.ebb.receipt;

import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.ReceiptQueries;
import dev.ebb.port.history.ReceiptQueries.Part;
import dev.ebb.port.history.ReceiptQueries.RefusedReceiptException;
import dev.ebb.port.history.ReceiptQueries.Verified;
import dev.ebb.port.history.TimeRange;
import dev.ebb.receipt.AuditVerificationView.FindingView;
import dev.ebb.receipt.ReceiptView.SubjectView;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Receipts of deletes, and the comparison of the audit with its checkpoints. */
public record ReceiptResource(ReceiptQueries receipts) implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/v1/receipts", this::receipt, "Proves deletes with the audit and its signed checkpoints.")
                        .query("stream", "Stream of the deletes. Default: all.")
                        .query("event", "Id of a deleted event. Default: all.")
                        .query("command", "Command that deleted the events. Default: all.")
                        .query("sweep", "Sweep that deleted the events. Default: all.")
                        .between()
                        .query("after", "The 'next' of the previous part. Go on until there is none.")
                        .answers(ReceiptView.class),
                ApiRoute.get(
                                "/v1/receipts/verification",
                                this::verify,
                                "Compares a part of the audit with its checkpoints, and names the first fault.")
                        .query("keys", "Public keys with which to verify signatures, separated by commas.")
                        .query(
                                "known",
                                "Note of a checkpoint that you kept: compares only its tree, from this checkpoint on.")
                        .query("after", "The 'next' of the previous part. Go on until 'next' is null.")
                        .answers(AuditVerificationView.class));
    }

    private void receipt(Context ctx, QueryParams params) {
        String stream = params.text("stream");
        String event = params.text("event");
        String command = params.text("command");
        String sweep = params.text("sweep");
        String after = params.text("after");
        TimeRange time = params.time();
        params.done();
        if (stream == null && sweep == null && command == null) {
            throw ProblemException.badRequest("name a 'stream', a 'sweep' or a 'command' for the receipt");
        }
        if (sweep != null && command != null) {
            throw ProblemException.badRequest("'sweep' and 'command' cannot be combined");
        }
        AuditFilter filter = AuditFilter.within(time).ofStream(stream).ofSweep(command == null ? sweep : command);
        Part part = refusable(() -> receipts.receipt(filter, event, after));
        if (part.receipt().records().isEmpty()) {
            throw ProblemException.notFound(
                    "no audit record of such deletes has a place in a tree, or the topic no longer has it");
        }
        SubjectView subject = new SubjectView(
                stream,
                event,
                command,
                sweep,
                time.fromMs() == 0 ? null : Instant.ofEpochMilli(time.fromMs()),
                time.toMs() == Long.MAX_VALUE ? null : Instant.ofEpochMilli(time.toMs()));
        ApiJson.answer(ctx, ReceiptView.of(subject, part.receipt(), part.part(), part.parts(), part.next()));
    }

    private void verify(Context ctx, QueryParams params) {
        params.done();
        String keys = params.text("keys");
        String known = params.text("known");
        List<VerifierKey> keyList = keys == null
                ? List.of()
                : Arrays.stream(keys.split(",", -1))
                        .map(key -> parsed("keys", key, VerifierKey::parse))
                        .toList();
        Checkpoint checkpoint = known == null
                ? null
                : parsed(
                        "known",
                        known,
                        note -> Checkpoint.parse(SignedNote.parse(note).text()));
        ApiJson.answer(ctx, view(refusable(() -> receipts.verify(keyList, checkpoint, params.text("after")))));
    }

    private static <T> T parsed(String name, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest("'" + name + "' cannot be read: " + e.getMessage());
        }
    }

    private static <T> T refusable(Supplier<T> question) {
        try {
            return question.get();
        } catch (RefusedReceiptException e) {
            throw new ProblemException(ProblemKind.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    private static AuditVerificationView view(Verified part) {
        return new AuditVerificationView(
                part.tree(),
                part.from(),
                part.size(),
                part.open(),
                part.checkpoints(),
                part.signed(),
                part.unsigned(),
                part.checkpoint(),
                finding(part.finding()),
                part.next());
    }

    private static @Nullable FindingView finding(@Nullable Finding finding) {
        return finding == null ? null : FindingView.of(finding);
    }
}
