package dev.ebb.devstack.process;

import java.util.Locale;

/** The processes of the embedded default. */
public enum Service {
    APP(1, 8480),
    CONNECT(2, 8083),
    REGISTRY(3, 8081),
    POSTGRES(4, 5432),
    BROKER(5, 9092);

    private final int stopOrder;
    private final int usualPort;

    Service(int stopOrder, int usualPort) {
        this.stopOrder = stopOrder;
        this.usualPort = usualPort;
    }

    /** The place among the others when all are stopped, from 1: those first that need the others. */
    int stopOrder() {
        return stopOrder;
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
