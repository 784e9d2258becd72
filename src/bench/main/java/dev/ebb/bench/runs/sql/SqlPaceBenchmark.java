package dev.ebb.bench.runs.sql;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Benchmark;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.sql.SqlMirrorSetup;
import dev.ebb.config.Settings;
import dev.ebb.devstack.process.Service;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * B-15: the highest steady rate of events, each deleted again, at which SQL is never more than ten seconds behind, and does not
 * fall further and further behind. It begins with the rate that is asked for, and goes up or down step by step until SQL falls
 * behind or no longer does. Rows are in blocks, the
 * form for those who want SQL alone to have them; with rows in JSON it is reported.
 */
public final class SqlPaceBenchmark implements Benchmark {

    private static final int GATE = 40_000;
    private static final int AIM = 80_000;
    private static final List<Integer> RATES =
            List.of(5_000, 10_000, 15_000, 20_000, 30_000, GATE, 60_000, AIM, 100_000);

    /** Fewer steps, where all is measured one after the other. */
    private static final List<Integer> FEW_RATES = List.of(10_000, 20_000, GATE, 60_000, AIM);

    private static final double MOST_BEHIND = 10;

    /** A rate that cold code sustains as well, so that every run of it sends all of its events. */
    private static final int WARM_UP_RATE = 15_000;

    private static final int WARM_UPS = 3;
    private static final int WARM_UP_SECONDS = 20;

    @Override
    public String id() {
        return "B-15";
    }

    @Override
    public String title() {
        return "events a second, each deleted again, with which SQL keeps up";
    }

    @Override
    public List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        EnumSet<Service> services = EnumSet.of(Service.POSTGRES, Service.CONNECT);
        try (BenchStack stack = BenchStack.start(settings.folder(), services, progress)) {
            Target target = Target.valueAtLeast(GATE, AIM);
            List<Figure> figures = new ArrayList<>(measure(stack, settings, "blocks", "", target, progress));
            if (settings.hasReported()) {
                figures.addAll(measure(stack, settings, "json", "-json", Target.REPORTED, progress));
            }
            return figures;
        }
    }

    private static List<Figure> measure(
            BenchStack stack,
            BenchSettings settings,
            String form,
            String suffix,
            Target target,
            Consumer<String> progress)
            throws InterruptedException {
        Lane lane = stack.lane("pace" + suffix, Map.of(Settings.MIRROR_FORMAT.key(), form));
        lane.renewAllTopics();
        try (SqlMirrorSetup mirror = SqlMirrorSetup.start(lane);
                EbbApp app = EbbApp.start(lane, PaceTrial.SHORT_LIVED);
                Connection connection = mirror.connect()) {
            PaceTrial trial = new PaceTrial(lane, app, connection);
            PaceTrial.Pace best = new Ladder(trial, settings, said -> progress.accept(form + ", " + said)).climb();
            return figures("B-15" + suffix, ", rows in " + form, target, best);
        } catch (SQLException e) {
            throw new VoidRunException("the mirror cannot be read: " + e.getMessage(), e);
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

    private static List<Figure> figures(String id, String form, Target target, PaceTrial.Pace best) {
        return List.of(
                Figure.alone(
                        id,
                        "events, each deleted again, with SQL at most 10 s behind" + form,
                        "events/s",
                        target,
                        List.of((double) best.perSecond())),
                Figure.alone(
                        id + "-behind",
                        "SQL behind with that rate, at the most" + form,
                        "s",
                        Target.REPORTED,
                        List.of(best.behind())));
    }
}
