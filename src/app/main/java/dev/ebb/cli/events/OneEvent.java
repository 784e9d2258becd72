package dev.ebb.cli.events;

import dev.ebb.cli.options.ParameterReader;
import picocli.CommandLine.Parameters;

/** Parameters of a command on one event; names that no event can have are refused before anything is asked. */
final class OneEvent {

    @Parameters(
            index = "0",
            paramLabel = "STREAM",
            converter = ParameterReader.OfName.class,
            description = "The name of the stream.")
    private String stream;

    @Parameters(
            index = "1",
            paramLabel = "ID",
            converter = ParameterReader.OfName.class,
            description = "The id of the event.")
    private String id;

    String stream() {
        return stream;
    }

    String id() {
        return id;
    }
}
