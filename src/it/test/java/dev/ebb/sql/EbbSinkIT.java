package dev.ebb.sql;

/** The sink that comes with Ebb, which reads the log of the events. */
class EbbSinkIT extends SinkTests {

    EbbSinkIT() {
        super("ebb", true);
    }
}
