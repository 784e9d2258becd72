package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.source.FormatChoice;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourcePath;
import dev.ebb.domain.source.SourceStart;
import dev.ebb.domain.source.SourceTarget;
import dev.ebb.domain.source.SourceTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("F-1")
class SourceFileTest {

    private static final String SPECIFICATION = """
            policies:
              - scope: namespace:orders
                maxAge: 30d
            sources:
              - name: orders
                topic: shop.orders
                as: table
                key: text
                value: avro
                stream: "orders/{value.customerId}"
                type: order
                status: {from: value.state, map: {SHIPPED: completed, CANCELLED: cancelled}}
                occurredAt: value.createdAt
                expiresAt: {from: value.validUntil, plus: 1d}
                correlationId: header.trace
                metadata: {user: value.customerId}
                keep: reference
                from: earliest
                target: {tombstones: same}
            """;

    @Test
    void shouldReadTheFileOfTheSpecification() {
        // when
        PolicyFile file = PolicyFile.read(SPECIFICATION);

        // then
        assertThat(file.problems()).isEmpty();
        assertThat(file.policies()).hasSize(1);
        Source source = file.sources().get(0);
        assertThat(source.name()).isEqualTo("orders");
        assertThat(source.topic()).isEqualTo("shop.orders");
        assertThat(source.form()).isEqualTo(Source.Form.TABLE);
        assertThat(source.key()).isEqualTo(FormatChoice.of(FormatChoice.Kind.TEXT));
        assertThat(source.value()).isEqualTo(FormatChoice.of(FormatChoice.Kind.AVRO));
        assertThat(source.fields().stream()).hasToString("orders/{value.customerId}");
        assertThat(source.fields().type()).hasToString("order");
        assertThat(source.fields().status().map()).isEqualTo(Map.of("SHIPPED", "completed", "CANCELLED", "cancelled"));
        assertThat(source.fields().occurredAt())
                .isEqualTo(new SourceTime(SourcePath.parse("value.createdAt"), null, 0));
        assertThat(source.fields().expiresAt())
                .isEqualTo(new SourceTime(SourcePath.parse("value.validUntil"), null, 86_400_000));
        assertThat(source.fields().correlationId()).hasToString("header.trace");
        assertThat(source.fields().metadata()).isEqualTo(Map.of("user", SourcePath.parse("value.customerId")));
        assertThat(source.keep()).isEqualTo(Source.Keep.REFERENCE);
        assertThat(source.from()).isEqualTo(SourceStart.EARLIEST);
        assertThat(source.target()).isEqualTo(SourceTarget.SAME);
    }

    @Test
    @Tag("F-9")
    void shouldHaveNoTargetAndKeepNoBytesUnlessItIsTold() {
        // when
        Source source = read("as: log", "stream: clicks").sources().get(0);

        // then
        assertThat(source.target()).isEqualTo(SourceTarget.NONE);
        assertThat(source.keep()).isEqualTo(Source.Keep.REFERENCE);
        assertThat(source.from()).isEqualTo(SourceStart.EARLIEST);
        assertThat(source.key()).isEqualTo(FormatChoice.of(FormatChoice.Kind.TEXT));
        assertThat(source.value()).isEqualTo(FormatChoice.of(FormatChoice.Kind.JSON));
    }

    @Test
    @Tag("F-3")
    void shouldReadConvertersAndTransformsAsConnectHasThem() {
        // when
        Source source = read(
                        "as: table",
                        "stream: jobs",
                        "value:",
                        "  converter: org.apache.kafka.connect.json.JsonConverter",
                        "  options: {schemas.enable: false}",
                        "  transforms:",
                        "    - type: io.debezium.transforms.ExtractNewRecordState",
                        "      options: {delete.tombstone.handling.mode: tombstone}")
                .sources()
                .get(0);

        // then
        assertThat(source.value())
                .isEqualTo(FormatChoice.ofConverter(
                        "org.apache.kafka.connect.json.JsonConverter",
                        Map.of("schemas.enable", "false"),
                        List.of(new FormatChoice.Transform(
                                "io.debezium.transforms.ExtractNewRecordState",
                                Map.of("delete.tombstone.handling.mode", "tombstone")))));
    }

