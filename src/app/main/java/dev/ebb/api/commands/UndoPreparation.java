package dev.ebb.api.commands;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.Sha256;
import dev.ebb.domain.command.Command.UndoDeletes;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.PolicyAdmin.Outcome;
import dev.ebb.wire.commands.PreparedView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The preparation of an undo in the same act, so that events that come back are not due again at once (T-3): a hold
 * that all partitions have acknowledged (M-18), or the policy before the change. Idempotent.
 */
final class UndoPreparation {

    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** Longest wait for a count, which reads the whole trash once. */
    private static final Duration COUNT_WAIT = Duration.ofSeconds(20);

    private final CommandDesk desk;
    private final PolicyAdmin policies;
    private final Duration wait;

    /** @param wait the longest wait for a change of policies to come into force */
    UndoPreparation(CommandDesk desk, PolicyAdmin policies, Duration wait) {
        this.desk = desk;
        this.policies = policies;
        this.wait = wait;
    }

    /**
     * The preparation that the caller asks for.
     *
     * @param holdCase the case of the hold to place; null for none
     * @param isRevert true if the policy before the change is put back in force
     */
    record Wish(@Nullable String holdCase, boolean isRevert) {

        static final Wish NONE = new Wish(null, false);

        boolean isNone() {
            return holdCase == null && !isRevert;
        }
    }

    /**
     * Ends the request if the wish makes no sense for that undo.
     *
     * @throws ProblemException if the wish makes no sense
     */
    static void check(Wish wish, UndoFilter filter) {
        if (wish.holdCase() != null && wish.isRevert()) {
            throw ProblemException.badRequest(
                    "undo takes one of hold and revert: each keeps the events that come back");
        }
        if (wish.isRevert() && (filter.policy() == null || filter.version() == null)) {
            throw ProblemException.badRequest(
                    "revert puts the policy from before one change back in force: name the change by policy and"
                            + " version, as GET /v1/trash lists it");
        }
        String problem = wish.holdCase() == null ? null : StreamName.problem(wish.holdCase());
        if (problem != null) {
            throw ProblemException.badRequest("the case of a hold " + problem);
        }
    }

    /**
     * Returns false if a hold would stay behind for nothing, because the undo would bring back nothing. If the count is
     * not known soon enough, the hold is placed, since an undo must not wait for it. A policy is put back in any case:
     * it keeps events that are still there.
     */
    boolean isWorthwhile(Wish wish, CommandRequest undo) {
        if (wish.isRevert()) {
            return true;
        }
        CommandRequest count = countOf(undo);
        desk.submit(count);
        CommandResult counted = desk.await(count.commandId(), COUNT_WAIT)
                .filter(result -> result.isFinal() && result.refusal() == null)
                .orElse(null);
        UndoOutcome found = counted == null ? null : counted.undo();
        return found == null
                || found.events() > 0
                || found.executions() > 0
                || found.count(NotReturned.WOULD_BE_DUE) > 0;
    }

    /**
     * Returns the dry run that counts what the undo would bring back; the same undo under the same id has the same dry
     * run.
     */
    private static CommandRequest countOf(CommandRequest undo) {
        byte[] id = (undo.commandId() + ' ' + undo.command()).getBytes(StandardCharsets.UTF_8);
        String countId = "count-" + HexFormat.of().formatHex(Sha256.of(id));
        return new CommandRequest(countId, undo.actor(), undo.reason(), true, null, undo.command());
    }

    /**
     * Places the hold or puts back the policy, and returns when it is in force.
     *
     * @throws ProblemException if the preparation is refused; nothing has changed then
     * @throws NotReadyException if the change was sent and is not in force in time; the message says what is missing
     */
    PreparedView prepare(Wish wish, CommandRequest request, String actor) {
        UndoFilter filter = ((UndoDeletes) request.command()).filter();
        return wish.isRevert()
                ? revert(filter, actor, request.reason())
                : place(Objects.requireNonNull(wish.holdCase()), covers(filter), actor, request.reason());
    }

