package dev.ebb.cli.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.read.Read;
import java.util.function.BiConsumer;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command that asks one read and shows its answer. Its options are the parameters of the read; a subclass adds its
 * name, its examples and the form of the answer for people.
 *
 * @param <A> the answer
 */
public abstract class ReadCommand<A> extends ApiCommand {

    private final Read<?, A> read;
    private final BiConsumer<Terminal, A> form;
    private final ReadOptions options;

    /** @param table the table of an answer, or of all pages of it as one */
    protected ReadCommand(Read<?, A> read, Function<A, Table> table) {
        this(read, (terminal, answer) -> table.apply(answer).print(terminal));
    }

    /** @param form shows an answer on the terminal */
    protected ReadCommand(Read<?, A> read, BiConsumer<Terminal, A> form) {
        this.read = read;
        this.form = form;
        this.options = new ReadOptions(read);
    }

    /** Adds the options to the command, and the sentence of the read if the command has no description of its own. */
    public final void describe(CommandSpec spec) {
        options.addTo(spec);
        if (spec.usageMessage().description().length == 0) {
            spec.usageMessage().description(read.sentence());
        }
    }

    @Override
    public final Integer call() {
        if (read.isPaged()) {
            return options.page().show(api, output, read.list(), options::path, read.answer(), form);
        }
        // One connection: a token may come from a file that can be read only once.
        RestApi connected = api.connect();
        JsonNode answer = connected.get(options.path());
        output.show(answer, read.answer(), form);
        if (output.isTable()) {
            note(Json.as(answer, read.answer()), connected, output);
        }
        return ExitCode.OK.code();
    }

    /**
     * Adds notes below the table of an answer that does not come in pages.
     *
     * @param connected answers further questions
     */
    protected void note(A answer, RestApi connected, OutputOptions below) {
        // Most answers need none.
    }
}
