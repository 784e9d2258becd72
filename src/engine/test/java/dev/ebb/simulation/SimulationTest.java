package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random walks through instances, partitions, topics and transactions, one smallest step at a time, with the laws after
 * each. Half a minute with new seeds each time; {@code -Dsimulation.minutes=} for longer, {@code -Dsimulation.threads=} for
 * more than one at a time, {@code -Dsimulation.base=} for the seeds from that one on, {@code -Dsimulation.seed=} for one walk
 * alone.
 */
@Tag("I-4")
@Tag("I-7")
class SimulationTest {

    private static final int EVERY_LINES = 10;
    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final long SHORTENING_MS = 60_000;

    @Test
    void shouldHoldTheLawsAfterEachStep() throws InterruptedException {
        Long only = Long.getLong("simulation.seed");
        if (only != null) {
            walk(only);
            return;
        }
        long first = Long.getLong("simulation.base", System.nanoTime() & 0xFFFF_FFFFFL);
        AtomicLong nextSeed = new AtomicLong(first);
        AtomicLong steps = new AtomicLong();
        long begunNanos = System.nanoTime();
        long endNanos = begunNanos + duration().toNanos();
        onThreads(Integer.getInteger("simulation.threads", 1), isStopped -> {
            while (!isStopped.get() && System.nanoTime() < endNanos) {
                steps.addAndGet(walk(nextSeed.getAndIncrement()));
            }
        });
        long seconds = Math.max(1, (System.nanoTime() - begunNanos) / 1_000_000_000L);
        System.out.println("simulation: " + steps + " steps of walks from the seed " + first + " on, "
                + steps.get() * 60 / seconds + " a minute");
    }

    private static Duration duration() {
        Long minutes = Long.getLong("simulation.minutes");
        return minutes == null ? SHORT : Duration.ofMinutes(minutes);
    }

    private static long walk(long seed) {
        try {
            return Simulation.walk(seed, Mix.ALL);
        } catch (Simulation.Failure failure) {
            throw failure.told(SHORTENING_MS);
        }
    }

    private interface Walker {
        void walk(AtomicBoolean isStopped);
    }

