package dev.ebb.cli.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Carries repairs out, if they are wanted. */
public interface Repairs {

    /** Only looks. */
    Repairs NONE = new Repairs() {
        @Override
        public boolean isWanted() {
            return false;
        }

        @Override
        public JsonNode repair(String stream, ObjectNode fields) {
            throw new IllegalStateException("nobody asked for a repair");
        }
    };

    boolean isWanted();

    /** Sends the command with these fields about the stream, waits for it and returns its result. */
    JsonNode repair(String stream, ObjectNode fields);
}
