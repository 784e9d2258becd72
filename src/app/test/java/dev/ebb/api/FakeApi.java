package dev.ebb.api;

import dev.ebb.api.door.ApiSettings;
import java.time.Duration;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server on any free port, with data in memory behind it, for one test. It takes bodies of up to 10,000 bytes. */
public final class FakeApi implements AfterEachCallback {

    public final FakePorts ports = new FakePorts();
    public final ApiServer server;
    public final ApiClient client;

    public FakeApi() {
        this(10_000);
    }

    /** @param maxBodyBytes of a request */
    FakeApi(int maxBodyBytes) {
        server = LoneServer.of(ports.ports(), new ApiSettings("127.0.0.1", 0, maxBodyBytes, Duration.ofMillis(10)));
        server.start();
        client = new ApiClient(server.port());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        server.close();
    }
}
