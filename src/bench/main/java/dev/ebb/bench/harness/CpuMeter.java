package dev.ebb.bench.harness;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** CPU time of this process, some others and all that those have started, together; what has ended is not counted. */
public final class CpuMeter {

    private final List<ProcessHandle> processes;

    public CpuMeter(OptionalLong... others) {
        this.processes = Stream.of(others)
                .flatMap(pid -> pid.stream().boxed())
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    /** CPU time of one process. */
    public static Duration of(long pid) {
        return ProcessHandle.of(pid)
                .map(CpuMeter::of)
                .orElseThrow(() -> new VoidRunException("process " + pid + " has ended"));
    }

    public Duration used() {
        Stream<ProcessHandle> all = Stream.concat(
                Stream.of(ProcessHandle.current()),
                processes.stream().flatMap(process -> Stream.concat(Stream.of(process), process.descendants())));
        return all.map(CpuMeter::of).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseGet(() -> {
            if (process.isAlive()) {
                throw new VoidRunException("the system does not tell the CPU time of process " + process.pid());
            }
            return Duration.ZERO;
        });
    }
}
