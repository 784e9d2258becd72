package dev.ebb.simulation;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.command.StreamFilter;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.SeededCases;
import dev.ebb.simulation.AccidentLaw.Key;
import dev.ebb.simulation.AccidentLaw.Picture;
import dev.ebb.simulation.AccidentLedger.Gone;
import dev.ebb.topology.SettingsLike;
import dev.ebb.topology.TopologyFixture;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.EbbHeaders;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Random accidents of people and machines (T-12): wrong policies, files of which a part is missing, clocks that jump, wrong
 * and forced commands, holds released by mistake, two people at once, instances of two versions, lost transactions. After
 * each step the {@link AccidentLaw} is asked and all is counted again; what is undone is held against the
 * {@link AccidentLedger}.
 */
final class AccidentPlay {

    /** Steps of one play. */
    static final int STEPS = 100;

    static final List<String> STREAMS = List.of("a/1", "a/2", "b/1");

    /** So short that most of what is back can go again, by accidents of which some take half an hour. */
    static final long NOTICE_MS = 300_000;

    private static final long HOUR_MS = 3_600_000;

    /** More than the longest jump of the time while all goes on, and less than most ages. */
    private static final long MAX_GAP_MS = HOUR_MS;

    private static final long[] BESIDE_MAX_GAP_MS = {-HOUR_MS / 4, -1, 0, 1000, HOUR_MS / 4, HOUR_MS, 3 * HOUR_MS};
    private static final int MOST_AT_ONCE = 5;
    private static final List<String> CASES = List.of("LIT-0", "LIT-1", "INC");

    /** Has executions. */
    private static final String JOBS = "b/1";

    private final List<Accident> spread;
    private final Draw draw;
    private final AccidentWorld world;
    private final AccidentLaw law;
    private final Set<Key> touched = new HashSet<>();

    /** Events that were touched while they, or others, still waited to be taken in. */
    private final Set<String> touchedUnseen = new HashSet<>();

    private final List<Event> mayHaveCome = new ArrayList<>();
    private final List<CommandRequest> plans = new ArrayList<>();
    private final TopologySettings firstSettings;
    private boolean isConfirmed;

    /** By how much all clocks are wrong. */
    private long wrongMs;

    /** True if a stream is to be made anew under the next undo. */
    private boolean isMadeAnew;

    private int sent;

    private AccidentPlay(Random random, List<Accident> often) {
        this.spread = Accident.spread(often);
        this.draw = new Draw(random.nextLong());
        this.world = new AccidentWorld(
                draw,
                new SettingsLike(TopologyFixture.settings(OptionalLong.of(1000), 1 + draw.below(8)))
                        .brakeLimits(new BrakeLimits(1, MOST_AT_ONCE, 0))
                        .undoNotice(Duration.ofMillis(NOTICE_MS))
                        .clockMaxGap(Limit.of(MAX_GAP_MS))
                        .make());
        this.firstSettings = world.world.settings;
        this.law = new AccidentLaw(world, MOST_AT_ONCE, MAX_GAP_MS);
    }

    /**
     * The first plays, for a build that is broken on purpose; it finds this by its name.
     *
     * @param from the number of the play with which to begin
     * @param often what happens more often than in other plays, see {@link Accident#encode}
     */
    static void playTheFirst(int plays, int from, String often) {
        SeededCases.forTheFirst(plays, from, random -> playOnce(random, Accident.decode(often)));
    }

    static void play(Random random) {
        playOnce(random, List.of());
    }

    /** Plays, and returns by what to tell whether anything of the play is still kept when it is over. */
    static WeakReference<World> playOnce(Random random, List<Accident> often) {
        return OwnThread.call(() -> {
            AccidentPlay play = new AccidentPlay(random, often);
            for (int step = 0; step < STEPS; step++) {
                play.step();
            }
            return new WeakReference<>(play.world.world);
        });
    }

