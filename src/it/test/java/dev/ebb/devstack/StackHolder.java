package dev.ebb.devstack;

import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackObserver;
import java.nio.file.Path;

/** Runs a part of a stack in a process of its own, to be ended by a signal. Argument: the data folder. */
final class StackHolder {
    private StackHolder() {}

    public static void main(String[] args) throws Exception {
        var stack = TestStack.onUsualPorts(Path.of(args[0]))
                .without(Service.REGISTRY, Service.CONNECT)
                .appProgram(AppStub.program())
                .observer(StackObserver.lines(System.out::println))
                .start();
        stack.awaitClose();
    }
}