    /** Each fault names the field and the fix. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    as: tabl                                           | as: must be table or log, was 'tabl'; did you mean table?
                    value: jsn                                         | value: must be json or avro or text or bytes, was 'jsn'; did you mean json?
                    stream: "a/{valu.x}"                               | stream: 'valu.x' is not a path; did you mean value.x?
                    stream: "a/{x}"                                    | stream: 'x' is not a path; write key.a.b, value.a.b, header.h or record.topic
                    stream: "a/{value.x"                               | has a '{' without a '}'
                    stream: "a/value.x}"                               | has a '}' without a '{'
                    stream: "a/{value..x}"                             | has an empty name between its dots
                    stream: "a/{record.time}"                          | write record.topic, record.partition, record.offset or record.timestamp
                    stream: "a/{header}"                               | ends too early; write for example header.trace
                    status: value.state                                | status: must be {from: value.state, map: {SHIPPED: completed}}
                    status: {from: value.state}                        | status.map: must name a value whose work is done
                    status: {from: value.state, map: {A: " x"}}        | status.map.A: must not begin or end with a blank
                    status: {fron: value.state, map: {A: completed}}   | status.fron: unknown field 'fron'; did you mean from?
                    occurredAt: {from: value.at, unit: millis}         | occurredAt.unit: must be s or ms or us or ns or days, was 'millis'
                    occurredAt: {from: value.at, plus: 1d}             | occurredAt.plus: belongs to expiresAt alone
                    expiresAt: {from: value.at, plus: 1}               | expiresAt.plus: must be a text
                    expiresAt: {from: value.at, plus: "-1d"}           | expiresAt.plus: must be positive
                    keep: all                                          | keep: must be reference or payload, was 'all'
                    from: yesterday                                    | from: must be earliest, latest or a time
                    target: same                                       | target: must be none, truncate, {tombstones: same}
                    target: {tombstones: other}                        | target.tombstones: must be same or {topic: T}
                    target: {tombstones: {topic: shop.orders}}         | target: names the topic of the source itself; write {tombstones: same}
                    target: truncate                                   | target: truncate belongs to as: log
                    id: "{value.id}"                                   | id: belongs to as: log; the key is the id of a row of a table
                    key: {transforms: []}                              | key.converter: must be named
                    topic: "shop orders"                               | topic: must be the name of a topic
                    stram: a                                           | unknown field 'stram'; did you mean stream?
                    metadata: {user: customer}                         | metadata.user: 'customer' is not a path
                    metadata: {user: {a: b}}                           | metadata.user: must be a text
                    type: [a]                                          | type: must be a text
                    value: text                                        | value: is text, which has no fields, but a path is value.c; write value: json or avro
                    """)
    void shouldNameTheFieldAndTheFix(String line, String fault) {
        // when
        PolicyFile file = read("stream: \"orders/{value.c}\"", line);

        // then
        assertThat(file.sources()).isEmpty();
        assertThat(file.problems()).isNotEmpty().allMatch(problem -> problem.place()
                .equals("sources[0] (orders)"));
        assertThat(file.problems())
                .anySatisfy(problem -> assertThat(problem.toString()).contains(fault));
    }

    @Test
    void shouldNameAllFaultsWithTheirLines() {
        // when
        PolicyFile file = PolicyFile.read("""
                sources:
                  - name: orders
                    topic: shop.orders
                    as: table
                    stream: a
                    status:
                      from: value.state
                      map:
                        DONE: completed
                        LOST: ""
                    keep: all
                """);

        // then
        assertThat(file.problems().stream().map(PolicyFile.Problem::toString))
                .containsExactly(
                        "line 10, sources[0] (orders): status.map.LOST: must not be empty",
                        "line 11, sources[0] (orders): keep: must be reference or payload, was 'all'");
    }

    @Test
    void shouldRefuseAFileWithoutPoliciesAndSources() {
        assertThat(PolicyFile.read("holds: []").problems()).isNotEmpty();
        assertThat(PolicyFile.read("sources: []").problems()).isEmpty();
    }

    @Test
    void shouldRefuseAliasesAndTagsInsideASource() {
        // when
        PolicyFile file = read("as: table", "stream: a", "metadata: {user: &a value.x, other: *a}");

        // then
        assertThat(file.isFaulty()).isTrue();
        assertThat(file.problems().toString()).contains("aliases and tags are not allowed");
    }

    @Test
    void shouldRefuseAFieldThatIsNamedTwiceAtAnyDepth() {
        assertThat(read("as: table", "as: log", "stream: a").problems().toString())
                .contains("as: is named twice");
        assertThat(read("as: table", "stream: a", "status: {from: value.a, from: value.b, map: {A: read}}")
                        .problems()
                        .toString())
                .contains("status.from: is named twice");
    }

    /** Their offsets are those of another topic, so a tombstone there could delete a row that was not judged. */
    @Test
    @Tag("F-6")
    void shouldRefuseTombstonesOnATopicThatAnotherSourceReads() {
        // given
        String sender = "  - {name: a, topic: shop.a, as: table, stream: a, target: {tombstones: {topic: shop.b}}}\n";
        String reader = "  - {name: b, topic: %s, as: table, stream: b}\n";

        // then
        for (String both : List.of(sender + reader.formatted("shop.b"), reader.formatted("shop.b") + sender)) {
            assertThat(PolicyFile.read("sources:\n" + both).problems().toString())
                    .contains("the tombstones of 'a' would go to the topic that 'b' reads");
        }
        assertThat(PolicyFile.read("sources:\n" + sender + reader.formatted("shop.c"))
                        .problems())
                .isEmpty();
    }