    private void step() {
        Accident accident = draw.of(spread);
        if (!world.isAnyWaiting()) {
            touched.clear();
            touchedUnseen.clear();
            mayHaveCome.clear();
        }
        if (accident == Accident.WRONG_TIME) {
            wrongTime();
        }
        Picture before = Picture.of(world);
        int audited = world.audits.size();
        isConfirmed = false;
        world.loseTransactions(draw.oneIn(4));
        CommandRequest done = happen(accident);
        world.run(1000);
        Picture after = Picture.of(world);
        law.check(
                before,
                after,
                List.copyOf(world.audits.subList(audited, world.audits.size())),
                key -> touched.contains(key) || touchedUnseen.contains(nameOf(key.stream(), key.id())),
                List.copyOf(mayHaveCome),
                isConfirmed);
        if (done != null && done.command() instanceof Command.EraseEvents erase) {
            world.ledger.erased(erase, before, after);
        }
        world.recount();
        if ((isMadeAnew || draw.oneIn(5)) && !world.ledger.isEmpty() && !world.isAnyParked()) {
            undo();
            world.recount();
        }
        world.loseTransactions(false);
    }

    /** One accident, or an ordinary thing between them; returns the command that was carried out, if it is one. */
    private @Nullable CommandRequest happen(Accident accident) {
        String stream = stream();
        switch (accident) {
            case POLICY -> policy(policy(), new RecordHeaders());
            case INCOMPLETE_FILE -> incompleteFile();
            case EMPTY_FILE -> emptyFile();
            case SMALL_STEPS -> smallSteps();
            case NO_POLICY -> world.policy(scope().toString(), null, Codec.KNOWN, new RecordHeaders());
            case TWO_AUTHORS -> twoAuthors();
            case CONFIRMATION -> confirm();
            case STALE_CONFIRMATION -> confirmWhatWasReplaced();
            case HOLD -> hold(caseId(), draw.either() ? Scope.namespace("a") : Scope.stream(stream));
            case RELEASE -> world.policy("hold:" + caseId(), null, Codec.KNOWN, new RecordHeaders());
            case TTL_UNDER_HOLD -> ttlUnderHold();
            case WRONG_START -> world.startWithWrongClock(draw.either() ? besideMaxGap() : -besideMaxGap());
            case WRONG_TIME -> {}
            case COMPACTED_TRASH -> world.compactTrash();
            case LOST_TRASH -> world.loseTrash();
            case MADE_ANEW -> {
                isMadeAnew = true;
                return command(new Command.DeleteStream(new StreamName(stream), true));
            }
            case CLOCK -> world.jumpClock(HOUR_MS);
            case CRASH -> world.crash();
            case FORMER_VERSION -> world.downgrade();
            case MOVE -> world.move();
            case SETTING -> setting();
            case BLINDNESS -> world.fallBehind();
            case SIGHT -> world.catchUp();
            case TIME -> world.world.nowMs += HOUR_MS / 2;
            case DELETE_STREAM -> {
                return command(new Command.DeleteStream(new StreamName(stream), draw.either()));
            }
            case DELETE_EVENT -> {
                return command(new Command.DeleteEvent(new StreamName(stream), new EventId(id()), draw.either()));
            }
            case PURGE -> {
                return command(new Command.PurgeStreams(new StreamFilter(null, null, null, 100, true)));
            }
            case PRUNE -> {
                PruneCondition keep = new PruneCondition((long) draw.below(3), null);
                return command(new Command.PruneStream(new StreamName(stream), keep));
            }
            case TWO_COMMANDS -> {
                return twoCommands(stream);
            }
            case ERASURE -> {
                EventCondition condition = EventCondition.parse("metadata.user=42");
                String namespace = draw.either() ? null : "a";
                return command(new Command.EraseEvents(List.of(condition), namespace, "GDPR-7", draw.either()));
            }
            case SWEEP -> {
                return command(new Command.SweepNow(Scope.ALL, null));
            }
            case COMPLETION -> terminal(stream, id());
            case EXECUTION -> execution();
            case PLAN -> plan(stream);
            case PLANNED_COMMAND -> {
                return carryOutPlan();
            }
            case ARRIVAL -> arrive(stream);
        }
        return null;
    }

