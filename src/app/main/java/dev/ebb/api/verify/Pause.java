package dev.ebb.api.verify;

import java.time.Duration;

/** Passing of time. */
interface Pause {

    /** Returns when that time has passed. */
    void sleep(Duration time);
}
