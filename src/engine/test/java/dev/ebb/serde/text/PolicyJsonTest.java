package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyJsonTest {

    private static final RetentionPolicy FULL = RetentionPolicy.of(Scope.namespace("orders"))
            .maxAge(Limit.of(1_800_000))
            .maxCount(Limit.of(10))
            .set(PolicyField.MAX_BYTES, Limit.NONE)
            .set(PolicyField.KEEP_LAST, Limit.of(5))
            .set(PolicyField.MIN_AGE, Limit.NONE)
            .anchor(Anchor.STORED)
            .set(PolicyField.MIN_TTL, Limit.NONE)
            .set(PolicyField.MAX_TTL, Limit.of(86_400_000))
            .set(PolicyField.ALLOW_INFINITE_TTL, false)
            .mode(PolicyMode.WARN)
            .intervalMs(1000L)
            .set(PolicyField.WINDOW, SweepWindow.parse("22:00-06:00 Europe/Berlin"))
            .set(PolicyField.WARN_BEFORE, Limit.of(3_600_000))
            .set(PolicyField.ARCHIVE, true)
            .set(PolicyField.PATTERN, "cache")
            .enabled(true)
            .confirmed(true)
            .updatedBy("anna")
            .reason("because \"of\" this")
            .build();

    @Test
    void shouldWriteAPolicyAsPeopleWriteIt() {
        assertThat(PolicyJson.write(FULL)).hasToString("""
                        {"scope":"namespace:orders","maxAge":"30m","maxCount":10,"maxBytes":"unlimited",\
                        "keepLast":5,"minAge":"none",\
                        "anchor":"stored","minTtl":"none","maxTtl":"1d","allowInfiniteTtl":false,"mode":"warn",\
                        "interval":"1s","window":"22:00-06:00 Europe/Berlin","warnBefore":"1h","archive":true,\
                        "pattern":"cache","enabled":true,"confirmed":true,"updatedBy":"anna","reason":"because \\"of\\" this"}""");
    }

    @Test
    void shouldLeaveOutWhatAPolicyDoesNotSet() {
        assertThat(PolicyJson.write(
                        RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build()))
                .hasToString("{\"scope\":\"*\",\"maxAge\":\"unlimited\"}");
    }

    @Test
    void shouldReadWhatItWrote() {
        assertThat(PolicyJson.read(PolicyJson.write(FULL), FULL.scope()).policy())
                .contains(FULL);
    }

    @ParameterizedTest
    @Tag("M-11")
    @ValueSource(strings = {"{}", "{\"enabled\":true}", "{\"confirmed\":true,\"updatedBy\":\"a\",\"reason\":\"b\"}"})
    void shouldRefuseAPolicyWithoutAnyRule(String text) throws Exception {
        ParsedPolicy parsed = PolicyJson.read(json(text), Scope.ALL);

        assertThat(parsed.policy()).isEmpty();
        assertThat(parsed.faults())
                .isEqualTo("scope: has a policy without any rule; set one, maxAge for example, or delete the policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"enabled\":false}", "{\"pattern\":\"cache\"}", "{\"maxAge\":\"unlimited\"}"})
    void shouldTakeAPolicyThatSaysSomething(String text) throws Exception {
        assertThat(PolicyJson.read(json(text), Scope.namespace("n")).policy()).isPresent();
    }

    @Test
    void shouldTakeTheScopeFromTheAddress() throws Exception {
        // given
        JsonNode json = json("{\"maxAge\":\"1h\"}");

        // when
        ParsedPolicy parsed = PolicyJson.read(json, Scope.stream("a"));

        // then
        assertThat(parsed.policy())
                .contains(RetentionPolicy.of(Scope.stream("a"))
                        .maxAge(Limit.of(3_600_000))
                        .build());
    }

    @Test
    @Tag("M-11")
    void shouldRefuseAnotherScopeThanThatOfTheAddress() throws Exception {
        // when
        ParsedPolicy parsed = PolicyJson.read(json("{\"scope\":\"*\",\"maxAge\":\"0s\"}"), Scope.stream("a"));

        // then
        assertThat(parsed.policy()).isEmpty();
        assertThat(parsed.faults())
                .isEqualTo("maxAge: must be positive, was 0s; scope: is '*', but the policy is addressed as stream:a");
    }

    @Test
    @Tag("M-11")
    void shouldRefuseWhatIsNoPolicy() throws Exception {
        assertThat(PolicyJson.read(json("[]"), Scope.ALL).policy()).isEmpty();
        assertThat(PolicyJson.read(json("null"), Scope.ALL).policy()).isEmpty();
        assertThat(PolicyJson.read(json("{\"scope\":\"*\",\"max_age\":null}"), Scope.ALL)
                        .faults())
                .isEqualTo("max_age: unknown field 'max_age'; did you mean maxAge?");
        assertThat(PolicyJson.read(json("{\"scope\":\"*\",\"maxCount\":1e3}"), Scope.ALL)
                        .faults())
                .isEqualTo("maxCount: must be a whole number or 'unlimited', was '1000.0'");
    }

    private static JsonNode json(String text) throws JsonProcessingException {
        return new ObjectMapper().readTree(text);
    }
}