    private List<Event> arrive(String stream) {
        List<Event> arrived = new ArrayList<>();
        for (int i = 1 + draw.below(3); i > 0; i--) {
            EventBuilder arriving = event(stream, id()).payload(new byte[] {(byte) sent++});
            switch (draw.below(5)) {
                case 0 -> arriving.status(AccidentLaw.WORK);
                case 1 -> arriving.ttlSeconds(1800L * (1 + draw.below(8)));
                case 2 -> arriving.metadata(Map.of("user", "42"));
                default -> {}
            }
            if (stream.equals(JOBS)) {
                arriving.execution(draw.below(3));
            }
            Event event = arriving.build();
            touch(stream, event.id().value());
            world.send(event, event.stream());
            mayHaveCome.add(event);
            arrived.add(event);
        }
        return arrived;
    }

    private long besideMaxGap() {
        return MAX_GAP_MS + BESIDE_MAX_GAP_MS[draw.below(BESIDE_MAX_GAP_MS.length)];
    }

    /** Everything starts again, and all clocks are ahead or behind by then, or right again. */
    private void wrongTime() {
        long newestMs = world.newestMs();
        long ms = wrongMs != 0 && draw.either() ? -wrongMs : draw.oneIn(4) ? -besideMaxGap() : besideMaxGap();
        wrongMs += ms;
        world.startAllAt(world.world.nowMs + ms);
        law.started(newestMs);
    }

    /** A file with nothing in it, by which all policies are removed that it does not have. */
    private void emptyFile() {
        List<String> keys = world.policies().policies().keySet().stream()
                .map(Scope::toString)
                .sorted()
                .toList();
        Headers headers = TopologyFixture.ofFile("file-" + sent++, keys.size());
        keys.forEach(key -> world.policy(key, null, Codec.KNOWN, headers));
    }

    /** Somebody who wants an age that the brake holds back gets there in steps, each of which takes a few events. */
    private void smallSteps() {
        Scope scope = draw.either() ? Scope.namespace("a") : Scope.stream(stream());
        for (int i = 0; i < 5; i++) {
            List<Long> ages = world.stored().stream()
                    .map(stored -> world.world.nowMs - stored.storedAt())
                    .sorted(Comparator.reverseOrder())
                    .toList();
            int few = 1 + draw.below(3);
            if (ages.size() > few && ages.get(few) > 0) {
                RetentionPolicy smaller = RetentionPolicy.of(scope)
                        .maxAge(Limit.of(ages.get(few)))
                        .build();
                world.policy(scope.toString(), smaller, Codec.KNOWN, new RecordHeaders());
                world.run(2000);
            }
        }
    }

    /** The TTLs of some events pass while a hold keeps them, and the hold is released by mistake. */
    private void ttlUnderHold() {
        String caseId = caseId();
        hold(caseId, Scope.ALL);
        for (int i = 0; i < 30 && !STREAMS.stream().map(StreamName::new).allMatch(world::isConfirmed); i++) {
            world.run(100);
        }
        world.world.nowMs += HOUR_MS / 2;
        world.run(1000);
        world.policy("hold:" + caseId, null, Codec.KNOWN, new RecordHeaders());
    }

    private void terminal(String stream, String id) {
        touch(stream, id);
        StreamName name = new StreamName(stream);
        world.send(new EventUpdate(name, new EventId(id), "completed", null, null, null), name);
    }

    /** Ends an execution, or begins it anew; all its events are touched by that. */
    private void execution() {
        StreamName name = new StreamName(JOBS);
        String status = draw.oneIn(4) ? AccidentLaw.WORK : "completed";
        StreamName parent = draw.either() ? null : new StreamName("a/1");
        world.stored().stream()
                .filter(stored -> stored.event().stream().equals(name))
                .forEach(stored -> touched.add(Key.of(stored)));
        mayHaveCome.stream()
                .filter(event -> event.stream().equals(name))
                .forEach(event -> touchedUnseen.add(nameOf(name, event.id().value())));
        world.send(new ExecutionUpdate(name, 1L + draw.below(2), status, parent, null, null), name);
    }

    /** An event's own record may end its protection. */
    private void touch(String stream, String id) {
        world.stored().stream()
                .map(Key::of)
                .filter(key -> key.stream().value().equals(stream) && key.id().equals(id))
                .forEach(touched::add);
        if (world.isAnyWaiting()) {
            touchedUnseen.add(nameOf(new StreamName(stream), id));
        }
    }

