package dev.ebb.bench;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** CPU time of this process and some others together, since each of them started. */
final class CpuMeter {

    private final List<ProcessHandle> processes;

    CpuMeter(OptionalLong... others) {
        this.processes = Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        Stream.of(others)
                                .flatMap(pid -> pid.stream().boxed())
                                .flatMap(pid -> ProcessHandle.of(pid).stream()))
                .toList();
    }

    Duration used() {
        return processes.stream()
                .map(process -> process.info()
                        .totalCpuDuration()
                        .orElseThrow(() -> new VoidRunException(
                                "the system does not tell the CPU time of process " + process.pid())))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
