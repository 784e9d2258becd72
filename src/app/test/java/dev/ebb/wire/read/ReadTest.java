package dev.ebb.wire.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.history.TimeRange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-17")
class ReadTest {

    record Found(List<String> things, @Nullable String next) {}

    record Query(
            @Parameter("The name of the stream.") StreamName stream,

            @Parameter("One of {words}.") @Nullable RemovalCause cause,

            @Parameter(value = "Show more.", name = "with-more", option = "--more")
            boolean more,

            TimeRange time,
            int limit,
            @Nullable String after) {}

    record Silent(String namespace) {}

    private static final Read<Query, Found> READ =
            new Read<>("/v1/things/{stream}", "Lists things.", Query.class, Found.class);

    @Test
    void shouldMakeAParameterOfEachComponent() {
        // when
        List<ReadParameter> parameters = READ.described();

        // then
        assertThat(parameters)
                .extracting(ReadParameter::name, ReadParameter::label, ReadParameter::option, ReadParameter::isInPath)
                .containsExactly(
                        tuple("stream", "STREAM", "--stream", true),
                        tuple("cause", "CAUSE", "--cause", false),
                        tuple("with-more", "WITH-MORE", "--more", false));
        assertThat(parameters.get(1).meaning()).startsWith("One of TTL, MAX_AGE, ");
        assertThat(parameters.get(2).isFlag()).isTrue();
    }

    @Test
    void shouldKnowThePartsThatMeanTheSameEverywhere() {
        assertThat(READ.isPaged()).isTrue();
        assertThat(READ.isTimed()).isTrue();
        assertThat(READ.list()).isEqualTo("things");
        assertThat(READ.mayBeStale()).isFalse();
        assertThat(READ.fromCopies().mayBeStale()).isTrue();
    }

    @Test
    void shouldRefuseAParameterWithoutMeaning() {
        // given
        Read<Silent, Found> read = new Read<>("/v1/things", "Lists things.", Silent.class, Found.class);

        // then
        assertThatThrownBy(read::parameters)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the parameter 'namespace' of /v1/things is not described");
    }
}