    private PreparedView place(String caseId, Scope covers, String actor, String reason) {
        PolicySet current = policies.current();
        Hold before = current.holds().get(caseId);
        if (before != null && !before.covers().equals(covers)) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the case '" + caseId + "' covers " + before.covers() + ", and the undo is about " + covers
                            + "; nothing was done. Use another case");
        }
        Hold hold = before == null ? new Hold(caseId, covers, reason, actor, 0) : before;
        Outcome outcome = policies.publish(new PolicyBatch(List.of(), List.of(hold), Set.of(), actor, reason), wait);
        if (!outcome.isInForce()) {
            throw new NotReadyException(
                    "the hold " + caseId + " over " + covers + " is sent, and not all partitions have acknowledged it;"
                            + " nothing was brought back. Ask again; 'ebb hold list' shows it",
                    AGAIN);
        }
        return new PreparedView(caseId, covers.toString(), null, outcome.version());
    }

    /** Returns the smallest scope that a hold can cover and that contains the whole undo. */
    static Scope covers(UndoFilter filter) {
        if (filter.stream() != null) {
            return Scope.stream(filter.stream().value());
        }
        if (filter.namespace() != null) {
            return Scope.namespace(filter.namespace());
        }
        Scope scope = filter.policy() == null
                ? null
                : PolicyKey.parse(filter.policy()).scope();
        return scope == null || scope.kind() == Scope.Kind.PATTERN ? Scope.ALL : scope;
    }

    private PreparedView revert(UndoFilter filter, String actor, String reason) {
        PolicyKey key = PolicyKey.parse(Objects.requireNonNull(filter.policy()));
        long version = Objects.requireNonNull(filter.version());
        if (key.isSettings()) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the settings come from the configuration of the instances; set the former values there, or keep"
                            + " the events that come back with --hold. Nothing was done");
        }
        PolicySet current = policies.current();
        FormerPolicy former = policies.before(key, version).orElseThrow(() -> unknown(key, version));
        if (!isInForce(former.before(), current)) {
            requireNewest(key, version);
            Outcome outcome =
                    policies.publish(batch(former.before(), actor, reason).on(current.version()), wait);
            requireInForce(key, outcome);
            return new PreparedView(null, null, key.toString(), outcome.version());
        }
        return new PreparedView(null, null, key.toString(), current.version());
    }

    private static ProblemException unknown(PolicyKey key, long version) {
        return new ProblemException(
                ProblemKind.REFUSED,
                "there is no change of " + key + " at version " + version + " that can be undone; nothing was done."
                        + " 'ebb trash list' shows the changes that can be");
    }

    /**
     * Refuses to undo a change after which there was another one: the later change was a decision too, and must not be
     * lost.
     */
    private void requireNewest(PolicyKey key, long version) {
        long newest = policies.before(key, null).map(FormerPolicy::version).orElse(version);
        if (newest != version) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    key + " has changed again since, at version " + newest + "; nothing was done. Set it with 'ebb"
                            + " policy set', or keep the events that come back with --hold");
        }
    }

    private static boolean isInForce(PolicyEdit edit, PolicySet current) {
        PolicyEdit now = current.inForce(edit.key());
        return !edit.mayMakeDue(now) && !now.mayMakeDue(edit);
    }

    private static PolicyBatch batch(PolicyEdit edit, String actor, String reason) {
        RetentionPolicy policy = edit.policy();
        Hold hold = edit.hold();
        if (policy != null) {
            // The author confirmed the deletes of that time; the deletes of today are not confirmed (O-8).
            RetentionPolicy signed = policy.toBuilder()
                    .confirmed(null)
                    .updatedBy(actor)
                    .reason(reason)
                    .build();
            return new PolicyBatch(List.of(signed), List.of(), Set.of(), actor, reason);
        }
        return hold == null
                ? new PolicyBatch(List.of(), List.of(), Set.of(edit.key()), actor, reason)
                : new PolicyBatch(List.of(), List.of(hold), Set.of(), actor, reason);
    }

    private static void requireInForce(PolicyKey key, Outcome outcome) {
        if (!outcome.waiting().isEmpty()) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the former " + key + " would delete many events at once and waits for 'ebb policy confirm " + key
                            + "'; nothing was brought back. Undo again once it is confirmed");
        }
        if (!outcome.isInForce()) {
            throw new NotReadyException(
                    "the former " + key + " is sent and not in force yet; nothing was brought back. Ask again", AGAIN);
        }
    }
}
