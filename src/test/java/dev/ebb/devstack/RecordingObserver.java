package dev.ebb.devstack;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps the lines that a person would see. */
final class RecordingObserver implements Consumer<String> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    StackObserver observer() {
        return StackObserver.lines(this);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    boolean saw(String part) {
        return lines.stream().anyMatch(line -> line.contains(part));
    }

    @Override
    public void accept(String line) {
        lines.add(line);
    }
}
