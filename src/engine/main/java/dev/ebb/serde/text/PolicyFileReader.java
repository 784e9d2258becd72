package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.ebb.domain.Spelling;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.source.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one file of policies token by token, so that every problem keeps its line. Not thread-safe. */
final class PolicyFileReader {

    private static final String POLICIES = "policies";
    private static final String HOLDS = "holds";
    private static final String SOURCES = "sources";
    private static final Map<String, String> NAMED_BY = Map.of(POLICIES, "scope", HOLDS, "case", SOURCES, "name");

    /**
     * Maximum number of digits of a number: no field needs more, and reading a number costs the square of its digits.
     */
    private static final int MAX_DIGITS = 100;

    private static final int MAX_FAULTS = 1000;

    private static final String FORBIDDEN = "aliases and tags are not allowed; quote a text like \"*\"";

    private static final Pattern DECIMAL = Pattern.compile("[+-]?[0-9]+");

    private final PolicyFileText text;
    private final List<RetentionPolicy> policies = new ArrayList<>();
    private final List<PolicyFile.Problem> problems = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final Map<String, Integer> indexByName = new HashMap<>();
    private final Set<String> lists = new HashSet<>();
    private int faults;

    PolicyFileReader(String text) {
        this.text = new PolicyFileText(text);
    }

    PolicyFile read() {
        try (JsonParser parser = text.parser()) {
            if (text.longLine() > 0) {
                fault(text.longLine(), "", "file", PolicyFileText.LONG_LINE);
            } else {
                readFile(parser);
            }
        } catch (TooManyFaultsException e) {
            String more = "has more faults than these " + MAX_FAULTS;
            problems.add(new PolicyFile.Problem(e.line, "", PolicyProblem.fault("file", more)));
        } catch (JsonProcessingException e) {
            fault(PolicyFileText.line(e), "", "file", "cannot be read: " + PolicyFileText.explain(e));
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot fail to be read", e);
        }
        return faults > 0
                ? new PolicyFile(List.of(), List.of(), List.of(), problems)
                : new PolicyFile(policies, holds, sources, problems);
    }

