package dev.ebb.serde.text;

import dev.ebb.domain.Spelling;
import dev.ebb.domain.event.NameRule;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceFields;
import dev.ebb.domain.source.SourcePath;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.domain.source.SourceStatus;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.domain.source.SourceTemplate;
import dev.ebb.domain.source.SourceTime;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Durations;
import dev.ebb.domain.time.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a source from the values that files and records give to its fields, and names all faults at once, each with its
 * fix (F-1). A null equals a missing field.
 */
public final class SourceParser {

    /** All fields, in the order of display. */
    public static final List<String> FIELDS = List.of(
            "name",
            "topic",
            "as",
            "key",
            "value",
            "stream",
            "id",
            "type",
            "status",
            "occurredAt",
            "completedAt",
            "expiresAt",
            "correlationId",
            "metadata",
            "keep",
            "from",
            "target",
            "paused");

    private static final Set<String> STATUS = Set.of("from", "map");
    private static final Set<String> TIME = Set.of("from", "unit", "plus");
    private static final Set<String> TARGET = Set.of("tombstones");
    private static final Set<String> TOMBSTONES = Set.of("topic");
    static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final FieldReader reader;
    private final List<PolicyProblem> problems = new ArrayList<>();

    private SourceParser(Map<String, ? extends @Nullable Object> fields) {
        this.reader = FieldReader.of(fields, FIELDS, problems);
    }

    /** Returns the source of these values by the names of the fields: texts, numbers, truth values, objects, lists. */
    public static ParsedSource parse(Map<String, ? extends @Nullable Object> fields) {
        return new SourceParser(fields).parse();
    }

    private ParsedSource parse() {
        String name = reader.required("name", "orders", SourceParser::name);
        String topic = reader.required("topic", "shop.orders", SourceParser::topic);
        Source.Form form =
                reader.required("as", "table", text -> choice(text, Source.Form::parse, List.of("table", "log")));
        FormatChoice key = format("key", FormatChoice.Kind.TEXT);
        FormatChoice value = format("value", FormatChoice.Kind.JSON);
        SourceTemplate stream = reader.required("stream", "orders/{value.customerId}", SourceTemplate::parse);
        SourceFields fields = fields(stream == null ? SourceTemplate.parse("unknown") : stream);
        Source.Keep keep =
                reader.text("keep", text -> choice(text, Source.Keep::parse, List.of("reference", "payload")));
        SourceStart from = reader.text("from", SourceParser::start);
        SourceTarget target = target();
        Boolean isPaused = reader.value("paused", SourceParser::truth);
        if (!problems.isEmpty() || name == null || topic == null || form == null) {
            return new ParsedSource(Optional.empty(), problems);
        }
        Source source = new Source(
                name,
                topic,
                form,
                key,
                value,
                fields,
                keep == null ? Source.Keep.REFERENCE : keep,
                from == null ? SourceStart.EARLIEST : from,
                target,
                Boolean.TRUE.equals(isPaused));
        check(source);
        return new ParsedSource(problems.isEmpty() ? Optional.of(source) : Optional.empty(), problems);
    }

    private static String name(String text) {
        String problem = NameRule.problem(text);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        return text;
    }

    private static Boolean truth(Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new IllegalArgumentException("must be true or false");
    }

    private static String topic(String text) {
        if (!TOPIC.matcher(text).matches() || text.equals(".") || text.equals("..")) {
            throw new IllegalArgumentException(
                    "must be the name of a topic: 1 to 249 letters, digits, '.', '_' and '-'");
        }
        return text;
    }

    private static <T> T choice(String text, Function<String, Optional<T>> parser, List<String> all) {
        return parser.apply(text).orElseThrow(() -> {
            String meant = Spelling.closest(text, all)
                    .map(word -> "; did you mean " + word + "?")
                    .orElse("");
            return new IllegalArgumentException("must be " + String.join(" or ", all) + ", was '" + text + "'" + meant);
        });
    }

    private FormatChoice format(String name, FormatChoice.Kind usual) {
        FormatChoice choice = reader.value(name, value -> {
            if (value instanceof Map) {
                return new ConverterParser(reader, name).parse();
            }
            return FormatChoice.of(
                    choice(String.valueOf(value), FormatChoice.Kind::parse, List.of("json", "avro", "text", "bytes")));
        });
        return choice == null ? FormatChoice.of(usual) : choice;
    }

    private SourceFields fields(SourceTemplate stream) {
        return new SourceFields(
                stream,
                reader.text("id", SourceTemplate::parse),
                reader.text("type", SourceTemplate::parse),
                status(),
                time("occurredAt"),
                time("completedAt"),
                time("expiresAt"),
                reader.text("correlationId", SourcePath::parse),
                metadata());
    }

    private @Nullable SourceStatus status() {
        FieldReader status = object("status", STATUS, "{from: value.state, map: {SHIPPED: completed}}");
        if (status == null) {
            return null;
        }
        SourcePath from = status.required("from", "value.state", SourcePath::parse);
        Map<String, String> map = status.texts("map");
        if (map.isEmpty()) {
            status.fault(
                    "map", "must name a value whose work is done, such as {SHIPPED: completed}; all others protect");
        }
        if (map.size() > SourceStatus.MAX_VALUES) {
            status.fault("map", "must name at most " + SourceStatus.MAX_VALUES + " values, names " + map.size());
        }
        map.forEach((value, word) -> {
            String problem = NameRule.problem(word);
            if (problem != null) {
                status.fault("map." + value, problem);
            }
        });
        return from == null ? null : new SourceStatus(from, map);
    }

