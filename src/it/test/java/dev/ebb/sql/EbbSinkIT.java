package dev.ebb.sql;

/** The sink that comes with Ebb. */
class EbbSinkIT extends SinkTests {

    EbbSinkIT() {
        super("ebb");
    }
}
