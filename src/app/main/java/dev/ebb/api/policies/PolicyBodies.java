package dev.ebb.api.policies;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.Spelling;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SignatureRule;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.time.Durations;
import dev.ebb.serde.text.HoldJson;
import dev.ebb.serde.text.ParsedHold;
import dev.ebb.serde.text.ParsedPolicy;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.serde.text.PolicyJson;
import dev.ebb.wire.ProblemView.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Policies in the bodies of requests; one fault refuses the whole body, and every fault is named (M-11). As with every
 * other body, a policy that makes no sense by itself is a bad request; a policy that only does not fit those in force
 * is refused.
 */
public final class PolicyBodies {

    static final String REFUSED_FILE = "the file of policies is refused, and nothing in it is applied";

    private PolicyBodies() {}

    /**
     * Policies, holds and sources without a fault.
     *
     * @param warnings peculiarities that are not faults
     */
    public record Parsed(List<RetentionPolicy> policies, List<Hold> holds, List<Source> sources, List<Fault> warnings) {

        /** Returns the policies with these records in force, and without the removed ones. */
        public PolicySet on(PolicySet current, Set<PolicyKey> removed) {
            List<PolicyEdit> edits = new ArrayList<>();
            policies.forEach(policy -> edits.add(new PolicyEdit(PolicyKey.of(policy.scope()), policy, null)));
            holds.forEach(hold -> edits.add(new PolicyEdit(hold.key(), null, hold)));
            sources.forEach(source -> edits.add(PolicyEdit.of(source)));
            removed.forEach(key -> edits.add(new PolicyEdit(key, null, null)));
            return current.with(edits);
        }

        /**
         * Returns these warnings, and those about the policies in force.
         *
         * @param undoMax the longest time for which a delete can be undone
         * @param gap returns a sentence about a scope that covers no stream now; null for any other
         */
        List<Fault> warnings(PolicySet current, Duration undoMax, Function<Scope, @Nullable String> gap) {
            Set<String> patterns = new TreeSet<>();
            current.builtIn().all().keySet().forEach(scope -> addPattern(scope, patterns));
            current.policies().keySet().forEach(scope -> addPattern(scope, patterns));
            policies.forEach(policy -> addPattern(policy.scope(), patterns));
            Set<String> inherited = Stream.concat(
                            current.policies().values().stream().map(VersionedPolicy::policy), policies.stream())
                    .map(RetentionPolicy::pattern)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toSet());
            List<Fault> all = new ArrayList<>(warnings);
            for (RetentionPolicy policy : policies) {
                if (isUnused(policy.scope(), current, inherited)) {
                    all.add(unusedPattern(policy.scope(), patterns));
                }
                if (policy.pattern() != null && !patterns.contains(policy.pattern())) {
                    all.add(unknownPattern(policy, patterns));
                }
                String nothing = gap.apply(policy.scope());
                // A policy may come before its streams; a name beside an existing one, or with an asterisk, is a
                // mistake.
                if (nothing != null && nothing.indexOf(';') >= 0) {
                    all.add(new Fault(policy.scope().toString(), nothing));
                }
                Limit undo = policy.get(PolicyField.UNDO);
                if (undo != null && !undo.isNone() && undo.value() > undoMax.toMillis()) {
                    all.add(longUndo(policy, undo, undoMax));
                }
            }
            return all;
        }

        /**
         * Warns of a pattern that does not exist. This is not a fault: a pattern of the user's own may be set after the
         * namespaces that name it.
         */
        private static Fault unknownPattern(RetentionPolicy policy, Set<String> patterns) {
            return new Fault(
                    "pattern of " + policy.scope(),
                    "there is no policy for pattern:" + policy.pattern()
                            + " yet, until then * is what the namespace inherits from; there is "
                            + String.join(", ", patterns));
        }

        private static boolean isUnused(Scope scope, PolicySet current, Set<String> inherited) {
            return scope.kind() == Scope.Kind.PATTERN
                    && !inherited.contains(scope.name())
                    && !current.builtIn().all().containsKey(scope);
        }

        /** Warns of a pattern without effect. This is not a fault: the namespaces that name it may be set later. */
        private static Fault unusedPattern(Scope scope, Set<String> patterns) {
            List<String> others =
                    patterns.stream().filter(name -> !name.equals(scope.name())).toList();
            String near = Spelling.closest(scope.name(), others)
                    .map(name -> "; the nearest pattern is '" + name + "'")
                    .orElse("");
            return new Fault(scope.toString(), "no namespace names this pattern yet, so it covers nothing" + near);
        }

