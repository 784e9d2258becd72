package dev.ebb.api.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.FakePorts;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.wire.forecast.UpdateView;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("C-10")
@Timeout(60)
class BulletinTest {

    private final FakePorts fake = new FakePorts();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger made = new AtomicInteger();
    private volatile CountDownLatch begun = new CountDownLatch(1);
    private volatile CountDownLatch ended = new CountDownLatch(0);
    private final Bulletin bulletin = new Bulletin(ports(), nanos::get);

    /** News stand for two seconds: below, at, above. */
    @Test
    void shouldMakeNewsAtMostEveryTwoSeconds() throws InterruptedException {
        bulletin.latest();
        nanos.set(Bulletin.PERIOD.toNanos() - 1);
        bulletin.latest();
        assertThat(made).hasValue(1);

        nanos.set(Bulletin.PERIOD.toNanos());
        bulletin.latest();
        assertThat(made).hasValue(2);

        nanos.set(2 * Bulletin.PERIOD.toNanos() + 1);
        bulletin.latest();
        assertThat(made).hasValue(3);
    }

    /** A broker that is slow keeps one listener waiting, and no other. */
    @Test
    void shouldGiveFormerNewsWhileNewOnesAreMade() throws Exception {
        // given
        UpdateView former = bulletin.latest();
        nanos.set(Bulletin.PERIOD.toNanos());
        begun = new CountDownLatch(1);
        ended = new CountDownLatch(1);
        CompletableFuture<UpdateView> slow = CompletableFuture.supplyAsync(this::latest);
        begun.await();

        // when
        UpdateView meanwhile = bulletin.latest();

        // then
        assertThat(slow).isNotDone();
        assertThat(meanwhile).isSameAs(former);
        ended.countDown();
        assertThat(slow.get()).isNotSameAs(former).isSameAs(bulletin.latest());
    }

    /** The first listeners have nothing to look at before. */
    @Test
    void shouldMakeTheFirstNewsOnceForAllThatWait() throws Exception {
        // given
        ended = new CountDownLatch(1);
        CompletableFuture<UpdateView> one = CompletableFuture.supplyAsync(this::latest);
        begun.await();

        // when
        CompletableFuture<UpdateView> other = CompletableFuture.supplyAsync(this::latest);
        ended.countDown();

        // then
        assertThat(other.get()).isSameAs(one.get());
        assertThat(made).hasValue(1);
    }

    private UpdateView latest() {
        try {
            return bulletin.latest();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ApiPorts ports() {
        ApiPorts all = fake.ports();
        StatusSource slow = new StatusSource() {
            @Override
            public StatusView status() {
                made.incrementAndGet();
                begun.countDown();
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return fake.status();
            }

            @Override
            public Map<String, StatusView.NamespaceView> namespaces(Collection<Integer> partitions) {
                return fake.namespaces(partitions);
            }
        };
        return new ApiPorts(
                all.events(),
                all.writer(),
                all.policies(),
                all.commands(),
                all.sources(),
                all.running(),
                slow,
                all.health(),
                all.metrics(),
                all.requests(),
                all.insight(),
                all.clock());
    }
}
