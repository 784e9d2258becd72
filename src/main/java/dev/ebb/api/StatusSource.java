package dev.ebb.api;

/** Tells how the instance is. Thread-safe; answers from memory and never waits for another system. */
public interface StatusSource {

    StatusView status();
}
