package dev.ebb.simulation;

import java.util.ArrayList;
import java.util.List;

/** Finds a part of a walk that breaks the same law: first leaves out large pieces, then smaller ones, then single steps. */
final class Shortening {

    private final long seed;
    private final Mix mix;
    private final String law;
    private final long endNanos;

    Shortening(long seed, Mix mix, String law, long forMs) {
        this.seed = seed;
        this.mix = mix;
        this.law = law;
        this.endNanos = System.nanoTime() + forMs * 1_000_000;
    }

    Script shorten(List<Step> steps) {
        List<Step> left = new ArrayList<>(steps);
        int size = Math.max(1, left.size() / 2);
        while (System.nanoTime() < endNanos) {
            boolean isShorter = leaveOut(left, size);
            if (size == 1 && !isShorter) {
                break;
            }
            size = isShorter && size > 1 ? Math.min(size, Math.max(1, left.size() / 2)) : Math.max(1, size / 2);
        }
        return new Script(seed, mix, left);
    }

    private boolean leaveOut(List<Step> left, int size) {
        boolean isShorter = false;
        for (int from = Math.max(0, left.size() - size); System.nanoTime() < endNanos; from -= size) {
            int begin = Math.max(0, from);
            int end = Math.min(left.size(), begin + size);
            List<Step> candidate = new ArrayList<>(left.subList(0, begin));
            candidate.addAll(left.subList(end, left.size()));
            if (begin < end && breaks(candidate)) {
                left.clear();
                left.addAll(candidate);
                isShorter = true;
            }
            if (begin == 0) {
                break;
            }
        }
        return isShorter;
    }

    private boolean breaks(List<Step> steps) {
        Violation violation = Simulation.play(seed, mix, steps, null);
        return violation != null && violation.law().equals(law);
    }
}
