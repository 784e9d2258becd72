package dev.ebb.devstack.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.devstack.RecordingObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class PortsTest {
    private static final int USUAL = 4711;

    private final RecordingObserver seen = new RecordingObserver();
    private final Ports ports = new Ports(seen.observer());

    @AfterEach
    void tearDown() {
        ports.close();
    }

    @Test
    void shouldNotHandOutAPortTwice() {
        assertThat(ports.take(USUAL)).isNotEqualTo(ports.take(USUAL));
    }

    /** A service needs seconds until it listens; another process must not find the port free meanwhile. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNotHandOutAPortThatAnotherStackHasButDoesNotUseYet() {
        // given
        int port = ports.take(USUAL);

        // when, then
        try (var others = new Ports(seen.observer())) {
            assertThat(others.take(USUAL)).isNotEqualTo(port);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveItsPortsToOthersWhenItIsClosed() {
        // given
        int port = ports.take(USUAL);

        // when
        ports.close();

        // then
        try (var others = new Ports(seen.observer())) {
            assertThat(others.take(USUAL)).isEqualTo(port);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldShareOutPortsAmongStacksThatLookAtTheSameMoment() throws Exception {
        // given
        int stacks = 8;
        var all =
                Stream.generate(() -> new Ports(seen.observer())).limit(stacks).toList();
        var threads = Executors.newFixedThreadPool(stacks);
        try {
            for (int round = 0; round < 20; round++) {
                // when
                int usual = USUAL + round;
                var taking = threads.invokeAll(all.stream()
                        .<Callable<Integer>>map(each -> () -> each.take(usual))
                        .toList());

                // then
                var taken = new HashSet<Integer>();
                for (var each : taking) {
                    taken.add(each.get());
                }
                assertThat(taken).hasSize(stacks);
            }
        } finally {
            threads.shutdown();
            all.forEach(Ports::close);
        }
    }

    @Test
    void shouldTakeAPortThatLooksLikeTheUsualOne() throws IOException {
        // given
        Assumptions.assumeTrue(ports.take(USUAL) == USUAL, "another process has the port");

        // when, then
        assertThat(ports.take(USUAL) % 10_000).isEqualTo(USUAL);
    }

    @Test
    void shouldLeaveTheUsualPortsToOthersIfAsked() {
        // given
        int offset = 137;

        // when
        try (var away = new Ports(seen.observer(), offset, Set.of())) {
            // then
            assertThat(away.take(Service.APP) % 10_000).isEqualTo(Service.APP.usualPort() + offset);
        }
    }

    @Test
    void shouldReportTheOtherPortsOfServicesThatRunAlone() {
        // given another stack that has the default ports, or their next substitutes
        try (var others = new Ports(seen.observer(), 0, Set.of());
                var away = new Ports(seen.observer(), 0, Set.of(Service.APP))) {
            List.of(Service.APP, Service.REGISTRY).forEach(others::take);

            // when
            away.take(Service.APP);
            away.take(Service.REGISTRY);

            // then
            assertThat(seen.lines())
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .contains(Service.APP.label());
        }
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
    void shouldNotTakeAClaimForAServiceOfAnother() throws IOException {
        var other = new ProcessBuilder("sleep", "30").start();
        try {
            assertThat(PortOwner.isAnothers(ports.take(USUAL), other.toHandle()))
                    .isFalse();
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTellOwnPortsFromThoseOfOthers() throws IOException {
        var other = new ProcessBuilder("sleep", "30").start();
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThat(PortOwner.isAnothers(port, other.toHandle())).isTrue();
            assertThat(PortOwner.isAnothers(port, ProcessHandle.current())).isFalse();
        } finally {
            other.destroyForcibly();
        }
    }
}
