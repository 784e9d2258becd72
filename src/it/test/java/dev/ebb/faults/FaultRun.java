package dev.ebb.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One run of one fault: what it decides by chance, and what it tells. */
public final class FaultRun {

    private final Random random;
    private final boolean isFull;
    private final List<String> remarks = new ArrayList<>();
    private int rounds;

    FaultRun(long seed, boolean isFull) {
        this.random = new Random(seed);
        this.isFull = isFull;
    }

    /** Random numbers of this run, determined by the seed of the suite and the fault. */
    public Random random() {
        return random;
    }

    /** Returns true if all of it should be run, and not the smoke set. */
    public boolean isFull() {
        return isFull;
    }

    /** One number for each size. */
    public int rounds(int smoke, int full) {
        return isFull ? full : smoke;
    }

    /** One more round is done. */
    public void round() {
        rounds++;
    }

    int rounds() {
        return rounds;
    }

    /** Something for the table. */
    public void remark(String text) {
        remarks.add(text);
    }

    String remarks() {
        return String.join("; ", remarks);
    }
}