    private static String nameOf(StreamName stream, String id) {
        return stream + " " + id;
    }

    /** Sometimes as an instance of the former version cannot read it yet. */
    private long policy(RetentionPolicy policy, Headers headers) {
        int schema = draw.oneIn(5) ? AccidentWorld.NEWER : Codec.KNOWN;
        return world.policy(policy.scope().toString(), policy, schema, headers);
    }

    private void hold(String caseId, Scope covers) {
        Hold hold = new Hold(caseId, covers, "litigation", "eva", 0);
        world.policy(hold.key().toString(), hold, Codec.KNOWN, new RecordHeaders());
    }

    /** A wrong age, or a status that no longer protects, in the configuration of all instances or of one. */
    private void setting() {
        Limit age = draw.either() ? BuiltInPolicies.DEFAULT_MAX_AGE : Limit.of((1L + draw.below(6)) * HOUR_MS / 2);
        TerminalStatuses statuses =
                draw.either() ? TerminalStatuses.DEFAULT : new TerminalStatuses(List.of("completed", AccidentLaw.WORK));
        TopologySettings other = new SettingsLike(world.world.settings)
                .builtIn(new BuiltInPolicies(new RetentionSettings(age, PolicyMode.ENFORCE, statuses)))
                .terminalStatuses(statuses)
                .make();
        world.configure(draw.oneIn(3) ? firstSettings : other, draw.either());
    }

    private void incompleteFile() {
        long version = policy(policy(), TopologyFixture.ofFile("file-" + sent++, 2));
        world.run(500);
        assertThat(world.isInForce(version)).as("a part of a file is in force").isFalse();
    }

    /** Two people plan files under one version: the second must not come into force. */
    private void twoAuthors() {
        PolicyEdition base = world.policies().edition();
        long first = planned(policy(), base);
        world.run(500);
        boolean isOvertaken = base.isBefore(world.policies().edition());
        long second = planned(policy(), base);
        world.run(500);
        assertThat(world.isInForce(second) && (isOvertaken || world.isInForce(first)))
                .as("a planned file behind another change")
                .isFalse();
    }

    private long planned(RetentionPolicy policy, PolicyEdition base) {
        Headers headers = TopologyFixture.ofFile("file-" + sent++, 1);
        EbbHeaders.setBase(headers, base);
        return world.policy(policy.scope().toString(), policy, Codec.KNOWN, headers);
    }

