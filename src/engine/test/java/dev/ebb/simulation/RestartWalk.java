package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.List;

/** Steps in which tasks lose what they have not committed, go elsewhere, or die with their instance. Not thread-safe. */
final class RestartWalk {

    private final Walk walk;
    private final World world;
    private final Draw draw;

    RestartWalk(Walk walk, Draw draw) {
        this.walk = walk;
        this.world = walk.world;
        this.draw = draw;
    }

    /** The task of that partition; behind the last one, the gate. */
    Task taskOrGate(int index) {
        return index < world.partitions.size() ? world.partitions.get(index) : world.gate;
    }

    boolean abort() {
        int first = draw.below(world.partitions.size() + 1);
        boolean staysHere = !draw.oneIn(3);
        for (int i = 0; i <= world.partitions.size(); i++) {
            Task task = taskOrGate((first + i) % (world.partitions.size() + 1));
            if (task.isDirty()) {
                abort(task, staysHere);
                return true;
            }
        }
        return false;
    }

    private void abort(Task task, boolean staysHere) {
        walk.note("partition " + task.partition + " aborts and comes back " + (staysHere ? "" : "elsewhere"));
        if (staysHere) {
            task.revive();
        } else {
            walk.settings().remember(task);
            task.leave();
            task.start(draw.of(world.instances));
        }
        restarted(task);
    }

    private void restarted(Task task) {
        task.journal.clear();
        if (!task.isGate()) {
            walk.examiners.get(task.partition).aborted();
        }
    }

    boolean move() {
        Task task = taskOrGate(draw.below(world.partitions.size() + 1));
        if (task.isDirty()) {
            if (task.isGate()) {
                walk.commitGate();
            } else {
                walk.commit(task);
            }
        }
        walk.settings().remember(task);
        task.leave();
        Instance to = draw.of(world.instances);
        task.start(to);
        restarted(task);
        walk.note("partition " + task.partition + " moves to instance " + world.instances.indexOf(to));
        return true;
    }

    boolean crash() {
        crash(draw.below(world.instances.size()));
        return true;
    }

    /** The instance dies, another begins in its place, and its tasks begin anywhere. */
    void crash(int index) {
        Instance dead = world.instances.get(index);
        List<Task> orphans = new ArrayList<>();
        for (int i = 0; i <= world.partitions.size(); i++) {
            if (taskOrGate(i).instance() == dead) {
                orphans.add(taskOrGate(i));
                walk.settings().remember(taskOrGate(i));
                taskOrGate(i).lose();
            }
        }
        walk.note("instance " + index + " dies");
        world.replace(index);
        for (Task task : orphans) {
            task.start(draw.of(world.instances));
            restarted(task);
        }
    }
}