    private @Nullable SourceTime time(String name) {
        if (reader.raw(name) instanceof String) {
            SourcePath path = reader.text(name, SourcePath::parse);
            return path == null ? null : new SourceTime(path, null, 0);
        }
        FieldReader time = object(name, TIME, "a path, or {from: value.at, unit: ms, plus: 1d}");
        if (time == null) {
            return null;
        }
        SourcePath from = time.required("from", "value.at", SourcePath::parse);
        SourceTime.Unit unit =
                time.text("unit", text -> choice(text, SourceTime.Unit::parse, List.of("s", "ms", "us", "ns", "days")));
        Long plus = time.text("plus", SourceParser::duration);
        if (plus != null && !name.equals("expiresAt")) {
            time.fault("plus", "belongs to expiresAt alone; a policy's maxAge counts from " + name);
        }
        return from == null ? null : new SourceTime(from, unit, plus == null ? 0 : plus);
    }

    private static long duration(String text) {
        long ms = Durations.parseMs(text);
        if (ms <= 0) {
            throw new IllegalArgumentException("must be positive, was " + text);
        }
        return ms;
    }

    private Map<String, SourcePath> metadata() {
        Map<String, SourcePath> paths = new LinkedHashMap<>();
        reader.texts("metadata").forEach((name, text) -> {
            try {
                paths.put(name, SourcePath.parse(text));
            } catch (IllegalArgumentException e) {
                reader.fault("metadata." + name, String.valueOf(e.getMessage()));
            }
        });
        return paths;
    }

    private static SourceStart start(String text) {
        return switch (text) {
            case "earliest" -> SourceStart.EARLIEST;
            case "latest" -> SourceStart.LATEST;
            default -> SourceStart.at(startTime(text));
        };
    }

    private static long startTime(String text) {
        try {
            return Times.readAhead(text, DateBound.BEGINNING);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be earliest, latest or a time: " + e.getMessage(), e);
        }
    }

    private SourceTarget target() {
        if (reader.raw("target") instanceof String) {
            SourceTarget target = reader.text("target", SourceParser::plainTarget);
            return target == null ? SourceTarget.NONE : target;
        }
        FieldReader target = object("target", TARGET, "none, truncate, {tombstones: same} or {tombstones: {topic: T}}");
        if (target == null) {
            return SourceTarget.NONE;
        }
        FieldReader other = target.object("tombstones", TOMBSTONES);
        if (other != null) {
            String topic = other.required("topic", "shop.orders.deletes", SourceParser::topic);
            return topic == null ? SourceTarget.NONE : SourceTarget.of(topic);
        }
        SourceTarget same = target.required(
                "tombstones",
                "same",
                text -> choice(
                        text,
                        word -> word.equals("same") ? Optional.of(SourceTarget.SAME) : Optional.empty(),
                        List.of("same", "{topic: T}")));
        return same == null ? SourceTarget.NONE : same;
    }

    private static SourceTarget plainTarget(String text) {
        return switch (text) {
            case "none" -> SourceTarget.NONE;
            case "truncate" -> SourceTarget.TRUNCATE;
            default ->
                throw new IllegalArgumentException(
                        "must be none, truncate, {tombstones: same} or {tombstones: {topic: T}}, was '" + text + "'");
        };
    }

    /** Returns a reader of the object in a field; null if it is missing, or is no object, which is a fault. */
    private @Nullable FieldReader object(String name, Set<String> known, String form) {
        FieldReader object = reader.object(name, known);
        if (object == null && reader.raw(name) != null) {
            reader.fault(name, "must be " + form);
        }
        return object;
    }

    private void check(Source source) {
        long paths = source.fields().paths().stream().distinct().count();
        if (paths > Source.MAX_PATHS) {
            reader.fault("name", "uses " + paths + " paths; at most " + Source.MAX_PATHS + " are allowed");
        }
        checkForm(source);
        checkTarget(source);
        lookingInside("key", source.key(), source, SourcePath.Root.KEY);
        lookingInside("value", source.value(), source, SourcePath.Root.VALUE);
    }

    private void checkForm(Source source) {
        if (source.isTable() && source.fields().id() != null) {
            reader.fault("id", "belongs to as: log; the key is the id of a row of a table");
        }
    }

    private void checkTarget(Source source) {
        SourceTarget target = source.target();
        if (target.hasTombstones() && !source.isTable()) {
            reader.fault("target", "tombstones belong to as: table; a log can have target: truncate");
        }
        if (target.kind() == SourceTarget.Kind.TRUNCATE && source.isTable()) {
            reader.fault("target", "truncate belongs to as: log; a table can have target: {tombstones: same}");
        }
        if (target.topic().equals(source.topic())) {
            reader.fault("target", "names the topic of the source itself; write {tombstones: same}");
        }
    }

    /** Texts and bytes have no fields, so a path that looks into them would make a fault of each record. */
    private void lookingInside(String part, FormatChoice format, Source source, SourcePath.Root root) {
        boolean isFlat =
                Stream.of(FormatChoice.Kind.TEXT, FormatChoice.Kind.BYTES).anyMatch(format.kind()::equals);
        source.fields().paths().stream()
                .filter(path -> isFlat && path.root() == root && !path.names().isEmpty())
                .findFirst()
                .ifPresent(path -> reader.fault(
                        part,
                        "is " + format + ", which has no fields, but a path is " + path + "; write " + part
                                + ": json or avro"));
    }
}
