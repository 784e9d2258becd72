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

    /** Returns the place in the order in which services are stopped, from 1: dependent services first. */
    int stopOrder() {
        return stopOrder;
    }

    /** Returns the default port of the service; another one is taken if it is in use. */
    public int usualPort() {
        return usualPort;
    }

    /** Returns the name in messages and of the log file. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
