package dev.ebb.devstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class PortsTest {
    private static final int USUAL = 4711;

    private final RecordingObserver seen = new RecordingObserver();
    private final Ports ports = new Ports(seen.observer());

    @Test
    void shouldNotHandOutAPortTwice() {
        assertThat(ports.take(USUAL)).isNotEqualTo(ports.take(USUAL));
    }

    @Test
    void shouldTakeAPortThatLooksLikeTheUsualOne() throws IOException {
        // given
        Assumptions.assumeTrue(ports.take(USUAL) == USUAL, "somebody else has the port");

        // when, then
        assertThat(ports.take(USUAL) % 10_000).isEqualTo(USUAL);
    }

    @Test
    void shouldLeaveTheUsualPortsToOthersIfAsked() {
        // given
        int offset = 137;

        // when
        int port = new Ports(seen.observer(), offset).take(Service.APP);

        // then
        assertThat(port % 10_000).isEqualTo(Service.APP.usualPort() + offset);
    }

    @Test
    void shouldFindAPortWhereNoneLooksLikeTheUsualOne() throws IOException {
        // given
        int usual = 32_000;
        try (var taken = listenOnUnlessTaken(usual)) {
            // when, then
            assertThat(ports.take(usual)).isPositive().isNotEqualTo(usual);
        }
    }

    @Test
    void shouldSayWhenAUsualPortIsTaken() throws IOException {
        // given
        int usual = Service.APP.usualPort();
        try (var taken = listenOnUnlessTaken(usual)) {
            // when
            int port = ports.take(Service.APP);

            // then
            assertThat(port).isNotEqualTo(usual);
            assertThat(seen.lines())
                    .singleElement()
                    .asString()
                    .startsWith("port 8480 of app is taken by ")
                    .endsWith("using " + port);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNameTheProcessThatHasAPort() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(PortOwner.of(taken.getLocalPort()))
                    .startsWith("pid " + ProcessHandle.current().pid() + " (");
        }
    }

    @Test
    void shouldNotNameAProcessForAPortThatNobodyHas() throws IOException {
        // given
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        // when, then
        assertThat(PortOwner.of(port)).isEqualTo("another process");
    }

    private static AutoCloseableSocket listenOnUnlessTaken(int port) {
        try {
            var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            return socket::close;
        } catch (IOException alreadyTaken) {
            return () -> {};
        }
    }

    private interface AutoCloseableSocket extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellOwnPortsFromThoseOfOthers() throws IOException {
        var other = new ProcessBuilder("sleep", "30").start();
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThat(PortOwner.isAnothers(port, other.toHandle())).isTrue();
            assertThat(PortOwner.isAnothers(port, ProcessHandle.current())).isFalse();
            assertThat(PortOwner.isAnothers(-1, other.toHandle())).isFalse();
        } finally {
            other.destroyForcibly();
        }
    }
}
