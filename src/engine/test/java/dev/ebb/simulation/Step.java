package dev.ebb.simulation;

/**
 * The smallest thing that a walk does.
 *
 * @param seed of all that is drawn in the step, so that other steps can be left out
 */
record Step(Kind kind, int seed) {

    /** A kind of step: its action, its weight compared with the others, and its name in scripts. */
    enum Kind {
        /** A producer sends an event. */
        EVENT("e", 80),
        UPDATE("u", 30),
        EXECUTION("x", 14),
        /** Something that was produced about when its stream was deleted. */
        LATE("b", 20),
        COMMAND("c", 14),
        POLICY("p", 10),
        HOLD("h", 3),
        FILE("f", 2),
        CONFIRM("y", 3),
        /** A task takes one record in. */
        DELIVER("d", 150),
        /** A task with nothing to do looks whether there is. */
        TICK("t", 40),
        /** A task that has something to do does a little of it. */
        SLICE("s", 110),
        COMMIT("k", 40),
        /** A task loses what it has not committed, and comes back from its changelog. */
        ABORT("a", 5),
        MOVE("m", 4),
        /** An instance dies and another begins. */
        CRASH("z", 1),
        /** An instance takes in one record of the accepted policies. */
        ACCEPT("v", 20),
        GATE("g", 24),
        CLOCK("n", 16),
        /** The clock of an instance goes wrong, or its guard notices. */
        SKEW("w", 2),
        /** The registry answers. */
        REGISTRY("r", 4),
        /** The broker tells what a topic held when a task began. */
        TELL("l", 12),
        COMPACT("o", 2),
        READ("q", 30),
        /** Instances start again with other settings. */
        SETTING("j", 2),
        /** A person undoes deletes. */
        UNDO("i", 8);

        final String code;
        final int weight;

        Kind(String code, int weight) {
            this.code = code;
            this.weight = weight;
        }

        private static final Kind[] BY_CODE = new Kind[128];
        private static final Kind[] WEIGHTED;

        static {
            int sum = 0;
            for (Kind kind : values()) {
                BY_CODE[kind.code.charAt(0)] = kind;
                sum += kind.weight;
            }
            WEIGHTED = new Kind[sum];
            int next = 0;
            for (Kind kind : values()) {
                for (int i = 0; i < kind.weight; i++) {
                    WEIGHTED[next++] = kind;
                }
            }
        }

        static Kind draw(Draw draw) {
            return WEIGHTED[draw.below(WEIGHTED.length)];
        }
    }

    String encode() {
        return kind.code + Integer.toHexString(seed);
    }

    static Step decode(String text) {
        return new Step(Kind.BY_CODE[text.charAt(0)], Integer.parseUnsignedInt(text.substring(1), 16));
    }
}
