package dev.ebb.serde.records;

import dev.ebb.domain.command.Errand;
import dev.ebb.serde.schemas.EbbSchemas;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/** Questions and answers between partitions as Avro records and back. Stateless. */
final class ErrandRecords {

    private ErrandRecords() {}

    static GenericRecord record(Errand errand) {
        GenericRecord avro = new GenericData.Record(EbbSchemas.ERRAND);
        avro.put("commandId", errand.commandId());
        avro.put("step", errand.step().name());
        avro.put("sender", errand.sender());
        avro.put("body", errand.body());
        return avro;
    }

    static Errand errand(IndexedRecord avro, FieldMap map) {
        return new Errand(
                text(avro, map, "commandId"),
                Errand.Step.valueOf(text(avro, map, "step")),
                Integer.parseInt(text(avro, map, "sender")),
                text(avro, map, "body"));
    }

    private static String text(IndexedRecord avro, FieldMap map, String field) {
        return String.valueOf(map.get(avro, EbbSchemas.ERRAND.getField(field)));
    }
}
