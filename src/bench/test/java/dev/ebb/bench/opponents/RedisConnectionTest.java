package dev.ebb.bench.opponents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisConnectionTest {

    @Test
    void shouldSpeakTheProtocol() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var redis = new RedisConnection(new Socket(server.getInetAddress(), server.getLocalPort()));
                Socket peer = server.accept()) {
            // when
            redis.send(RedisConnection.command(utf8("XADD"), utf8("é")));
            redis.flush();
            peer.getOutputStream().write(utf8("+OK\r\n:42\r\n$4\r\na\r\nb\r\n*2\r\n$1\r\nx\r\n*0\r\n-ERR no\r\n"));

            // then
            assertThat(peer.getInputStream().readNBytes(22)).isEqualTo(utf8("*2\r\n$4\r\nXADD\r\n$2\r\né\r\n"));
            assertThat(redis.receive()).isEqualTo(utf8("OK"));
            assertThat(redis.receive()).isEqualTo(42L);
            assertThat(redis.receive()).isEqualTo(utf8("a\r\nb"));
            assertThat((List<?>) redis.receive()).hasSize(2).first().isEqualTo(utf8("x"));
            assertThatIOException().isThrownBy(redis::receive).withMessageContaining("-ERR no");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
