package dev.ebb.topology;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.model.RetentionModelBrake;
import dev.ebb.topology.parts.TopologySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/**
 * Meaning of one seed: the settings of the application, and a seed for each step. Steps do not share their random numbers,
 * so a play in which some are left out still means something.
 */
record RetentionPlayCase(Kind kind, int batchDeletes, BrakeLimits brake, int sweepPercent, List<Long> steps) {

    /** Triggers of sweeps. */
    enum Kind {
        /** One at each tick. */
        ALWAYS,
        /** As intervals and windows of the policies say. */
        RHYTHM,
        /** After a start, and then by hand alone. */
        BY_HAND
    }

    private static final int STEPS = 40;
    private static final int NO_BATCHES = 10_000;
    private static final long A_CENTURY_MS = 36_500L * 24 * 3_600_000;

    static RetentionPlayCase draw(Random random) {
        int dice = random.nextInt(6);
        return draw(random, dice < 3 ? Kind.ALWAYS : dice == 3 ? Kind.RHYTHM : Kind.BY_HAND);
    }

    static RetentionPlayCase draw(Random random, Kind kind) {
        boolean isAlways = kind == Kind.ALWAYS;
        boolean hasBrake = random.nextInt(3) == 0;
        int batch = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : NO_BATCHES;
        BrakeLimits brake = new BrakeLimits(10 * random.nextInt(6), random.nextInt(4), 0);
        List<Long> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            steps.add(random.nextLong());
        }
        return new RetentionPlayCase(
                kind, isAlways ? batch : NO_BATCHES, isAlways && hasBrake ? brake : BrakeLimits.OFF, 0, steps);
    }

    /** A play in which every third step is a sweep by hand that was asked for what it would do before. */
    static RetentionPlayCase ofSweeps(Random random) {
        RetentionPlayCase plain = draw(random, Kind.BY_HAND);
        return new RetentionPlayCase(plain.kind, plain.batchDeletes, plain.brake, 33, plain.steps);
    }

    TopologySettings settings() {
        return new SettingsLike(TopologyFixture.settings(intervalMs(), batchDeletes))
                .brakeLimits(brake)
                // The clock of a play jumps by weeks; tests of their own look at such gaps.
                .clockMaxGap(Limit.NONE)
                .make();
    }

    /** Returns true if each sweep is done in the tick in which it begins. */
    boolean hasNoBatches() {
        return batchDeletes == NO_BATCHES;
    }

    OptionalLong intervalMs() {
        return switch (kind) {
            case ALWAYS -> OptionalLong.of(1);
            case RHYTHM -> OptionalLong.empty();
            case BY_HAND -> OptionalLong.of(A_CENTURY_MS);
        };
    }

    RetentionModelBrake modelBrake() {
        return new RetentionModelBrake(brake.sharePercent(), brake.minimumEvents());
    }
}
