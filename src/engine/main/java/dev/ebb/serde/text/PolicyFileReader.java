package dev.ebb.serde.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/** Reads one file of policies token by token, so that every problem keeps its line. Not thread-safe. */
final class PolicyFileReader {

    private static final String POLICIES = "policies";
    private static final String HOLDS = "holds";
    private static final Map<String, String> NAMED_BY = Map.of(POLICIES, "scope", HOLDS, "case");
    private static final int MAX_CHARACTERS = 64 << 20;

    /**
     * The longest line in characters: the reader of YAML copies the rest of a line repeatedly, so a line costs the
     * square of its length.
     */
    private static final int MAX_LINE = 65_536;

    /** The deepest nesting; a file needs four levels. At each token the reader of YAML checks all open levels. */
    private static final int MAX_DEPTH = 16;

    /** The most digits of a number: no field needs more, and reading a number costs the square of its digits. */
    private static final int MAX_DIGITS = 100;

    private static final int MAX_FAULTS = 1000;
    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build();
    /** The part of a message in which the library speaks of its own settings; the line is named anyway. */
    private static final Pattern SOURCE = Pattern.compile(" \\(start marker at [^)]*\\)[^)]*\\)");

    private final String text;
    private final List<RetentionPolicy> policies = new ArrayList<>();
    private final List<PolicyFile.Problem> problems = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private final Map<String, Integer> indexByName = new HashMap<>();
    private final Set<String> lists = new HashSet<>();
    private int faults;

    PolicyFileReader(String text) {
        this.text = text;
    }

    PolicyFile read() {
        try (JsonParser parser = parser()) {
            if (requireShortLines(parser)) {
                readFile(parser);
            }
        } catch (TooManyFaultsException e) {
            PolicyProblem more =
                    PolicyProblem.fault("file", "has more faults than the " + MAX_FAULTS + " that are named");
            problems.add(new PolicyFile.Problem(e.line, "", more));
        } catch (JsonProcessingException e) {
            fault(lineOf(e), "", "file", "cannot be read: " + explain(e));
        } catch (IOException e) {
            throw new UncheckedIOException("a text cannot fail to be read", e);
        }
        boolean isFaulty =
                problems.stream().anyMatch(problem -> problem.problem().isFault());
        return new PolicyFile(isFaulty ? List.of() : policies, isFaulty ? List.of() : holds, problems);
    }

    private JsonParser parser() throws IOException {
        boolean isJson = text.stripLeading().startsWith("{");
        return isJson
                ? OutsideJson.builder()
                        .streamReadConstraints(CONSTRAINTS)
                        .build()
                        .createParser(text)
                : yaml().createParser(text);
    }

    private static YAMLFactory yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        return YAMLFactory.builder()
                .loaderOptions(options)
                .streamReadConstraints(CONSTRAINTS)
                .build();
    }

    /** Returns true if all lines are short enough. JSON may be in one line, which costs no more than several. */
    private boolean requireShortLines(JsonParser parser) {
        int line = 1;
        int start = 0;
        for (int i = 0; i <= text.length() && parser instanceof YAMLParser; i++) {
            if (i - start > MAX_LINE) {
                fault(line, "", "file", "has a line of more than " + MAX_LINE + " characters; break it, or write JSON");
                return false;
            }
            if (i < text.length() && text.charAt(i) == '\n') {
                line++;
                start = i + 1;
            }
        }
        return true;
    }

    private void readFile(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            fault(1, "", "file", "must be an object with a list 'policies'");
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            readTopLevel(parser);
        }
        if (!lists.contains(POLICIES)) {
            fault(1, "", POLICIES, "must be there; write 'policies: []' for none");
        }
        if (parser.nextToken() != null) {
            fault(line(parser), "", "file", "must be one document");
        }
    }

    private void readTopLevel(JsonParser parser) throws IOException {
        String name = parser.currentName();
        int line = line(parser);
        parser.nextToken();
        if (!NAMED_BY.containsKey(name)) {
            fault(line, "", name, "unknown field '" + name + "'");
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
            fault(line(parser), "", list, "must be a list");
            parser.skipChildren();
            return;
        }
        for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
            readEntry(parser, new Entry(list, index, line(parser)));
        }
    }

    private void readEntry(JsonParser parser, Entry entry) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            fault(entry.line, entry.place(), entry.isPolicy() ? "policy" : "hold", "must be an object");
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
        int line = line(parser);
        if (faults + entry.faults.size() >= MAX_FAULTS) {
            finish(entry);
            throw new TooManyFaultsException(line);
        }
        parser.nextToken();
        Object value = value(parser);
        if (parser instanceof YAMLParser yaml && (yaml.isCurrentAlias() || yaml.getTypeId() != null)) {
            entry.faults.add(PolicyProblem.fault(name, "aliases and tags are not allowed; quote a text like \"*\""));
            entry.lines.put(name, line);
        } else if (entry.lines.putIfAbsent(name, line) != null) {
            entry.faults.add(PolicyProblem.fault(name, "is named twice"));
        } else {
            entry.values.put(name, value);
        }
    }

    /** A value; one that no field takes stays a collection, which the parser of policies refuses in its own words. */
    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT ->
                parser.getTextLength() > MAX_DIGITS
                        ? new Unusable("a number of " + parser.getTextLength() + " characters")
                        : parser.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case START_ARRAY -> skipped(parser, "a list");
            case START_OBJECT -> skipped(parser, "an object");
            default -> new Unusable(parser.getText());
        };
    }

    private static Object skipped(JsonParser parser, String what) throws IOException {
        parser.skipChildren();
        return new Unusable(what);
    }

    private void finish(Entry entry) {
        if (entry.isPolicy()) {
            ParsedPolicy parsed = PolicyParser.parse(entry.values);
            entry.faults.addAll(parsed.problems());
            parsed.policy().ifPresent(policies::add);
        } else {
            ParsedHold parsed = HoldParser.parse(entry.values);
            entry.faults.addAll(parsed.problems());
            parsed.hold().ifPresent(holds::add);
        }
        checkName(entry);
        for (PolicyProblem problem : entry.faults) {
            int line = entry.lines.getOrDefault(problem.field(), entry.line);
            add(new PolicyFile.Problem(line, entry.place(), problem));
        }
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

    /** Ends the reading when there are too many faults to mend at once. */
    private void add(PolicyFile.Problem problem) {
        boolean isFault = problem.problem().isFault();
        if (isFault && faults == MAX_FAULTS) {
            throw new TooManyFaultsException(problem.line());
        }
        faults += isFault ? 1 : 0;
        problems.add(problem);
    }

    private static int line(JsonParser parser) {
        return Math.max(1, parser.currentTokenLocation().getLineNr());
    }

    private static int lineOf(JsonProcessingException e) {
        return e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
    }

    private static String explain(JsonProcessingException e) {
        String message = SOURCE.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
        String summary = message.lines()
                .limit(3)
                .map(String::strip)
                .reduce((a, b) -> a + ", " + b)
                .orElse("");
        return message.contains("alias") ? summary + " (quote the scope: \"*\")" : summary;
    }

    /** There are more faults than are named. */
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

        /** The field that tells the entry from others. */
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