    @Test
    @Tag("F-10")
    void shouldNameTheListsThatAFileMayHave() {
        assertThat(PolicyFile.read("").problems().toString()).contains("a list 'policies' or 'sources'");
    }

    /** Ids of two sources can be equal, so neither may reach the streams of the other. */
    @Tag("F-4")
    @ParameterizedTest
    @CsvSource({
        "orders/{value.c}, orders/{value.d}, true",
        "orders/{value.c}, orders/eu/{value.d}, true",
        "orders/{value.c}, orders/eu, true",
        "orders, orders, true",
        "{value.tenant}, orders, true",
        "orders, orders/{value.c}, false",
        "orders/{value.c}, invoices/{value.d}, false",
        "orders/a, orders/b, false"
    })
    void shouldRefuseSourcesThatMayShareAStream(String one, String other, boolean isRefused) {
        // when
        PolicyFile file = PolicyFile.read("sources:\n" + source("a", one) + source("b", other));

        // then
        assertThat(file.isFaulty()).isEqualTo(isRefused);
        if (isRefused) {
            assertThat(file.problems().toString())
                    .contains("stream: may lead into the streams of the source 'a'", "such as b/");
        }
    }

    @Test
    void shouldRefuseTwoSourcesOfOneName() {
        // when
        PolicyFile file = PolicyFile.read("sources:\n" + source("a", "x") + source("a", "y"));

        // then
        assertThat(file.problems().toString()).contains("name: is declared by sources[0] already");
    }

    @Tag("F-2")
    @ParameterizedTest
    @CsvSource({"63, false", "64, false", "65, true"})
    void shouldTakeSixtyFourSources(int count, boolean isRefused) {
        // when
        PolicyFile file = PolicyFile.read("sources:\n"
                + IntStream.range(0, count)
                        .mapToObj(i -> source("s" + i, "s" + i + "/x"))
                        .collect(Collectors.joining()));

        // then
        assertThat(file.isFaulty()).isEqualTo(isRefused);
    }

    @Tag("F-2")
    @ParameterizedTest
    @CsvSource({"15, false", "16, false", "17, true"})
    void shouldTakeSixteenPaths(int count, boolean isRefused) {
        // given
        String paths =
                IntStream.range(0, count).mapToObj(i -> "{value.p" + i + "}").collect(Collectors.joining());

        // when
        PolicyFile file = read("as: table", "stream: \"s" + paths + "\"", "type: \"{value.p0}\"");

        // then
        assertThat(file.isFaulty()).isEqualTo(isRefused);
    }

    @Tag("F-2")
    @ParameterizedTest
    @CsvSource({"15, false", "16, false", "17, true"})
    void shouldTakePathsOfSixteenLevels(int levels, boolean isRefused) {
        // given
        String path = "value" + ".a".repeat(levels);

        // when / then
        assertThat(read("as: table", "stream: \"s{" + path + "}\"").isFaulty()).isEqualTo(isRefused);
    }

    private static PolicyFile read(String... lines) {
        boolean hasForm = List.of(lines).toString().contains("as:");
        return PolicyFile.read("sources:\n  - name: orders\n"
                + (List.of(lines).toString().contains("topic: \"") ? "" : "    topic: shop.orders\n")
                + (hasForm ? "" : "    as: table\n")
                + keepLastOf(lines).stream().map(line -> "    " + line + "\n").collect(Collectors.joining()));
    }

    /** A line that names the field of an earlier one takes its place, except one that is there to be named twice. */
    private static List<String> keepLastOf(String... lines) {
        boolean isReplaced = lines.length == 2 && lines[1].startsWith("stream:") && lines[0].startsWith("stream:");
        return isReplaced ? List.of(lines[1]) : List.of(lines);
    }

    private static String source(String name, String stream) {
        return "  - name: " + name + "\n    topic: t-" + name + "\n    as: table\n    stream: \"" + stream + "\"\n";
    }
}