    /** The first failure stops all of them. */
    private static void onThreads(int threads, Walker walker) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        AtomicBoolean isStopped = new AtomicBoolean();
        try {
            List<Future<?>> walks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                walks.add(pool.submit(() -> {
                    try {
                        walker.walk(isStopped);
                    } finally {
                        isStopped.set(true);
                    }
                }));
            }
            for (Future<?> walk : walks) {
                walk.get();
            }
        } catch (ExecutionException e) {
            throw (AssertionError) e.getCause();
        } finally {
            pool.shutdownNow();
            pool.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    /** A stream that came under a policy which was withdrawn before the next turn went by it for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "20030024552 ffffffff ed345e23a d52c3335f lc82fcc81 l558c6743 paa9aa5fc l2263924f l6072b991 g3af30495"
                        + " p13371368 g41162306 e3c87af52 ec4c60508 gade5871f v22f4cef5 dda3d6c7b",
                "22100025638 ffffffff p27b6fb71 pc31fe3d7 g7d4126b2 l11914394 g5aec2828 k90817d25 p59170f28 vd9d88ebf"
                        + " d3e90c63d eb2e3778 v82291406 vbf68d031 g26800e07 d194f34c6 gc10b16a2 n6a8ff86b",
                // A delete, a set-ttl behind it, and a new stream of that name before the turn of the set-ttl.
                "900000540 ffffffff cfcc59ea9 l9aaf08e2 e6de66eec cd78e7268 d819b2009 d5769b146 l7a737f33 d2c8e0654"
                        + " cefe8c3ca d4720a17f s5ec8371 s24b68afb n8809eed5 e782ac223",
                "900005297 ffffffff ce0903a3a c465194c0 d970b2868 pb3cbff57 x8bf0deab l2673ad6a m559b9ce d8a235d1"
                        + " g345cd690 l4ad88966 c50af69b2 c2c25b0d8 d9b927779 db3f96c4b c765f6237 dde9766c7 x7b4199a5"
                        + " c23a92fc4 df7f79432 k17a33fb1 k773dacc7 deb619b28 dcd2553d3 d13bd9cc1 v43fc23a3 s15a0bbe5"
                        + " sed4a196f s6c4e548f b2fef32b6",
                // Two prunes of many streams that take turns at one of them, and an event that comes behind.
                "38939836183 ffffffff mcbef594d ced921ba1 lc7d27e71 efa73ed89 ed01651fb gd2c304fd da3d681cb eb8181681"
                        + " dc6f5dd1d lcdd08f55 df840ee6 d703095d8 k32691cab kc16f388e c21a15fd0 vbe3ce506 de16647c9"
                        + " sb0e87727 kc5f590a1 eeca7b04c e41112a08 d666cae79 s12c320bb t1945956d k60dc6d3c t88c8a182"
                        + " t4788bf xfc651e2d c4b46bf8b df498ac9d ddb983f2b d3672b3d6 d4009feaf d2a944266 s9ab585c5"
                        + " k4cbd3455 d3c32db74 d16494338 s5ff4cf2d s588683e cca2acfa6 d6a5437f9 k1d8630a5 d31338097"
                        + " sc58dbbad ka4d74211 c32dae614 d8acfe1d7 dace57fa4 d1a07681 de35afe21 s4a82bb46 e15bc3a4",
                // An event that waited, the delete of its stream, and the undo of a former delete of its id in one
                // step.
                "36239482442 3ffffffff ee43f538b j49b1ed96 seffe1b91 gb7f078ea ef939a5cb t93b18260 g7a2ed1cc ee1d3e319"
                        + " ed30406e4 ed251ae34 ceea69423 c655e547b e3ff47119 jf2596d7c s595a0cc2 i70ac53fb sbfa2b0a2"
                        + " k6cecb9c0 ec2473f4f ue5e3f6b2 ib0d91cc bea549ea7 bd9192958 ec57b1d1c c90551be4 j73a8a6d3",
                // A deleted stream is emptied while a new one of its name declares the execution of its event.
                "48827491965 ffffffff c1d93570d c37b7d702 le75e32a3 d98803ab6 gea0ae256 geb4d741 eb2affb10 v9a781b24"
                        + " df25de5e4 l2c713e9a sed10b1c4 b7d21372d b98d2ce0a",
                // An execution goes again between two of its events that one undo brings back.
                "8220000115 3ffffffff cdc0e9e68 x4031afbc e268f871c e919c937e c1587ce27 ee825ab45 e41fa3b57 eef8601f5"
                        + " i7e174df0 if9ff69e3 p3f3355da jdbf81c41 e729c9090",
                // An execution ends and goes while an undo brings its event back.
                "8320000556 3ffffffff cbf890ffa c70468599 cc029bb8 c7a19588a c9e1eafad c88dea020 ubc75b7ee"
                        + " f23712652 c9535e142 cf052a8c1 cb1a54d08 j23aaf364 ie396fc6c s3d6afe4 db5180eb sa3267d13"
                        + " k304fd25f dbd98f7d3 x613a3497 sfefe9893 da4b22489 k443e00d0 d11e36f39 r9c442c01 sfabff94f"
                        + " ndac87cf0 d76b9658e e1fc47834 de052b845 ca0cc6938 d4a389753 s20618a30 k276257d3 dc5ffcac5"
                        + " x9a031686 s7506e217 s2404f8bc",
                // A prune takes an execution in the step in which an undo brings its event back.
                "8420003313 3ffffffff e1f70f73b ec0d399da i8a681bf9 e388086a z3666d52f eab5e6aa8 x1dbb49f9 d43c35889"
                        + " cb8d3bebd saf3bdcbc dc99ddfc9 s8b19cf6f ee1d9281c t2c29c83c e74077f5b e1ef6006e e280074f eabd67e11"
                        + " sead66795 g588cdd71 l882fc272 t9a6d6e88 l98932d53 d8b2e1b52 d43649e00 e61d76ec8 n8f8d81a0"
                        + " maca2efa7 ecf2867d8 dcdd02146 df7ae3791 d166c2d4a e956ad6cb n42a4b71 c14f4d84c dcccf60c2 db022e3d9"
                        + " sa4f0cb60 u2f9cab71 x7b10b5fd c3c390e3f s7da514a2 df7e57580 sec246772 s1fb41a1f mbef82bd9"
                        + " ea2816454 s51b24aa6 sbba7f2ec d1055c7f9 d530026ea u352a66ff d718e34b2 e5b5695c4 sef8faa88"
                        + " s283303e0 de94ee791 s298bf3e9 dc548ed2 dc3d0526b d435e0def saa7b2093 s9dfdbdd6 s370e6704 dbac0de0"
                        + " sf9563b8f d1294bcf te0324346 d1da20148 t67326c4e v5af007f4 c2bc0b315 cb589e7f7 d5759cf27 da84404a3"
                        + " d12683a1e l3b014f40 x425065b4 d628e7fd4 s4e760b86 k280e64f5 s8813618a d7447b54e sa7cfe608 d47ef08b"
                        + " d3ea81016 k84fd2e08 d51e71339 s22c24e29 k2e70bfe3 ca98fc641",
                // A prune takes an execution of a newer life of the name while an undo brings back an event of the
                // former one.
                "58405055474 7ffffffff ef14a0796 c1b4d1be6 o7a4ea1c ja68f236 ecc073650 ea54c5039 d5f826cd4"
                        + " e8d032e4a e6ca78691 a88ad70b1 d426dc970 l171b10c2 dd7a086ff d422879aa c47465641 d5d9d482d"
                        + " e13545917 k8ab7fb57 s34944bd0 d34e6ef29 sa66b1542 ba3c4bb21 p44d370e8 i8b558862 if4d8d26b"
                        + " cd9e26a3f e791b11f8 c8838ddb i1a551128 jf1b39bc1 ndca7304e s55d79b7d sd1a97b6 b5ca65a08"
                        + " dd7d96319 vd22fa989 kf1c65b86 s400ebe7c dff372303 d9254f041 bb23c6f18 na5fa9c57 s4eff5b74"
                        + " k9ab9451b i9057cc2f d68765a41 s5df0de8e cfb33ffae da64bf94a d9e77172b s3f8b8299 edb0d2a58"
                        + " sec628859"
            })
    void shouldHoldTheLawsInWalksThatBrokeOneBefore(String script) {
        assertThatNoException().isThrownBy(() -> Simulation.replay(script));
    }

    /** A stream that has left memory is found again as long as the collector lets it live, which must not matter. */
    @Test
    @Tag("A-17")
    void shouldTakeTheSameWalkTwiceWhateverTheCollectorDoes() {
        // given
        Script script = Simulation.script(7, Mix.ALL, 600);

        // when
        List<String> once = told(script, false);
        List<String> again = told(Script.decode(script.encode()), true);

        // then
        assertThat(once).hasSizeGreaterThan(600).isEqualTo(again);
    }

    private static List<String> told(Script script, boolean isCollected) {
        List<String> log = new ArrayList<>();
        Violation violation = Simulation.play(script.seed(), script.mix(), script.steps(), line -> {
            log.add(line);
            if (isCollected && log.size() % EVERY_LINES == 0) {
                System.gc();
            }
        });
        log.add(String.valueOf(violation));
        return log;
    }
}
