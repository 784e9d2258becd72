package dev.ebb.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.cli.outcome.CommandFailure;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R-11")
class CredentialsTest {

    @ParameterizedTest
    @ValueSource(strings = {"eyJh.eyJz.c2ln", " eyJh-_.eyJz.c2ln\n"})
    void shouldTakeATokenOfAnIssuer(String text) {
        assertThat(Credentials.of(null, null, Map.of("EBB_TOKEN", text)).token())
                .isEqualTo(text.strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"eyJh.eyJz", "eyJh.eyJz.c2ln.c2ln", "a..c", "a b.c.d", "password"})
    void shouldRefuseATextThatIsNoTokenAndNotRepeatIt(String text) {
        assertThatThrownBy(() -> Credentials.of(null, null, Map.of("EBB_TOKEN", text)))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("ebb token create")
                .message()
                .doesNotContain(text);
    }
}
