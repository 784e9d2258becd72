package dev.ebb.cli.bench;

import dev.ebb.cli.FurtherCommands;
import java.util.List;

/** The command that runs measurements. */
public final class BenchCommands implements FurtherCommands {

    @Override
    public List<Class<?>> commands() {
        return List.of(BenchCommand.class);
    }

    @Override
    public List<String> examples() {
        return List.of();
    }
}
