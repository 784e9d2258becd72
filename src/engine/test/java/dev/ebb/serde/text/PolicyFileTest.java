package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-13")
class PolicyFileTest {

    private static final long DAY = 86_400_000L;

    @Test
    void shouldReadTheFileOfTheSpecification() {
        // when
        PolicyFile file = PolicyFile.read("""
                policies:
                  - scope: "*"
                    maxAge: 30d
                  - scope: namespace:kafka
                    anchor: occurred
                    maxAge: 365d
                    maxCount: 500
                """);

        // then
        assertThat(file.problems()).isEmpty();
        assertThat(file.policies())
                .containsExactly(
                        RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(30 * DAY)).build(),
                        RetentionPolicy.of(Scope.namespace("kafka"))
                                .anchor(Anchor.OCCURRED)
                                .maxAge(Limit.of(365 * DAY))
                                .maxCount(Limit.of(500))
                                .build());
    }

    @Test
    void shouldReadEveryField() {
        // when
        PolicyFile file = PolicyFile.read("""
                policies:
                - scope: namespace:a
                  maxAge: unlimited
                  maxCount: unlimited
                  maxBytes: 1048576
                  anchor: completed
                  minTtl: none
                  maxTtl: P30D
                  allowInfiniteTtl: true
                  interval: 500ms
                  pattern: my-pattern
                  enabled: true
                  updatedBy: anna
                  reason: ~
                """);

        // then
        assertThat(file.problems()).isEmpty();
        assertThat(file.policies())
                .containsExactly(RetentionPolicy.of(Scope.namespace("a"))
                        .maxAge(Limit.NONE)
                        .maxCount(Limit.NONE)
                        .set(PolicyField.MAX_BYTES, Limit.of(1_048_576))
                        .anchor(Anchor.COMPLETED)
                        .set(PolicyField.MIN_TTL, Limit.NONE)
                        .set(PolicyField.MAX_TTL, Limit.of(30 * DAY))
                        .set(PolicyField.ALLOW_INFINITE_TTL, true)
                        .intervalMs(500L)
                        .set(PolicyField.PATTERN, "my-pattern")
                        .enabled(true)
                        .updatedBy("anna")
                        .build());
    }

    @Test
    void shouldReadJsonWithTabs() {
        // when
        PolicyFile file =
                PolicyFile.read("\n{\n\t\"policies\": [\n\t\t{\"scope\": \"*\", \"maxAge\": \"15m\"}\n\t]\n}\n");

        // then
        assertThat(file.problems()).isEmpty();
        assertThat(file.policies()).hasSize(1);
    }

    @Test
    void shouldReadAListWithoutPolicies() {
        // when
        PolicyFile file = PolicyFile.read("policies: []");

        // then
        assertThat(file.isFaulty()).isFalse();
        assertThat(file.policies()).isEmpty();
    }

    @Test
    @Tag("O-13")
    void shouldReadHolds() {
        // when
        PolicyFile file = PolicyFile.read("""
                policies: []
                holds:
                  - case: LIT-2026-1
                    covers: stream:kafka/core
                    reason: litigation
                """);

        // then
        assertThat(file.problems()).isEmpty();
        assertThat(file.holds())
                .containsExactly(new Hold("LIT-2026-1", Scope.stream("kafka/core"), "litigation", "", 0));
    }

    @Test
    @Tag("M-11")
    void shouldNameEveryFaultOfHolds() {
        // when
        PolicyFile file = PolicyFile.read("""
                policies: []
                holds:
                  - case: a
                    covers: pattern:x
                  - covers: '*'
                    why: not
                  - case: a
                    covers: galaxy:x
                """);

        // then
        assertThat(file.holds()).isEmpty();
        assertThat(faults(file))
                .containsExactly(
                        "line 4, holds[0] (a): covers: must be stream:<name>, namespace:<name> or *, was 'pattern:x'",
                        "line 6, holds[1]: why: unknown field 'why'",
                        "line 5, holds[1]: case: must be named",
                        "line 8, holds[2] (a): covers: 'galaxy:x' is not a scope; write stream:<name>, namespace:<name>,"
                                + " pattern:<name> or *",
                        "line 7, holds[2] (a): case: is declared by holds[0] already");
    }

    @Test
    @Tag("M-11")
    void shouldNameEveryFaultWithItsLineAndPolicy() {
        // when
        PolicyFile file = PolicyFile.read("""
                policies:
                  - scope: "*"
                    maxAge: soon
                    maxCount: -1
                    keepLast: 0
                  - maxAge: 1d
                  - scope: stream:a
                    pattern: cache
                    colour: red
                    minTtl: 2d
                    maxTtl: 1d
                  - scope: stream:a
                  - nothing
                holds: []
                others: 1
                """);

        // then
        assertThat(file.isFaulty()).isTrue();
        assertThat(file.policies()).isEmpty();
        assertThat(file.problems())
                .extracting(PolicyFile.Problem::toString)
                .containsExactly(
                        "line 3, policies[0] (*): maxAge: 'soon' is not a duration; write for example 15m, 24h, 30d or"
                                + " P30D",
                        "line 4, policies[0] (*): maxCount: must be positive, was -1",
                        "line 5, policies[0] (*): keepLast: must be positive, was 0",
                        "line 6, policies[1]: scope: must be named",
                        "line 9, policies[2] (stream:a): colour: unknown field 'colour'",
                        "line 10, policies[2] (stream:a): minTtl: must not be greater than maxTtl: 2d > 1d",
                        "line 8, policies[2] (stream:a): pattern: is for namespace scopes only, this policy is for"
                                + " stream:a",
                        "line 12, policies[3] (stream:a): scope: has a policy without any rule; set one, maxAge for"
                                + " example, or delete the policy",
                        "line 12, policies[3] (stream:a): scope: is declared by policies[2] already",
                        "line 13, policies[4]: policy: must be an object",
                        "line 15: others: unknown field 'others'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    maxAge: 0s | must be positive, was 0s
                    maxAge: -1d | must be positive, was -1d
                    maxAge: 30 | must be a duration such as 30d, or 'unlimited', was '30'
                    maxAge: none | must be a duration such as 30d, or 'unlimited', was 'none'
                    maxAge: 1000000000000d | '1000000000000d' is too long
                    minTtl: unlimited | must be a duration such as 30d, or 'none', was 'unlimited'
                    maxTtl: 1 day | '1 day' is not a duration; write 1d
                    maxCount: 0 | must be positive, was 0
                    maxCount: 1.5 | must be a whole number or 'unlimited', was '1.5'
                    maxCount: none | must be a whole number or 'unlimited', was 'none'
                    maxBytes: 10MB | must be a whole number or 'unlimited', was '10MB'; write all digits, such as 1000000000 for 1GB
                    maxBytes: 1.5GiB | must be a whole number or 'unlimited', was '1.5GiB'; write all digits, such as 1000000000 for 1GB
                    maxCount: 1_000 | must be a whole number or 'unlimited', was '1_000'; write all digits, such as 1000000000 for 1GB
                    maxCount: 1e3 | must be a whole number or 'unlimited', was '1e3'; write all digits, such as 1000000000 for 1GB
                    maxBytes: 99999999999999999999 | must be a whole number of at most 18 digits or 'unlimited', was '99999999999999999999'
                    maxBytes: [1] | must be a whole number or 'unlimited', was 'a list'
                    anchor: birth | must be stored, occurred or completed, was 'birth'
                    interval: none | 'none' is not a duration; write for example 15m, 24h, 30d or P30D
                    interval: 0s | must be positive, was 0ms
                    allowInfiniteTtl: "yes" | must be true or false, was 'yes'
                    enabled: 1 | must be true or false, was '1'
                    reason: 5 | must be a text, was '5'; put it in quotation marks
                    reason: no | must be a text, was 'false'; put it in quotation marks
                    reason: {a: b} | must be a text, was 'an object'
                    """)
    @Tag("M-11")
    void shouldRefuseValuesThatCannotBeMeant(String field, String message) {
        // when
        PolicyFile file = PolicyFile.read("policies:\n- scope: namespace:a\n  " + field + "\n");

        // then
        String name = field.substring(0, field.indexOf(':'));
        assertThat(faults(file)).containsExactly("line 3, policies[0] (namespace:a): " + name + ": " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    galaxy:x | '%s' is not a scope; write stream:<name>, namespace:<name>, pattern:<name> or *
                    all | '%s' is not a scope; write stream:<name>, namespace:<name>, pattern:<name> or *
                    namespace:a/b | a namespace has no '/'; did you mean stream:a/b?
                    stream: | the name of a stream scope must not be empty
                    """)
    @Tag("M-11")
    void shouldRefuseScopesThatAreNone(String scope, String message) {
        // when
        PolicyFile file = PolicyFile.read("policies:\n- scope: '" + scope + "'\n  pattern: x\n");

        // then
        assertThat(faults(file))
                .containsExactly("line 2, policies[0] (" + scope + "): scope: " + message.formatted(scope));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing",
                "- scope: '*'",
                "text",
                "policies: {}",
                "policies:",
                "{\"policies\": [}",
                "{\"policies\": []} {}",
                "policies: []\npolicies: []",
                "policies: []\n---\npolicies: []",
                "policies:\n- scope: *\n",
                "policies:\n- &a\n  scope: '*'\n- *a\n",
                "policies:\n- scope: &s '*'\n  reason: *s\n",
                "policies:\n- scope: '*'\n  reason: !!java.net.URL [x]\n",
                "policies:\n- scope: '*'\n  scope: '*'\n",
                "policies:\n\t- scope: '*'\n"
            })
    void shouldRefuseFilesThatAreNotOne(String text) {
        // when
        PolicyFile file = PolicyFile.read(text);

        // then
        assertThat(file.isFaulty()).isTrue();
        assertThat(file.policies()).isEmpty();
    }

    @Test
    void shouldSpeakOfTheFileAndNotOfTheLibraryThatReadsIt() {
        assertThat(PolicyFile.read("{\"policies\":[").problems())
                .singleElement()
                .asString()
                .isEqualTo("line 1: file: cannot be read: Unexpected end-of-input: expected close marker for Array");
    }

    @Test
    void shouldTellHowToWriteTheScopeOfEverything() {
        assertThat(faults(PolicyFile.read("policies:\n- scope: *\n")))
                .singleElement()
                .asString()
                .startsWith("line 2: ")
                .contains("quote the scope: \"*\"");
    }

    @ParameterizedTest
    @CsvSource({"65535, true", "65536, true", "65537, false"})
    @Tag("O-20")
    void shouldRefuseLinesOfYamlThatCostTheSquareOfTheirLength(int length, boolean isGood) {
        for (String ending : List.of("\n", "")) {
            // when
            PolicyFile file = PolicyFile.read("policies: []\n#" + "x".repeat(length - 1) + ending);

            // then
            if (isGood) {
                assertThat(file.problems()).isEmpty();
            } else {
                assertThat(file.problems())
                        .singleElement()
                        .hasToString(
                                "line 2: file: has a line of more than 65536" + " characters; break it, or write JSON");
            }
        }
    }

    @Test
    @Tag("O-20")
    void shouldReadJsonInOneLineHoweverLong() {
        String policies = IntStream.range(0, 2000)
                .mapToObj(i -> "{\"scope\":\"stream:" + i + "\",\"maxAge\":\"30d\"}")
                .collect(Collectors.joining(","));

        assertThat(PolicyFile.read("{\"policies\":[" + policies + "]}").policies())
                .hasSize(2000);
    }

    /** Two levels more than the file, its list and a policy of it have. */
    @ParameterizedTest
    @CsvSource({"13, false", "14, true"})
    @Tag("O-20")
    void shouldRefuseWhatIsNestedDeeperThanAFileIs(int lists, boolean isTooDeep) {
        for (String text : List.of(
                "policies:\n- scope: '*'\n  maxAge: " + "[".repeat(lists) + "]".repeat(lists),
                "{\"policies\":[{\"scope\":\"*\",\"maxAge\":" + "[".repeat(lists) + "]".repeat(lists) + "}]}")) {
            assertThat(PolicyFile.read(text).problems())
                    .singleElement()
                    .asString()
                    .contains(isTooDeep ? "nesting depth (17)" : "was 'a list'");
        }
    }

    @ParameterizedTest
    @CsvSource({"010, 10", "0010, 10", "08, 8", "+7, 7"})
    @Tag("O-22")
    void shouldReadNumbersOfYamlAsDecimal(String written, long count) {
        PolicyFile file = PolicyFile.read("policies:\n- scope: namespace:a\n  maxCount: " + written + "\n");

        assertThat(file.policies()).singleElement().satisfies(policy -> assertThat(policy.get(PolicyField.MAX_COUNT))
                .isEqualTo(Limit.of(count)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x10", "0b10", "0o17", "1_000"})
    @Tag("O-22")
    void shouldRefuseNumbersThatAreNotDecimal(String written) {
        PolicyFile file = PolicyFile.read("policies:\n- scope: namespace:a\n  maxCount: " + written + "\n");

        assertThat(file.problems()).singleElement().asString().contains("was '" + written + "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxBytes: 1GiB | must be a whole number",
                "maxBytes: 1024k | must be a whole number",
                "maxCount: 1,000 | must be a whole number",
                "maxCount: 1e3 | must be a whole number",
                "maxCount: 1:30 | must be a whole number",
                "maxCount: 9223372036854775808 | at most 18 digits",
                "maxAge: 30 | must be a duration",
                "maxAge: 1:30 | is not a duration",
                "maxAge: 2026-11-28 | is not a duration",
                "maxAge: never | is not a duration",
                "maxAge: [30d] | was 'a list'",
                "undo: 1M | write m for minutes or mo for months",
                "mode: off | must be a text",
                "archive: 1 | must be true or false",
                "window: 22:00-06:00 | names no zone",
                "window: 24:00-06:00 UTC | is not a time of day",
                "window: 22:00-22:00 UTC | the window is empty",
                "window: 22:00-06:00 Mars/Base | is not a known zone",
                "max_age: 3d | unknown field 'max_age'; did you mean maxAge?",
                "MaxAge: 3d | unknown field 'MaxAge'; did you mean maxAge?",
                "maxAgee: 3d | unknown field 'maxAgee'; did you mean maxAge?"
            })
    @Tag("O-22")
    void shouldRefuseAValueThatIsNotClear(String field, String why) {
        PolicyFile file = PolicyFile.read("policies:\n- scope: namespace:a\n  " + field + "\n");

        assertThat(file.problems()).singleElement().asString().contains(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "policies: &a []~holds: *a | line 2: holds: aliases and tags are not allowed",
                "policies:~- &a {scope: 'namespace:a', maxAge: 1d}~- *a | line 3, policies[1]: policy: aliases and tags are not"
            })
    @Tag("O-22")
    void shouldSayWhyAFileIsNotClear(String text, String why) {
        PolicyFile file = PolicyFile.read(text.replace('~', '\n') + "\n");

        assertThat(file.problems()).singleElement().asString().contains(why);
    }

    @ParameterizedTest
    @CsvSource({"99, false", "100, false", "101, true"})
    @Tag("O-20")
    void shouldNotReadNumbersThatNoFieldTakes(int digits, boolean isTooLong) {
        for (String text : List.of(
                "policies:\n- scope: '*'\n  maxCount: " + "1".repeat(digits),
                "{\"policies\":[{\"scope\":\"*\",\"maxCount\":" + "1".repeat(digits) + "}]}")) {
            assertThat(PolicyFile.read(text).problems())
                    .singleElement()
                    .asString()
                    .contains(isTooLong ? "a number of 101 characters" : "1".repeat(digits));
        }
    }

    @ParameterizedTest
    @CsvSource({"999, 999", "1000, 1000", "1001, 1001", "5000, 1001"})
    @Tag("O-20")
    void shouldNameAThousandFaultsAndThatThereAreMore(int faults, int named) {
        for (String text : List.of(
                "policies:\n" + "- 1\n".repeat(faults),
                "policies:\n- scope: '*'\n" + "  maxAge: 1d\n".repeat(faults + 1))) {
            // when
            List<PolicyFile.Problem> problems = PolicyFile.read(text).problems();

            // then
            assertThat(problems).hasSize(named);
            assertThat(problems.get(named - 1).toString().contains("has more faults than these 1000"))
                    .isEqualTo(faults > 1000);
        }
    }

    @Test
    void shouldKeepWarningsWithThePolicies() {
        // when
        PolicyFile file = PolicyFile.read("policies:\n- scope: '*'\n  enabled: false\n");

        // then
        assertThat(file.isFaulty()).isFalse();
        assertThat(file.policies()).hasSize(1);
        assertThat(file.problems())
                .extracting(PolicyFile.Problem::toString)
                .containsExactly("line 3, policies[0] (*): enabled: is false: this policy is ignored");
    }

    private static List<String> faults(PolicyFile file) {
        return file.problems().stream().map(PolicyFile.Problem::toString).toList();
    }
}
