package dev.ebb.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionCrowdTest {

    private final ConnectionCrowd crowd = new ConnectionCrowd(5, 3);
    private final List<String> left = new ArrayList<>();

    @Test
    void shouldLetSoManyInOfOneAddressAndThenHaveTheOldestLeave() {
        // when
        enter("a", "1");
        enter("a", "2");
        enter("a", "3");

        // then
        assertThat(left).isEmpty();
        assertThat(enter("a", "4")).isTrue();
        assertThat(left).containsExactly("1");
        assertThat(crowd.size()).isEqualTo(3);
    }

    @Test
    void shouldLetSoManyInOfAllAndThenHaveTheBiggestCrowdShrink() {
        // given
        enter("b", "b1");
        enter("a", "a1");
        enter("a", "a2");
        enter("c", "c1");
        enter("a", "a3");

        // then
        assertThat(left).isEmpty();
        assertThat(enter("d", "d1")).isTrue();
        assertThat(left).containsExactly("a1");
        assertThat(crowd.size()).isEqualTo(5);
    }

    @Test
    void shouldNotHaveABusyConnectionLeave() {
        // given
        enter("a", "1", true);
        enter("a", "2", false);
        enter("a", "3", true);

        // then
        assertThat(enter("a", "4", true)).isTrue();
        assertThat(left).containsExactly("2");
        assertThat(enter("a", "5")).isFalse();
        enter("b", "6", true);
        enter("b", "7", true);
        assertThat(enter("b", "8")).as("all are busy").isFalse();
        assertThat(crowd.size()).isEqualTo(5);
    }

    @Test
    void shouldHaveTheLongestIdleConnectionLeave() {
        // given
        Connection first = new Connection("1", false);
        crowd.enter(address("10.0.0.1"), first);
        enter("a", "2");
        enter("a", "3");

        // when
        crowd.touch(address("10.0.0.1"), first);
        enter("a", "4");

        // then
        assertThat(left).containsExactly("2");
    }

    @Test
    void shouldCountAConnectionThatLeftOnce() {
        // given
        Connection first = new Connection("1", false);
        crowd.enter(address("10.0.0.1"), first);

        // when
        crowd.leave(address("10.0.0.1"), first);
        crowd.leave(address("10.0.0.1"), first);
        crowd.touch(address("10.0.0.1"), first);

        // then
        assertThat(crowd.size()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1, true", "10.0.0.1, 10.0.0.2, false",
        "2001:db8::1, 2001:db8:0:0:ffff::2, true", "2001:db8::1, 2001:db8:0:1::1, false"
    })
    void shouldTakeANetworkOfIpv6ForOneAddress(String one, String other, boolean isSame) {
        // given
        for (int i = 0; i < 3; i++) {
            crowd.enter(address(one), new Connection("c" + i, true));
        }

        // then
        assertThat(crowd.enter(address(other), new Connection("new", true))).isEqualTo(!isSame);
    }

    private boolean enter(String who, String name) {
        return enter(who, name, false);
    }

    private boolean enter(String who, String name, boolean isBusy) {
        return crowd.enter(address("10.0.0." + (who.charAt(0) - 'a' + 1)), new Connection(name, isBusy));
    }

    private static SocketAddress address(String ip) {
        try {
            return new InetSocketAddress(InetAddress.getByName(ip), 5);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private final class Connection implements ConnectionCrowd.Member {

        private final String name;
        private final boolean isBusy;

        Connection(String name, boolean isBusy) {
            this.name = name;
            this.isBusy = isBusy;
        }

        @Override
        public boolean isBusy() {
            return isBusy;
        }

        @Override
        public void makeRoom() {
            left.add(name);
        }
    }
}
