package dev.ebb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * CPU time of this process, of some others, and of all processes that those have started, added up. On Linux, ended
 * children of the others count too, for example workers of PostgreSQL: the system adds their time to that of the
 * process that waited for them. One of the others that has itself ended does not count, nor do ended children of this
 * process.
 */
public final class CpuMeter {

    private static final Path PROCESSES = Path.of("/proc");

    /** Unit of the files of Linux, on all common machines. */
    private static final int TICKS_PER_SECOND = 100;

    /**
     * Fields after the name of the program, which may itself contain blanks and parentheses: {@code cutime} and {@code
     * cstime}.
     */
    private static final int ENDED_USER = 13;

    private static final int ENDED_SYSTEM = 14;

    /** Children seldom end, so two readings without an end between them are soon found. */
    private static final int MOST_READINGS = 100;

    private final List<ProcessHandle> processes;

    public CpuMeter(OptionalLong... others) {
        this.processes = Stream.of(others)
                .flatMap(pid -> pid.stream().boxed())
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    /** Returns the CPU time of one process, without its children. */
    public static Duration of(long pid) {
        return ProcessHandle.of(pid)
                .map(CpuMeter::of)
                .orElseThrow(() -> new VoidRunException("process " + pid + " has ended"));
    }

    public Duration used() {
        return of(ProcessHandle.current()).plus(ofOthers());
    }

    /**
     * Returns the CPU time of the others with their children. A child that ends between the readings would count twice
     * or not at all, so they are repeated until none does.
     */
    public Duration ofOthers() {
        for (int reading = 0; reading < MOST_READINGS; reading++) {
            List<ProcessHandle> all = family();
            Duration ended = sum(all, CpuMeter::ofEnded);
            Duration living = sum(all, CpuMeter::of);
            if (ended.equals(sum(all, CpuMeter::ofEnded))) {
                return ended.plus(living);
            }
        }
        throw new VoidRunException("processes end too fast for their CPU time to be read");
    }

    private List<ProcessHandle> family() {
        return processes.stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .toList();
    }

    private static Duration sum(List<ProcessHandle> all, Function<ProcessHandle, Duration> time) {
        return all.stream().map(time).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseGet(() -> {
            if (process.isAlive()) {
                throw new VoidRunException("the system does not tell the CPU time of process " + process.pid());
            }
            return Duration.ZERO;
        });
    }

    private static Duration ofEnded(ProcessHandle process) {
        try {
            return ofEnded(Files.readString(
                    PROCESSES.resolve(Long.toString(process.pid())).resolve("stat")));
        } catch (IOException e) {
            // The process has ended, or this is not Linux.
            return Duration.ZERO;
        }
    }

    /** Returns the CPU time of ended children and of their children, from the line of Linux about a process. */
    static Duration ofEnded(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[ENDED_USER]) + Long.parseLong(fields[ENDED_SYSTEM]);
        return Duration.ofSeconds(ticks).dividedBy(TICKS_PER_SECOND);
    }
}
