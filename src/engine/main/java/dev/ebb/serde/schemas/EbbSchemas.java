package dev.ebb.serde.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;

/** The Avro schemas of this version, from {@code schemas/}. */
public final class EbbSchemas {

    public static final Schema EVENT = load("Event");
    public static final Schema EVENT_UPDATE = load("EventUpdate");
    public static final Schema EXECUTION_UPDATE = load("ExecutionUpdate");
    public static final Schema RETENTION_POLICY = load("RetentionPolicy");
    public static final Schema HOLD = load("Hold");
    public static final Schema GATE_MARK = load("GateMark");
    public static final Schema AUDIT_RECORD = load("AuditRecord");
    public static final Schema SWEEP_REPORT = load("SweepReport");
    public static final Schema COMMAND = load("Command");
    public static final Schema COMMAND_RESULT = load("CommandResult");
    public static final Schema ERRAND = load("Errand");
    public static final Schema ARCHIVED_EVENT = load("ArchivedEvent");

    private EbbSchemas() {}

    /** Returns every schema that this version writes. */
    public static List<Schema> all() {
        return List.of(
                EVENT,
                EVENT_UPDATE,
                EXECUTION_UPDATE,
                RETENTION_POLICY,
                HOLD,
                GATE_MARK,
                AUDIT_RECORD,
                SWEEP_REPORT,
                ARCHIVED_EVENT,
                COMMAND,
                COMMAND_RESULT,
                ERRAND);
    }

    private static Schema load(String name) {
        String resource = "/schemas/" + name + ".avsc";
        try (InputStream in = EbbSchemas.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + resource + " is missing");
            }
            return new Schema.Parser().parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
