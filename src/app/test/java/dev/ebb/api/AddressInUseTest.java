package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.door.ApiSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AddressInUseTest {

    @Test
    @Tag("O-18")
    void shouldNameTheSettingOfTheProbesWhereTheirAddressIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApiServer server = LoneServer.of(
                        new FakePorts().ports(),
                        ApiSettings.at("127.0.0.1", 0).withHealth("127.0.0.1", taken.getLocalPort()))) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(AddressInUseException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageEndingWith("with health.listen");
        }
    }

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
                        .hasMessage("127.0.0.1:" + first.port()
                                + " is already in use; stop the program that listens there, or set another"
                                + " address with api.listen");
            }
        }
    }

    private static ApiServer server(int port) {
        return LoneServer.of(
                new FakePorts().ports(), new ApiSettings("127.0.0.1", port, 10_000, Duration.ofMillis(10)));
    }
}
