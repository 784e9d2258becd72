package dev.ebb.devstack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends what a stack that was killed has left running on the same data folder. */
final class Leftovers {
    private static final long STOP_LIMIT_S = 10;

    private Leftovers() {}

    static void stop(Path pidFolder, StackObserver observer) throws IOException, InterruptedException {
        for (PidFile file : PidFile.in(pidFolder)) {
            var survivor = file.survivor();
            if (survivor.isPresent()) {
                stop(survivor.get(), observer);
            }
            file.delete();
        }
    }

    private static void stop(PidFile.Survivor survivor, StackObserver observer) throws InterruptedException {
        observer.leftover(survivor.service(), survivor.process().pid());
        Signals.send(survivor.signal(), survivor.process().pid());
        if (!ended(survivor.process())) {
            survivor.process().destroyForcibly();
            ended(survivor.process());
        }
    }

    private static boolean ended(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(STOP_LIMIT_S, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }
}
