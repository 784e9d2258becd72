package dev.ebb.api.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.policy.Scope;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A query that no request can make is refused when its route is made. */
@Tag("O-17")
class ReadRouteTest {

    record Found(List<String> things) {}

    record Scoped(@Parameter("A scope.") Scope scope) {}

    record Counted(@Parameter("A count.") int count) {}

    record Numbered(@Parameter("A number.") long number) {}

    static Stream<Class<? extends Record>> queries() {
        return Stream.of(Scoped.class, Counted.class, Numbered.class);
    }

    @ParameterizedTest
    @MethodSource("queries")
    void shouldRefuseAParameterThatCannotBeRead(Class<? extends Record> query) {
        assertThatThrownBy(() ->
                        ReadRoute.of(new Read<>("/v1/things", "Lists things.", query, Found.class), asked -> null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a parameter of a read cannot be");
    }
}