    private void confirm() {
        List<WaitingPolicy> waiting = world.observer().views.current().waiting();
        if (!waiting.isEmpty()) {
            WaitingPolicy one = draw.of(waiting);
            Headers headers = new RecordHeaders();
            EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, one.version());
            isConfirmed = true;
            world.catchUp();
            world.policy(EbbHeaders.CONFIRM + one.key(), null, Codec.KNOWN, headers);
        }
    }

    /** A confirmation of a waiting file of which a part has just been replaced confirms nothing. */
    private void confirmWhatWasReplaced() {
        Headers file = TopologyFixture.ofFile("file-" + sent++, 2);
        RetentionPolicy spares =
                RetentionPolicy.of(Scope.namespace("a")).maxAge(Limit.NONE).build();
        RetentionPolicy takes =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(HOUR_MS / 2)).build();
        world.policy(spares.scope().toString(), spares, Codec.KNOWN, file);
        long version = world.policy(takes.scope().toString(), takes, Codec.KNOWN, file);
        world.run(500);
        world.policy(spares.scope().toString(), null, Codec.KNOWN, new RecordHeaders());
        Headers headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CONFIRM_VERSION, version);
        if (draw.either()) {
            EbbHeaders.set(headers, EbbHeaders.CONFIRM_RECORDS, 2);
        }
        world.policy(EbbHeaders.CONFIRM + takes.scope(), null, Codec.KNOWN, headers);
        world.run(500);
    }

    private CommandRequest request(Command command, String id) {
        CommandRequest request = new CommandRequest(id + sent++, "anna", "clean-up", false, null, command);
        law.sent(request);
        return request;
    }

    private CommandRequest command(Command command) {
        CommandRequest request = request(command, "c-");
        world.send(request);
        CommandResult result = world.finish(request.commandId());
        world.emptyOut();
        return result.state() == State.DONE ? request : null;
    }

    /** Plans what may be carried out much later. */
    private void plan(String stream) {
        StreamName name = new StreamName(stream);
        Command command =
                switch (draw.below(5)) {
                    case 0 -> new Command.DeleteStream(name, draw.either());
                    case 1 -> new Command.PurgeStreams(new StreamFilter(null, null, null, 100, true));
                    case 2 -> new Command.PruneStream(name, new PruneCondition((long) draw.below(3), null));
                    default -> new Command.SweepNow(Scope.ALL, null);
                };
        CommandRequest request = new CommandRequest("p-" + sent++, "anna", "clean-up", true, null, command);
        law.sent(request);
        Picture before = Picture.of(world);
        world.send(request);
        if (world.finish(request.commandId()).plan() != null) {
            law.planned(request.commandId(), before, Picture.of(world));
            plans.add(request);
        }
    }

    private @Nullable CommandRequest carryOutPlan() {
        if (plans.isEmpty()) {
            return null;
        }
        CommandRequest plan = plans.remove(draw.below(plans.size()));
        CommandRequest request =
                new CommandRequest("c-" + sent++, "anna", "clean-up", false, null, plan.command(), plan.commandId());
        law.sent(request);
        world.send(request);
        world.finish(request.commandId());
        world.emptyOut();
        return request;
    }

    /** Two people delete one stream at the same moment; one of them is forced to. */
    private CommandRequest twoCommands(String stream) {
        CommandRequest first = request(new Command.DeleteStream(new StreamName(stream), false), "c-");
        CommandRequest second = request(new Command.DeleteStream(new StreamName(stream), true), "c-");
        world.send(first);
        world.send(second);
        world.finish(first.commandId());
        world.finish(second.commandId());
        world.emptyOut();
        return second;
    }

    /** Undoes something that went: by its command, sweep, policy or time; some of them with a hold, or with the policy before. */
    private void undo() {
        Gone gone = draw.of(world.ledger.all());
        UndoFilter filter = filter(gone);
        String stream = gone.key().stream().value();
        List<Event> early = isMadeAnew ? arrive(stream) : List.of();
        Long version = draw.either() ? null : prepared(filter, gone);
        world.run(1000);
        Picture before = Picture.of(world);
        long sentMs = world.world.nowMs;
        CommandRequest request = request(new Command.UndoDeletes(filter, version), "u-");
        int audited = world.audits.size();
        world.send(request);
        List<Event> arrived = isMadeAnew ? inTheMiddle(stream) : List.of();
        // A record that still waited may be taken in while the undo is at work.
        List<Event> mayCome = new ArrayList<>(arrived);
        early.stream()
                .filter(event -> before.events().keySet().stream()
                        .noneMatch(key -> key.stream().equals(event.stream())
                                && key.id().equals(event.id().value())))
                .forEach(mayCome::add);
        isMadeAnew = false;
        CommandResult result = world.finish(request.commandId());
        // Changes that have come in the meantime were counted without what is back now.
        law.note(before, before, isConfirmed);
        Picture after = Picture.of(world);
        List<AuditRecord> audits = List.copyOf(world.audits.subList(audited, world.audits.size()));
        Set<Key> back = world.ledger.undone(request, result, before, after, audits, sentMs, world.newestMs(), mayCome);
        // Nothing is taken in before the end of a stream that a wrong clock has set (O-10), or in place of what is
        // held.
        boolean isHeld = Stream.of(before, after)
                .flatMap(picture -> picture.policies().stream())
                .anyMatch(policies -> policies.isHeld(gone.key().stream()));
        if (!world.isAnyWaiting() && !isHeld && world.world.nowMs == world.newestMs()) {
            requireNewest(arrived, after, audits);
        }
        law.mayStay(back, world);
    }

    /** More events of the stream come while the undo brings the former ones back. */
    private List<Event> inTheMiddle(String stream) {
        for (int i = draw.below(5); i > 0; i--) {
            world.run(100);
        }
        return arrive(stream);
    }

    /** Nothing that comes back is put on what has come meanwhile (T-2). */
    private static void requireNewest(List<Event> arrived, Picture after, List<AuditRecord> audits) {
        for (int i = 0; i < arrived.size(); i++) {
            Event event = arrived.get(i);
            boolean isLast = arrived.subList(i + 1, arrived.size()).stream()
                    .noneMatch(later -> later.id().equals(event.id()));
            boolean hasGone = audits.stream()
                    .anyMatch(audit -> event.stream().value().equals(audit.stream())
                            && audit.eventIds().contains(event.id().value()));
            if (isLast && !hasGone) {
                assertThat(after.events().values().stream().map(StoredEvent::event))
                        .as("what came in the middle of an undo: " + event)
                        .anyMatch(there -> there.id().equals(event.id())
                                && there.stream().equals(event.stream())
                                && Arrays.equals(there.payload(), event.payload()));
            }
        }
    }

    private UndoFilter filter(Gone gone) {
        var deletion = gone.deletion();
        StreamName stream = draw.oneIn(4) ? gone.key().stream() : null;
        String namespace = stream == null && draw.oneIn(4) ? gone.key().stream().namespace() : null;
        if (draw.oneIn(4)) {
            Long until = draw.either() ? null : Long.valueOf(deletion.deletedAtMs() + draw.below((int) HOUR_MS));
            return new UndoFilter(
                    null, null, null, null, deletion.deletedAtMs() - draw.below(1000), until, namespace, stream);
        }
        if (!deletion.commandId().isEmpty()) {
            return new UndoFilter(deletion.commandId(), null, null, null, null, null, namespace, stream);
        }
        if (draw.oneIn(3)) {
            return new UndoFilter(null, deletion.sweepId(), null, null, null, null, namespace, stream);
        }
        int end = deletion.change().lastIndexOf('@');
        String key = deletion.change().substring(0, end);
        Long version = draw.either() ? null : Long.valueOf(deletion.change().substring(end + 1));
        return new UndoFilter(null, null, key, version, null, null, namespace, stream);
    }

    /** Places a hold, or puts back in force what was before the change; returns the version that has it, or null. */
    private @Nullable Long prepared(UndoFilter filter, Gone gone) {
        Long version = filter.version();
        FormerPolicy former =
                version == null ? null : world.observer().views.before(PolicyKey.parse(filter.policy()), version);
        if (former == null) {
            StreamName stream = gone.key().stream();
            hold("INC", filter.stream() == null ? Scope.ALL : Scope.stream(stream.value()));
            for (int i = 0; i < 30 && !world.isConfirmed(stream); i++) {
                world.run(100);
            }
            return world.isConfirmed(stream) ? world.policies().version() : null;
        }
        PolicyKey key = former.before().key();
        Object value = former.before().policy() == null
                ? former.before().hold()
                : former.before().policy();
        world.policy(key.toString(), value, Codec.KNOWN, new RecordHeaders());
        world.run(2000);
        return world.policies().version();
    }

    private RetentionPolicy policy() {
        RetentionPolicy.Builder policy = RetentionPolicy.of(scope());
        if (draw.oneIn(8)) {
            policy.set(PolicyField.UNDO, draw.either() ? Limit.NONE : Limit.of(2 * HOUR_MS));
        }
        long halves = (1L + draw.below(6)) * HOUR_MS / 2;
        return switch (draw.below(5)) {
            case 0, 1 -> policy.maxAge(Limit.of(halves)).build();
            case 2 -> policy.set(PolicyField.MAX_TTL, Limit.of(halves)).build();
            default -> policy.maxCount(Limit.of(1 + draw.below(6))).build();
        };
    }

    private Scope scope() {
        return switch (draw.below(3)) {
            case 0 -> Scope.ALL;
            case 1 -> Scope.namespace("a");
            default -> Scope.stream(stream());
        };
    }

    private String caseId() {
        return draw.of(CASES);
    }

    private String stream() {
        return draw.of(STREAMS);
    }

    private String id() {
        return "e" + draw.below(8);
    }
}
