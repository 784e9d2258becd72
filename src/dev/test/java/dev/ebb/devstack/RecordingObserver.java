package dev.ebb.devstack;

import dev.ebb.devstack.process.StackObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Keeps the lines that a person would see. */
public final class RecordingObserver implements Consumer<String> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public StackObserver observer() {
        return StackObserver.lines(this);
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    public boolean saw(String part) {
        return lines.stream().anyMatch(line -> line.contains(part));
    }

    @Override
    public void accept(String line) {
        lines.add(line);
    }
}
