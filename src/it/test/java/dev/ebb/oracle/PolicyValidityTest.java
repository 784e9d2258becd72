package dev.ebb.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyValidityTest {

    /** A version taken from the offset of a foreign record would hide the versions of the gate. */
    @ParameterizedTest
    @CsvSource({
        "*, true",
        "namespace:none, true",
        "stream:flow/1, true",
        "pattern:cache, true",
        "hold:case, true",
        "gate, false",
        "flow/1, false",
        "'', false",
        "hold:, false",
        "namespace:, false",
        "planet:mars, false"
    })
    void shouldTellKeysOfTheGateFromOthers(String key, boolean isOfGate) {
        assertThat(PolicyValidity.isKey(key)).isEqualTo(isOfGate);
    }
}