    private void readFile(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            fault(1, "", "file", "must be an object with a list 'policies' or 'sources'");
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            readTopLevel(parser);
        }
        if (!lists.contains(POLICIES) && !lists.contains(SOURCES)) {
            fault(1, "", POLICIES, "must be there, or 'sources'; write 'policies: []' for none");
        }
        if (parser.nextToken() != null) {
            fault(PolicyFileText.line(parser), "", "file", "must be one document");
        }
    }

    private void readTopLevel(JsonParser parser) throws IOException {
        String name = parser.currentName();
        int line = PolicyFileText.line(parser);
        parser.nextToken();
        if (!NAMED_BY.containsKey(name)) {
            fault(line, "", name, Spelling.unknownField(name, NAMED_BY.keySet()));
            parser.skipChildren();
        } else if (!lists.add(name)) {
            fault(line, "", name, "is named twice");
            parser.skipChildren();
        } else {
            readList(parser, name);
        }
    }

    private void readList(JsonParser parser, String list) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            fault(PolicyFileText.line(parser), "", list, isForbidden(parser) ? FORBIDDEN : "must be a list");
            parser.skipChildren();
            return;
        }
        for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
            readEntry(parser, new Entry(list, index, PolicyFileText.line(parser)));
        }
    }

    private void readEntry(JsonParser parser, Entry entry) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            fault(entry.line, entry.place(), entry.word(), isForbidden(parser) ? FORBIDDEN : "must be an object");
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            readField(parser, entry);
        }
        finish(entry);
    }

    private void readField(JsonParser parser, Entry entry) throws IOException {
        String name = parser.currentName();
        int line = PolicyFileText.line(parser);
        if (faults + entry.faults.size() >= MAX_FAULTS) {
            finish(entry);
            throw new TooManyFaultsException(line);
        }
        parser.nextToken();
        Object value = entry.isSource() ? nested(parser, entry, name) : value(parser);
        if (!entry.isSource() && isForbidden(parser)) {
            entry.faults.add(PolicyProblem.fault(name, FORBIDDEN));
            entry.lines.put(name, line);
        } else if (entry.values.containsKey(name)) {
            entry.faults.add(PolicyProblem.fault(name, "is named twice"));
        } else {
            entry.lines.put(name, line);
            entry.values.put(name, value);
        }
    }

    private static boolean isForbidden(JsonParser parser) throws IOException {
        return parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getTypeId() != null);
    }

    /**
     * Returns a value; a value that no field takes becomes {@link Unusable}, which the parser of policies refuses in
     * its own words.
     */
    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT ->
                parser.getTextLength() > MAX_DIGITS
                        ? new Unusable("a number of " + parser.getTextLength() + " characters")
                        : decimal(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case START_ARRAY -> skipped(parser, "a list");
            case START_OBJECT -> skipped(parser, "an object");
            default -> new Unusable(parser.getText());
        };
    }

    /** Returns a value of a source, which may have objects and lists inside, and keeps the lines of their fields. */
    private static @Nullable Object nested(JsonParser parser, Entry entry, String name) throws IOException {
        if (isForbidden(parser)) {
            entry.faults.add(PolicyProblem.fault(name, FORBIDDEN));
        }
        entry.lines.putIfAbsent(name, PolicyFileText.line(parser));
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, entry, name);
            case START_ARRAY -> list(parser, entry, name);
            default -> value(parser);
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser parser, Entry entry, String name)
            throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            Object value = nested(parser, entry, name + "." + field);
            if (object.containsKey(field)) {
                entry.faults.add(PolicyProblem.fault(name + "." + field, "is named twice"));
            }
            object.put(field, value);
        }
        return object;
    }

    private static List<@Nullable Object> list(JsonParser parser, Entry entry, String name) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            list.add(nested(parser, entry, name + "." + list.size()));
        }
        return list;
    }

    /** Returns the number of its digits. YAML 1.1 reads 010 as 8, which no author means. */
    private static Object decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            return new Unusable(text);
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }

    private static Object skipped(JsonParser parser, String kind) throws IOException {
        parser.skipChildren();
        return new Unusable(kind);
    }

    private void finish(Entry entry) {
        if (entry.isPolicy()) {
            ParsedPolicy parsed = PolicyParser.parse(entry.values);
            entry.faults.addAll(parsed.problems());
            parsed.policy().ifPresent(policies::add);
        } else if (entry.isSource()) {
            ParsedSource parsed = SourceParser.parse(entry.values);
            entry.faults.addAll(parsed.problems());
            parsed.source().ifPresent(source -> add(entry, source));
        } else {
            ParsedHold parsed = HoldParser.parse(entry.values);
            entry.faults.addAll(parsed.problems());
            parsed.hold().ifPresent(holds::add);
        }
        checkName(entry);
        for (PolicyProblem problem : entry.faults) {
            int line = entry.lineOf(problem.field());
            add(new PolicyFile.Problem(line, entry.place(), problem));
        }
    }

    /** Adds a source, with its faults beside those before it. */
    private void add(Entry entry, Source source) {
        for (Source other : sources) {
            String clash = source.clashWith(other);
            if (clash != null) {
                entry.faults.add(PolicyProblem.fault("stream", clash));
            }
        }
        if (sources.size() == Source.MAX_SOURCES) {
            entry.faults.add(
                    PolicyProblem.fault("name", "is one more than the " + Source.MAX_SOURCES + " sources allowed"));
        }
        sources.add(source);
    }

    private void checkName(Entry entry) {
        Integer before = indexByName.putIfAbsent(entry.list + " " + entry.name(), entry.index);
        if (before != null && !entry.name().isEmpty()) {
            entry.faults.add(
                    PolicyProblem.fault(entry.namedBy(), "is declared by " + entry.list + "[" + before + "] already"));
        }
    }

    private void fault(int line, String place, String field, String message) {
        add(new PolicyFile.Problem(line, place, PolicyProblem.fault(field, message)));
    }

    /** Adds a problem; ends the reading when there are too many faults to correct at once. */
    private void add(PolicyFile.Problem problem) {
        boolean isFault = problem.problem().isFault();
        if (isFault && faults == MAX_FAULTS) {
            throw new TooManyFaultsException(problem.line());
        }
        faults += isFault ? 1 : 0;
        problems.add(problem);
    }

    /** Thrown when there are more faults than the result names. */
    private static final class TooManyFaultsException extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private final int line;

        TooManyFaultsException(int line) {
            this.line = line;
        }
    }

    /** A value that no field takes. */
    private record Unusable(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /** One entry of a list while it is read. */
    private static final class Entry {

        private final String list;
        private final int index;
        private final int line;
        private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
        private final Map<String, Integer> lines = new HashMap<>();
        private final List<PolicyProblem> faults = new ArrayList<>();

        Entry(String list, int index, int line) {
            this.list = list;
            this.index = index;
            this.line = line;
        }

        boolean isPolicy() {
            return list.equals(POLICIES);
        }

        boolean isSource() {
            return list.equals(SOURCES);
        }

        /** Returns one word for an entry of the list. */
        String word() {
            return isPolicy() ? "policy" : list.substring(0, list.length() - 1);
        }

        /** Returns the line of a field, or else of the nearest one around it that has a line. */
        int lineOf(String field) {
            for (String name = field; ; name = name.substring(0, Math.max(0, name.lastIndexOf('.')))) {
                Integer known = lines.get(name);
                if (known != null || name.isEmpty()) {
                    return known == null ? line : known;
                }
            }
        }

        /** Returns the field that identifies the entry. */
        String namedBy() {
            return NAMED_BY.getOrDefault(list, "");
        }

        String name() {
            return values.get(namedBy()) instanceof String name ? name : "";
        }

        String place() {
            return list + "[" + index + "]" + (name().isEmpty() ? "" : " (" + name() + ")");
        }
    }
}
