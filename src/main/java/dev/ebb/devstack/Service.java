package dev.ebb.devstack;

import java.util.Locale;

/** The processes of the embedded default, in the order in which they are stopped. */
public enum Service {
    APP(8480),
    CONNECT(8083),
    REGISTRY(8081),
    POSTGRES(5432),
    BROKER(9092);

    private final int usualPort;

    Service(int usualPort) {
        this.usualPort = usualPort;
    }

    /** The port that people expect this service on; another one is taken when it is in use. */
    public int usualPort() {
        return usualPort;
    }

    /** The name in messages and of the log file. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
