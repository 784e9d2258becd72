package dev.ebb.undo;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.Sha256;
import dev.ebb.domain.command.Command.UndoDeletes;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome.Extent;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.PolicyAdmin.Outcome;
import dev.ebb.wire.commands.PreparedView;
import dev.ebb.wire.commands.PreparedView.Placed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The preparation of an undo in the same act, so that events that come back are not due again once their notice has
 * ended (T-3): a hold over each of their streams that all partitions have acknowledged (M-18), or the policy before the
 * change. Idempotent.
 *
 * @param patience the longest wait for a change of policies to come into force
 */
public record UndoPreparation(CommandDesk desk, PolicyAdmin policies, Duration patience) {

    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** Longest wait for a count, which reads the whole trash once. */
    private static final Duration COUNT_WAIT = Duration.ofSeconds(20);

    /**
     * The preparation that the caller asks for.
     *
     * @param holdCase the case of the hold to place; null for none
     * @param isRevert true if the policy before the change is put back in force
     */
    public record Wish(@Nullable String holdCase, boolean isRevert) {

        public static final Wish NONE = new Wish(null, false);

        public boolean isNone() {
            return holdCase == null && !isRevert;
        }
    }

    /**
     * Ends the request if the wish makes no sense for that undo.
     *
     * @throws ProblemException if the wish makes no sense
     */
    public static void check(Wish wish, UndoFilter filter) {
        if (wish.holdCase() != null && wish.isRevert()) {
            throw ProblemException.badRequest(
                    "undo takes one of hold and revert: each keeps the events that come back");
        }
        if (wish.isRevert() && (filter.policy() == null || filter.version() == null)) {
            throw ProblemException.badRequest(
                    "revert puts the policy from before one change back in force: name the change by policy and"
                            + " version, as GET /v1/trash lists it");
        }
        String problem = wish.holdCase() == null ? null : NameRule.problem(wish.holdCase());
        if (problem != null) {
            throw ProblemException.badRequest("the case of a hold " + problem);
        }
    }

    /**
     * Returns the preparation, once it is in force; null if the undo would bring back nothing and nothing was prepared.
     *
     * @throws ProblemException if the preparation is refused; nothing has changed then
     * @throws NotReadyException if it is not known in time what would come back, or the change was sent and is not in
     *     force in time; the message says what is missing
     */
    @Nullable
    public PreparedView prepare(Wish wish, CommandRequest request, String actor) {
        if (wish.isRevert()) {
            return revert(((UndoDeletes) request.command()).filter(), actor, request.reason());
        }
        Undone found = count(request);
        return found.extent() == Extent.NOTHING
                ? null
                : place(holds(Objects.requireNonNull(wish.holdCase()), found, actor, request.reason()), actor, request);
    }

    private Undone count(CommandRequest undo) {
        CommandRequest count = countOf(undo);
        desk.submit(count);
        CommandResult counted = desk.await(count.commandId(), COUNT_WAIT).orElse(null);
        if (counted == null || !counted.isFinal()) {
            throw new NotReadyException(
                    "the streams of the events that would come back are still being counted, so no hold was placed, and"
                            + " nothing was brought back. Ask again",
                    AGAIN);
        }
        if (counted.refusal() != null || !(counted.outcome() instanceof Undone found)) {
            throw new ProblemException(
                    ProblemKind.REFUSED, counted.detail() + "; no hold was placed, and nothing was brought back");
        }
        return found;
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

    /** Returns a hold over each stream to which something comes back, and over nothing else. */
    private List<Hold> holds(String caseId, Undone found, String actor, String reason) {
        List<String> streams = found.streamNames();
        if (found.streams() > streams.size()) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "events of " + found.streams() + " streams would come back, and hold covers each by name, "
                            + Undone.MOST_STREAMS + " at most; nothing was done. Narrow the undo by namespace or"
                            + " stream, or undo without hold: what comes back stands under a notice, and 'ebb hold"
                            + " place' can cover a namespace meanwhile");
        }
        PolicySet current = policies.current();
        List<Hold> holds = new ArrayList<>();
        // In an order of their own: an undo that is repeated places the same holds, whichever partition answers first.
        for (String stream : streams.stream().sorted().toList()) {
            Scope scope = Scope.stream(stream);
            Hold placed = placed(caseId, scope, current);
            String ofStream = streams.size() == 1 ? caseId : caseId + "-" + (holds.size() + 1);
            String problem = NameRule.problem(ofStream);
            if (problem != null) {
                throw ProblemException.badRequest("the case of a hold " + problem);
            }
            holds.add(placed == null ? hold(ofStream, scope, current, actor, reason) : placed);
        }
        return holds;
    }

    /** Returns the hold that a former try has placed over the stream; null if there is none. */
    private static @Nullable Hold placed(String caseId, Scope stream, PolicySet current) {
        return current.holds().values().stream()
                .filter(hold -> hold.covers().equals(stream))
                .filter(hold ->
                        hold.caseId().equals(caseId) || hold.caseId().matches(Pattern.quote(caseId) + "-[1-9][0-9]*"))
                .findFirst()
                .orElse(null);
    }

    private static Hold hold(String caseId, Scope covers, PolicySet current, String actor, String reason) {
        Hold before = current.holds().get(caseId);
        if (before != null && !before.covers().equals(covers)) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the case '" + caseId + "' covers " + before.covers() + ", and the undo is about " + covers
                            + "; nothing was done. Use another case");
        }
        return before == null ? new Hold(caseId, covers, reason, actor, 0) : before;
    }

    private PreparedView place(List<Hold> holds, String actor, CommandRequest request) {
        Outcome outcome =
                policies.publish(new PolicyBatch(List.of(), holds, Set.of(), actor, request.reason()), patience);
        if (!outcome.isInForce()) {
            Hold first = holds.get(0);
            throw new NotReadyException(
                    (holds.size() == 1
                                    ? "the hold " + first.caseId() + " over " + first.covers() + " is sent"
                                    : holds.size() + " holds from " + first.caseId() + " on are sent")
                            + ", and not all partitions have acknowledged that; nothing was brought back. Ask again;"
                            + " 'ebb hold list' shows what is in force",
                    AGAIN);
        }
        List<Placed> placed = holds.stream()
                .map(hold -> new Placed(hold.caseId(), hold.covers().toString()))
                .toList();
        return new PreparedView(placed, null, outcome.version());
    }

    private PreparedView revert(UndoFilter filter, String actor, String reason) {
        PolicyKey key = PolicyKey.parse(Objects.requireNonNull(filter.policy()));
        long version = Objects.requireNonNull(filter.version());
        if (key.isSettings()) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the settings come from the configuration of the instances; set the former values there, or keep"
                            + " the events that come back with a hold. Nothing was done");
        }
        PolicySet current = policies.current();
        FormerPolicy former = policies.before(key, version).orElseThrow(() -> unknown(key, version));
        if (!isInForce(former.before(), current)) {
            requireNewest(key, version);
            Outcome outcome =
                    policies.publish(batch(former.before(), actor, reason).on(current.edition()), patience);
            requireInForce(key, outcome);
            return new PreparedView(List.of(), key.toString(), outcome.version());
        }
        return new PreparedView(List.of(), key.toString(), current.version());
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
                    key + " has changed again since, at version " + newest + "; nothing was done. Set it as"
                            + " it should be, or keep the events that come back with a hold");
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
                            + " --reason …'; nothing was brought back. Undo again once it is confirmed");
        }
        if (!outcome.isInForce()) {
            throw new NotReadyException(
                    "the former " + key + " is sent and not in force yet; nothing was brought back. Ask again", AGAIN);
        }
    }
}
