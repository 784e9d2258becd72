package dev.ebb.cli.dev;

import dev.ebb.cli.FurtherCommands;
import java.util.List;

/** The commands that start services. */
public final class DevCommands implements FurtherCommands {

    @Override
    public List<Class<?>> commands() {
        return List.of(DemoCommand.class, DevCommand.class);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "  ebb demo                                    see it work, with sample events",
                "  ebb dev                                     start everything on this machine");
    }
}
