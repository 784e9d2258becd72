package dev.ebb.topology.erase;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.erase.EraseCase;
import dev.ebb.domain.erase.EraseFindings;
import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.observe.Copies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Account of a finished erasure, with all places where bytes of its events may remain. Not thread-safe. */
public final class EraseAccount {

    /** Time after which the places are unknown: a broker that does not answer must not hold up the result for ever. */
    private static final long PATIENCE_MS = Duration.ofSeconds(30).toMillis();

    private static final String STAYING =
            "none: they are held, protected, damaged or new; remove the reason, or use --force, and erase again";

    private static final List<RemainingPlace> UNKNOWN = List.of(new RemainingPlace(
            "all topics",
            "whole events",
            null,
            "unknown: the brokers did not report the settings of the topics in time"));

    private final CommandRequest request;
    private final long erasedMs;
    private final CompletableFuture<List<RemainingPlace>> places;

    /**
     * @param rest the bytes that were not looked at
     * @param erasedMs time at which the last event went
     */
    public EraseAccount(Copies copies, CommandRequest request, EraseRest rest, long erasedMs) {
        this.request = request;
        this.erasedMs = erasedMs;
        this.places = copies.places(namespace(erased(request)), rest, erasedMs).toCompletableFuture();
    }

    /**
     * Returns the record for the audit; null if the places are not known yet.
     *
     * @param findings the matches that stay
     */
    public @Nullable AuditRecord record(Deleted counts, EraseFindings findings, String detail, long nowMs) {
        if (!places.isDone() && nowMs < erasedMs + PATIENCE_MS) {
            return null;
        }
        boolean isKnown = places.isDone() && !places.isCompletedExceptionally();
        EraseCase account = account(counts, findings, detail, isKnown ? places.getNow(UNKNOWN) : UNKNOWN);
        return AuditRecord.ofErasure(
                request.auditId("erased"),
                request.origin(),
                EraseCase.scope(account.caseId()),
                JsonState.write(account),
                erasedMs);
    }

    private EraseCase account(Deleted counts, EraseFindings findings, String detail, List<RemainingPlace> known) {
        Command.EraseEvents command = erased(request);
        Map<String, Long> left = new TreeMap<>();
        findings.staying().forEach((reason, events) -> left.put(reason.name(), events));
        List<RemainingPlace> all = new ArrayList<>(known);
        long staying = left.values().stream().mapToLong(Long::longValue).sum();
        if (staying > 0) {
            all.add(
                    0,
                    new RemainingPlace(
                            "the state and SQL: " + staying + " matches that stay", "whole events", null, STAYING));
        }
        return new EraseCase(
                command.caseId(),
                command.where().stream().map(EventCondition::field).toList(),
                namespace(command),
                counts.eventsDeleted(),
                counts.bytesDeleted(),
                left,
                detail,
                erasedMs,
                all);
    }

    private static Command.EraseEvents erased(CommandRequest request) {
        return (Command.EraseEvents) request.command();
    }

    private static String namespace(Command.EraseEvents command) {
        String namespace = command.namespace();
        return namespace == null ? "" : namespace;
    }
}
