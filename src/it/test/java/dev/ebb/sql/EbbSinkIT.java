package dev.ebb.sql;

import dev.ebb.serde.mirror.RowForm;

/** The sink that comes with Ebb, with compact rows. */
class EbbSinkIT extends SinkTests {

    EbbSinkIT() {
        super("ebb", RowForm.COMPACT);
    }
}
