package dev.ebb.api.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.HoldJson;
import dev.ebb.serde.text.PolicyJson;
import dev.ebb.serde.text.SourceJson;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.FieldDifference;
import dev.ebb.wire.policies.PolicyFileComparisonView.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file of policies, holds and sources, compared with those in force. Author and reason of a policy count only where the file
 * has them; its confirmation for the brake never counts. Immutable.
 */
record PolicyFileComparison(List<RetentionPolicy> policies, List<Hold> holds, List<Source> sources, PolicySet inForce) {

    private static final List<String> SAID_IF_NAMED = List.of("updatedBy", "reason");

    /** Returns the policies of the file that are not in force in this form. */
    List<RetentionPolicy> changedPolicies() {
        return policies.stream()
                .filter(policy -> !fields(inForce(policy.scope()), json(policy)).isEmpty())
                .toList();
    }

    /** Returns the holds of the file that are not in force in this form. */
    List<Hold> changedHolds() {
        return holds.stream()
                .filter(hold -> !fields(inForce(hold.caseId()), HoldJson.declaration(hold))
                        .isEmpty())
                .toList();
    }

    /** Returns the sources of the file that are not in force in this form. */
    List<Source> changedSources() {
        return sources.stream()
                .filter(source -> !source.equals(inForce.sources().get(source.name())))
                .toList();
    }

    PolicyFileComparisonView view(List<ProblemView.Fault> warnings) {
        List<Difference> differences = new ArrayList<>();
        policies.stream()
                .sorted(Comparator.comparing(RetentionPolicy::scope))
                .forEach(policy ->
                        add(differences, PolicyKey.of(policy.scope()), inForce(policy.scope()), json(policy)));
        holds.stream()
                .sorted(Comparator.comparing(Hold::caseId))
                .forEach(hold -> add(differences, hold.key(), inForce(hold.caseId()), HoldJson.declaration(hold)));
        sources.stream()
                .sorted(Comparator.comparing(Source::name))
                .forEach(source -> add(
                        differences,
                        PolicyKey.ofSource(source.name()),
                        source(source.name()),
                        SourceJson.write(source)));
        missing().forEach(key -> add(differences, key, inForce(key), null));
        return new PolicyFileComparisonView(differences.isEmpty(), differences, warnings);
    }

    private Set<PolicyKey> missing() {
        Set<PolicyKey> keys = new TreeSet<>();
        inForce.policies().keySet().forEach(scope -> keys.add(PolicyKey.of(scope)));
        inForce.holds().values().forEach(hold -> keys.add(hold.key()));
        inForce.sources().all().forEach(source -> keys.add(PolicyKey.ofSource(source.name())));
        policies.forEach(policy -> keys.remove(PolicyKey.of(policy.scope())));
        holds.forEach(hold -> keys.remove(hold.key()));
        sources.forEach(source -> keys.remove(PolicyKey.ofSource(source.name())));
        return keys;
    }

    private static void add(
            List<Difference> differences, PolicyKey key, @Nullable ObjectNode there, @Nullable ObjectNode inFile) {
        List<FieldDifference> fields = fields(there, inFile);
        if (!fields.isEmpty()) {
            Kind kind = there == null ? Kind.ADDED : inFile == null ? Kind.MISSING : Kind.CHANGED;
            differences.add(new Difference(key.toString(), kind, fields));
        }
    }

    private static List<FieldDifference> fields(@Nullable ObjectNode there, @Nullable ObjectNode inFile) {
        Set<String> names = new TreeSet<>();
        if (there != null) {
            there.fieldNames().forEachRemaining(names::add);
        }
        if (inFile != null) {
            inFile.fieldNames().forEachRemaining(names::add);
            SAID_IF_NAMED.stream()
                    .filter(name -> there != null && !inFile.has(name))
                    .forEach(names::remove);
        }
        return names.stream()
                .filter(name -> !value(there, name).equals(value(inFile, name)))
                .map(name -> new FieldDifference(name, orNull(value(there, name)), orNull(value(inFile, name))))
                .collect(Collectors.toList());
    }

    private static JsonNode value(@Nullable ObjectNode node, String name) {
        return node == null ? MissingNode.getInstance() : node.path(name);
    }

    private static @Nullable JsonNode orNull(JsonNode node) {
        return node.isMissingNode() ? null : node;
    }

    private @Nullable ObjectNode inForce(PolicyKey key) {
        Scope scope = key.scope();
        String source = key.sourceName();
        if (source != null) {
            return source(source);
        }
        return scope == null ? inForce(String.valueOf(key.caseId())) : inForce(scope);
    }

    private @Nullable ObjectNode inForce(Scope scope) {
        VersionedPolicy record = inForce.policies().get(scope);
        return record == null ? null : json(record.policy());
    }

    private @Nullable ObjectNode inForce(String caseId) {
        Hold hold = inForce.holds().get(caseId);
        return hold == null ? null : HoldJson.declaration(hold);
    }

    private @Nullable ObjectNode source(String name) {
        Source source = inForce.sources().get(name);
        return source == null ? null : SourceJson.write(source);
    }

    private static ObjectNode json(RetentionPolicy policy) {
        return PolicyJson.write(policy.toBuilder().confirmed(null).build());
    }
}
