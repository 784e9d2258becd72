package dev.ebb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.api.access.Pem;
import dev.ebb.runtime.SharedStack;
import dev.ebb.secured.GuardedProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real worker behind a proxy with a password and a certificate that Java does not trust. */
@Tag("R-10")
@Timeout(240)
class ConnectBehindAPasswordIT {

    @TempDir
    private Path folder;

    @Test
    void shouldReachTheWorkerWithPasswordAndCertificateAndChooseItsSink() throws Exception {
        // given
        String worker = SharedStack.withSql().endpoints().connectUrl();
        Path secret = Files.writeString(folder.resolve("secret"), "ebb:wrong\n");
        try (var proxy = new GuardedProxy(folder, worker, "Basic ZWJiOnJpZ2h0")) {
            Optional<ConnectLogin> login = Optional.of(new ConnectLogin(ConnectLogin.Scheme.BASIC, secret));

            // when, then
            assertThatThrownBy(
                            () -> client(proxy.url(), login, Optional.empty()).plugins())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("connect.ca.file");
            ConnectClient trusting = client(proxy.url(), login, Optional.of(Pem.trusting(proxy.certificate())));
            assertThatThrownBy(trusting::plugins).hasMessageContaining("connect.auth.file");

            // when
            Files.writeString(secret, "ebb:right\n");

            // then
            assertThat(SinkChoice.by(trusting, false)).isEqualTo(SinkChoice.named("ebb"));
            assertThat(trusting.status("no-such-connector")).isEmpty();
        }
    }

    private static ConnectClient client(URI url, Optional<ConnectLogin> login, Optional<SSLContext> tls) {
        return new ConnectClient(new ConnectAccess(List.of(url), login, tls));
    }
}
