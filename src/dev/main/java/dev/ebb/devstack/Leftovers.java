package dev.ebb.devstack;

import dev.ebb.devstack.process.PidFile;
import dev.ebb.devstack.process.Signals;
import dev.ebb.devstack.process.StackObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Ends processes that an earlier, killed stack has left running on the same data folder. */
public final class Leftovers {
    private static final long STOP_LIMIT_S = 10;

    private Leftovers() {}

    public static void stop(Path pidFolder, StackObserver observer) throws IOException {
        for (PidFile file : PidFile.in(pidFolder)) {
            var survivor = file.survivor();
            if (survivor.isPresent()) {
                stop(survivor.get(), observer);
            }
            file.delete();
        }
    }

    private static void stop(PidFile.Survivor survivor, StackObserver observer) {
        observer.leftover(survivor.service(), survivor.process().pid());
        Signals.send(survivor.signal(), survivor.process().pid());
        if (!ended(survivor.process())) {
            survivor.process().destroyForcibly();
            ended(survivor.process());
        }
    }

    private static boolean ended(ProcessHandle process) {
        return process.onExit()
                .thenApply(end -> true)
                .completeOnTimeout(false, STOP_LIMIT_S, TimeUnit.SECONDS)
                .join();
    }
}
