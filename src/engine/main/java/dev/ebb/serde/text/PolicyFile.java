package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.source.Source;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;

/**
 * A file of policies (O-13), in YAML or JSON: an object with a list {@code policies}, and lists {@code holds} and {@code
 * sources} if there are any (F-1). Validated as a whole.
 *
 * @param policies the policies in the order of the file; empty if the file has a fault, so that it is never applied in
 *     part
 * @param holds the holds in the order of the file; empty if the file has a fault
 * @param sources the sources in the order of the file; empty if the file has a fault
 * @param problems every fault and every warning with its place
 */
public record PolicyFile(
        List<RetentionPolicy> policies, List<Hold> holds, List<Source> sources, List<Problem> problems) {

    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .build())
            .build();

    /**
     * A problem and its place.
     *
     * @param line the line, from 1
     * @param place the entry of the list with its scope, such as {@code policies[0] (*)}; empty for the file itself
     * @param problem the problem itself
     */
    public record Problem(int line, String place, PolicyProblem problem) {

        @Override
        public String toString() {
            return "line " + line + (place.isEmpty() ? "" : ", " + place) + ": " + problem;
        }
    }

    public PolicyFile {
        policies = List.copyOf(policies);
        holds = List.copyOf(holds);
        sources = List.copyOf(sources);
        problems = List.copyOf(problems);
    }

    /** Returns the file of a set in force: its records, the widest first, without built-in values, its holds and its sources. */
    public static ObjectNode of(PolicySet policies) {
        ObjectNode file = JsonNodeFactory.instance.objectNode();
        ArrayNode list = file.putArray("policies");
        policies.policies().values().stream()
                .map(VersionedPolicy::policy)
                .sorted(Comparator.comparing(RetentionPolicy::scope))
                .forEach(policy -> list.add(
                        PolicyJson.write(policy.toBuilder().confirmed(null).build())));
        ArrayNode holds = file.putArray("holds");
        policies.holds().values().stream()
                .sorted(Comparator.comparing(Hold::caseId))
                .forEach(hold -> holds.add(HoldJson.declaration(hold)));
        List<Source> declared = policies.sources()
                .all()
                .sorted(Comparator.comparing(Source::name))
                .toList();
        if (!declared.isEmpty()) {
            ArrayNode sources = file.putArray("sources");
            declared.forEach(source -> sources.add(SourceJson.write(source)));
        }
        return file;
    }

    /** Returns a file in YAML; every text is quoted, so that none reads as a number or an alias. */
    public static String yaml(ObjectNode file) {
        try {
            return YAML.writeValueAsString(file);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the text of a file; never throws because of its content. */
    public static PolicyFile read(String text) {
        return new PolicyFileReader(text).read();
    }

    /** Returns true if the file must not be applied. */
    public boolean isFaulty() {
        return problems.stream().anyMatch(problem -> problem.problem().isFault());
    }
}
