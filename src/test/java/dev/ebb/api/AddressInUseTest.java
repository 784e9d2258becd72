package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AddressInUseTest {

    @Test
    void shouldNameTheAddressAndTheSetting() {
        // given
        try (ApiServer first = server(0)) {
            first.start();

            // when
            try (ApiServer second = server(first.port())) {
                // then
                assertThatThrownBy(second::start)
                        .isInstanceOf(AddressInUseException.class)
                        .hasMessage("another process listens on 127.0.0.1:" + first.port()
                                + "; stop it, or name another address with api.listen");
            }
        }
    }

    private static ApiServer server(int port) {
        return new ApiServer(
                new FakePorts().ports(), new ApiSettings("127.0.0.1", port, 10_000, Duration.ofMillis(10)));
    }
}
