package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * B-15: the highest steady rate of events, each deleted again, at which SQL is never more than ten seconds behind, and does not
 * fall further and further behind. The search begins with the rate of the gate and halves the rates that are left. Rows
 * are in blocks, the form for those who want SQL alone to have them.
 */
public final class SqlPaceBenchmark {

    private static final int GATE = 40_000;
    private static final int AIM = 60_000;
    private static final List<Integer> RATES =
            List.of(5_000, 10_000, 15_000, 20_000, 30_000, GATE, AIM, 80_000, 100_000);

    /** Fewer steps, where all is measured one after the other. */
    private static final List<Integer> FEW_RATES = List.of(10_000, 20_000, GATE, AIM, 80_000);

    private static final double MOST_BEHIND = 10;

    /** A rate that cold code sustains as well, so that every run of it sends all of its events. */
    private static final int WARM_UP_RATE = 15_000;

    private static final int WARM_UPS = 3;
    private static final int WARM_UP_SECONDS = 20;

    private SqlPaceBenchmark() {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.startWithSql(settings.folder(), progress)) {
            Lane lane = stack.lane("pace", Map.of());
            lane.renewAllTopics();
            try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane);
                    EbbApp app = EbbApp.start(lane, PaceTrial.SHORT_LIVED);
                    Connection connection = mirror.connect()) {
                return figures(new Ladder(new PaceTrial(lane, app, connection), settings, progress).climb());
            } catch (SQLException e) {
                throw new VoidRunException("the mirror cannot be read: " + e.getMessage(), e);
            }
        }
    }

    /** Rates one after the other. */
    private record Ladder(PaceTrial trial, BenchSettings settings, Consumer<String> progress) {

        /** The best rate with which SQL keeps up; 0 events a second if it does with none. */
        PaceTrial.Pace climb() throws InterruptedException, SQLException {
            warmUp();
            OptionalInt events = settings.events();
            if (events.isPresent()) {
                return kept(PaceTrial.Pace.NONE, at(Math.max(1, events.getAsInt() / seconds())));
            }
            return search();
        }

        /** Compilers take half of two cores in the first minute: application, broker and Connect each have one. */
        private void warmUp() throws InterruptedException, SQLException {
            for (int round = 0; round < settings.byLength(0, settings.isWhole() ? 1 : WARM_UPS, WARM_UPS); round++) {
                PaceTrial.Pace pace =
                        trial.run(WARM_UP_RATE, WARM_UP_SECONDS, Double.MAX_VALUE, settings.seed() + round);
                progress.accept(String.format(
                        Locale.ROOT,
                        "warm-up, %,d events/s: SQL %.1f s behind at the most",
                        WARM_UP_RATE,
                        pace.behind()));
            }
        }

        /** By halves, the gate first: what holds at a rate holds at those below. */
        private PaceTrial.Pace search() throws InterruptedException, SQLException {
            PaceTrial.Pace best = PaceTrial.Pace.NONE;
            List<Integer> rates = settings.isWhole() && !settings.isLong() ? FEW_RATES : RATES;
            int low = 0;
            int high = rates.size();
            int next = rates.indexOf(GATE);
            while (low < high) {
                PaceTrial.Pace pace = at(rates.get(next));
                if (isKept(pace)) {
                    best = pace;
                    low = next + 1;
                } else {
                    high = next;
                }
                next = (low + high) / 2;
            }
            return best;
        }

        private PaceTrial.Pace at(int perSecond) throws InterruptedException, SQLException {
            PaceTrial.Pace pace = trial.run(perSecond, seconds(), MOST_BEHIND, settings.seed());
            progress.accept(said(pace));
            return pace;
        }

        private static String said(PaceTrial.Pace pace) {
            if (Double.isInfinite(pace.behind())) {
                return String.format(Locale.ROOT, "%,d events/s: the load did not keep that rate", pace.perSecond());
            }
            return String.format(
                    Locale.ROOT,
                    "%,d events/s: SQL %.1f s behind at the most%s",
                    pace.perSecond(),
                    pace.behind(),
                    pace.isGrowing() ? ", and further and further" : "");
        }

        private int seconds() {
            return settings.byLength(10, settings.isWhole() ? 20 : 60, 180);
        }

        private static boolean isKept(PaceTrial.Pace pace) {
            return pace.behind() <= MOST_BEHIND && !pace.isGrowing();
        }

        private static PaceTrial.Pace kept(PaceTrial.Pace otherwise, PaceTrial.Pace pace) {
            return isKept(pace) ? pace : otherwise;
        }
    }

    private static List<Figure> figures(PaceTrial.Pace best) {
        String name = "events, each deleted again, with SQL at most 10 s behind";
        List<Double> perSecond = List.of((double) best.perSecond());
        String behind = "SQL behind with that rate, at the most";
        return List.of(
                Figure.alone("B-15", name, "events/s", Target.valueAtLeast(GATE, AIM), perSecond),
                Figure.alone("B-15-behind", behind, "s", Target.REPORTED, List.of(best.behind())));
    }
}
