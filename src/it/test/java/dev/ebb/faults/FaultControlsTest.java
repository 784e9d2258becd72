package dev.ebb.faults;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ebb.faults.FaultControlsSuite.Control;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The controls of the fault suite run in their profile alone. Their texts follow the source in each build. */
class FaultControlsTest {

    static List<Control> controls() {
        return FaultControlsSuite.CONTROLS;
    }

    @ParameterizedTest
    @MethodSource("controls")
    void shouldFindItsExpressionInTheSource(Control control) {
        // then
        assertThatCode(() -> control.fault().build()).doesNotThrowAnyException();
    }
}
