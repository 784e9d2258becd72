package dev.ebb.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The files of an instance's state are damaged while it does not run: it must rebuild them from the changelog, and never
 * show what the damaged files say.
 */
final class CorruptState implements Fault {

    private static final int EVENTS = 3000;
    private static final int STREAMS = 30;
    private static final int FLIPPED_BYTES = 64;

    private static final Duration VERDICT = Duration.ofMinutes(2);

    private final List<Damage> damages = List.of(
            new Damage("bytes of SST files", (folder, random) -> flip(Folders.find(folder, "", ".sst"), random)),
            new Damage("CURRENT", (folder, random) -> truncate(Folders.find(folder, "CURRENT", ""))),
            new Damage("MANIFEST", (folder, random) -> truncate(Folders.find(folder, "MANIFEST", ""))),
            new Damage("SST files", (folder, random) -> remove(Folders.find(folder, "", ".sst"))),
            new Damage("log of writes", (folder, random) -> truncate(Folders.find(folder, "0", ".log"))));

    private record Damage(String what, Work work) {}

    private interface Work {
        int on(Path folder, Random random) throws IOException;
    }

    @Override
    public String name() {
        return "corrupt";
    }

    @Override
    public void run(FaultStack stack, FaultRun run) throws Exception {
        var living = stack.load().kept("stay", STREAMS, EVENTS);
        try (LivingReads reads = LivingReads.of(stack, living)) {
            for (Damage damage : damages.subList(0, run.rounds(3, damages.size()))) {
                Instance victim = stack.busiest();
                victim.stop();
                int files = damage.work.on(victim.stateFolder(), run.random());
                victim.launch();
                victim.awaitReady(VERDICT);
                run.remark(damage.what + " (" + files + ")");
                stack.awaitReady();
                run.round();
            }
            reads.close();
            reads.check(run);
        }
    }

    private static int flip(List<Path> files, Random random) throws IOException {
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                for (int i = 0; i < FLIPPED_BYTES; i++) {
                    long at = (long) (random.nextDouble() * channel.size());
                    ByteBuffer one = ByteBuffer.allocate(1);
                    channel.read(one, at);
                    one.put(0, (byte) ~one.get(0));
                    one.rewind();
                    channel.write(one, at);
                }
            }
        }
        return files.size();
    }

    private static int truncate(List<Path> files) throws IOException {
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() / 2);
            }
        }
        return files.size();
    }

    private static int remove(List<Path> files) throws IOException {
        for (Path file : new ArrayList<>(files)) {
            Files.delete(file);
        }
        return files.size();
    }
}
