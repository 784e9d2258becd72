package dev.ebb.oracle;

import java.util.List;

public final class Oracle {

    public Verdict judge(OracleSources sources) {
        return new Verdict(0, 0, List.of());
    }
}
