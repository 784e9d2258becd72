package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.WaitingPolicyView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change that the brake holds back, for people: a file of thousands of records is one line.
 *
 * @param first the first record of the change
 * @param records the number of records of the change
 */
public record WaitingChange(WaitingPolicyView first, int records) {

    /** Returns the waiting records, grouped by change. */
    public static List<WaitingChange> of(List<WaitingPolicyView> waiting) {
        Map<Long, WaitingChange> changes = new LinkedHashMap<>();
        for (WaitingPolicyView each : waiting) {
            changes.merge(
                    each.change(),
                    new WaitingChange(each, 1),
                    (known, one) -> new WaitingChange(known.first(), known.records() + 1));
        }
        return new ArrayList<>(changes.values());
    }

    /** Returns the key of the first record, and the number of those that come into force with it. */
    public String name() {
        return records == 1 ? first.key() : first.key() + " and " + Texts.count(records - 1) + " more of its file";
    }
}
