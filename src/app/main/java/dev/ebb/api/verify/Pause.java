package dev.ebb.api.verify;

import java.time.Duration;

/** Lets time pass. */
interface Pause {

    /** Returns when that time has passed. */
    void sleep(Duration time);
}