        /**
         * Warns of an undo that is longer than this instance allows. This is not a fault: another instance may be about
         * to start with a longer one.
         */
        private static Fault longUndo(RetentionPolicy policy, Limit undo, Duration undoMax) {
            return new Fault(
                    "undo of " + policy.scope(),
                    undoMax.isZero()
                            ? "undo.max is 0, so nothing can be undone"
                            : Durations.format(undo.value()) + " is more than undo.max, so deletes can be undone for "
                                    + Durations.format(undoMax.toMillis())
                                    + ", no longer; the trash keeps no event for longer");
        }

        private static void addPattern(Scope scope, Set<String> patterns) {
            if (scope.kind() == Scope.Kind.PATTERN) {
                patterns.add(scope.name());
            }
        }
    }

    /** Returns the policy of a body. The body may leave out the scope, which the path names. */
    static Parsed policy(Scope scope, String body) {
        ParsedPolicy parsed = PolicyJson.read(object(body), scope);
        List<Fault> faults = new ArrayList<>();
        parsed.problems().stream().filter(PolicyProblem::isFault).map(Fault::of).forEach(faults::add);
        parsed.policy().ifPresent(policy -> faults.addAll(ofSignature("", policy)));
        refuse("the policy of " + scope + " is refused", faults);
        return new Parsed(
                parsed.policy().stream().toList(),
                List.of(),
                List.of(),
                parsed.warnings().stream().map(Fault::of).toList());
    }

    /** Returns the hold of a body. The body may leave out the case, which the path names. */
    public static Hold hold(String caseId, String body) {
        ParsedHold parsed = HoldJson.read(object(body), caseId);
        List<Fault> faults =
                new ArrayList<>(parsed.problems().stream().map(Fault::of).toList());
        if (parsed.hold().map(hold -> hold.reason().isBlank()).orElse(false)) {
            faults.add(new Fault("reason", "must be named; it is kept with the hold"));
        }
        parsed.hold().ifPresent(hold -> faults.addAll(ofSignature("", hold)));
        refuse("the hold '" + caseId + "' is refused", faults);
        return parsed.hold().orElseThrow();
    }

    private static JsonNode object(String body) {
        JsonNode json = ApiJson.parseStrictly(body);
        if (json == null || !json.isObject()) {
            throw ProblemException.badRequest("the body is not a JSON object");
        }
        return json;
    }

    /** Returns all policies, holds and sources of a file. */
    public static Parsed file(String text) {
        PolicyFile file = PolicyFile.read(text);
        if (file.isFaulty()) {
            refuse(REFUSED_FILE, faults(file, true));
        }
        List<Fault> tooLong = new ArrayList<>();
        file.policies().forEach(policy -> tooLong.addAll(ofSignature(policy.scope() + ", ", policy)));
        file.holds().forEach(hold -> tooLong.addAll(ofSignature(hold.key() + ", ", hold)));
        refuse(REFUSED_FILE, tooLong);
        return new Parsed(file.policies(), file.holds(), file.sources(), faults(file, false));
    }

    private static List<Fault> ofSignature(String place, RetentionPolicy policy) {
        return ofSignature(place, "updatedBy", policy.updatedBy(), policy.reason());
    }

    private static List<Fault> ofSignature(String place, Hold hold) {
        return ofSignature(place, "placedBy", hold.placedBy(), hold.reason());
    }

    private static List<Fault> ofSignature(
            String place, String author, @Nullable String name, @Nullable String reason) {
        return Stream.of(fault(place, author, name), fault(place, "reason", reason))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Fault> fault(String place, String field, @Nullable String text) {
        return Optional.ofNullable(SignatureRule.problem(field, text))
                .map(problem -> new Fault(place + field, problem));
    }

    /**
     * Refuses a file without policies that would remove all policies in force, unless its plan was looked at before: a
     * template whose variable is empty is more likely than this wish (T-15).
     */
    static void refuseEmpty(Parsed file, boolean prune, PolicySet current) {
        int inForce = current.policies().size();
        if (prune && file.policies().isEmpty() && inForce > 0) {
            throw new ProblemException(
                    ProblemKind.REFUSED,
                    "the file has no policies, so with prune it would remove "
                            + (inForce == 1 ? "the only one" : "all " + inForce)
                            + " in force; nothing is applied. Check how the file is made, leave out prune, apply it by"
                            + " a plan, or remove policies one by one: ebb policy delete SCOPE --reason …");
        }
    }

    private static List<Fault> faults(PolicyFile file, boolean isFault) {
        return file.problems().stream()
                .filter(problem -> problem.problem().isFault() == isFault)
                .map(Fault::of)
                .toList();
    }

    private static void refuse(String detail, List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw new ProblemException(ProblemKind.BAD_REQUEST, detail, faults);
        }
    }
}
