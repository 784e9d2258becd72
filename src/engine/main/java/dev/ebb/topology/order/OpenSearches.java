package dev.ebb.topology.order;

import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.StreamState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Searches of commands over many streams in one partition. A command takes each stream once (O-9): events that come
 * behind its turn may put the stream behind those that the command has yet to find, and belong to it no more than to any
 * other command that is done. A stream that began after the search is not for the command at all, although its name may
 * be (O-10). A search is open until the partition that leads the command ends it, or until nothing was heard of the
 * command for long; a command whose search has ended takes nothing more here. Not thread-safe.
 */
public final class OpenSearches {

    /** Begins the name of the note of a search, which ends with its command. */
    private static final String SEARCH = "search/";

    /** Begins the names of the notes of the streams that were taken, one for each round. */
    private static final String TAKEN = "searched/";

    /** A note says to within so many milliseconds when its command was last heard of. */
    private static final long NOTED_MS = Duration.ofDays(1).toMillis();

    private final EventStore store;
    private final Map<String, Search> open = new HashMap<>();

    /** Begins with the searches that a former task has left. */
    public OpenSearches(EventStore store) {
        this.store = store;
        store.pending().forEach((name, note) -> {
            if (name.startsWith(SEARCH)) {
                open.put(name.substring(SEARCH.length()), new Search(read(note, Begun.class)));
            }
        });
        store.pending().forEach((name, note) -> {
            Search search = name.startsWith(TAKEN) ? open.get(commandOf(name)) : null;
            if (search != null) {
                search.add(read(note, int[].class));
            }
        });
    }

    /**
     * Beginning of a search as it is saved.
     *
     * @param newcomer the number of the first stream that is not for the command
     * @param heardMs the time at which the command was last heard of, epoch milliseconds
     */
    private record Begun(int newcomer, long heardMs) {}

    /** Search with the numbers of the streams that its command has taken: a bit for each stream that there ever was. */
    private static final class Search {

        private Begun begun;
        private final BitSet taken = new BitSet();

        Search(Begun begun) {
            this.begun = begun;
        }

        void add(int[] streams) {
            for (int stream : streams) {
                taken.set(stream);
            }
        }

        boolean hasTaken(StreamState stream) {
            return taken.get(stream.sid());
        }
    }

    /**
     * Begins a pass of the command through the streams. A further pass takes the streams again, but none that the first
     * one could not.
     */
    public void begin(String commandId, long nowMs) {
        Search known = open.get(commandId);
        Begun begun = known == null ? new Begun(store.nextSid(), nowMs) : known.begun;
        if (known == null) {
            write(SEARCH + commandId, begun);
        } else {
            forgetTaken(commandId);
        }
        open.put(commandId, new Search(begun));
    }

    /** Returns true if the command has a search that has not ended, and notes that it was heard of. */
    public boolean isOpen(String commandId, long nowMs) {
        Search search = open.get(commandId);
        if (search != null && nowMs - search.begun.heardMs() >= NOTED_MS) {
            search.begun = new Begun(search.begun.newcomer(), nowMs);
            write(SEARCH + commandId, search.begun);
        }
        return search != null;
    }

    /** Returns true if the command may find the stream. */
    public boolean mayFind(String commandId, StreamState stream) {
        Search search = open.get(commandId);
        return search == null || (stream.sid() < search.begun.newcomer() && !search.hasTaken(stream));
    }

    /** Returns true if the stream has begun after the search of the command. */
    public boolean isNewcomer(String commandId, StreamState stream) {
        Search search = open.get(commandId);
        return search != null && stream.sid() >= search.begun.newcomer();
    }

    /**
     * Notes that the command is done with these streams.
     *
     * @param round number that distinguishes the rounds of the command
     */
    public void took(String commandId, int round, Collection<String> streams) {
        Search search = open.get(commandId);
        if (search == null) {
            return;
        }
        int[] numbers = streams.stream()
                .map(name -> store.stream(new StreamName(name)))
                .filter(Objects::nonNull)
                .mapToInt(StreamState::sid)
                .toArray();
        if (numbers.length > 0) {
            search.add(numbers);
            write(TAKEN + round + "/" + commandId, numbers);
        }
    }

    /** Ends the search of the command; does nothing if there is none. */
    public void end(String commandId) {
        if (open.remove(commandId) != null) {
            forgetTaken(commandId);
            store.savePending(SEARCH + commandId, null);
        }
    }

    /**
     * Ends the searches of commands that were not heard of since that time: their leaders have forgotten them as
     * well.
     *
     * @param isAtWork returns true if a command has work in this partition, for which no other has to be heard of
     */
    public void endThoseBefore(long beforeMs, Predicate<String> isAtWork) {
        List<String> old = open.entrySet().stream()
                .filter(search -> search.getValue().begun.heardMs() < beforeMs)
                .map(Map.Entry::getKey)
                .filter(isAtWork.negate())
                .toList();
        old.forEach(this::end);
    }

    private void forgetTaken(String commandId) {
        List<String> rounds = store.pending().keySet().stream()
                .filter(name -> name.startsWith(TAKEN) && commandOf(name).equals(commandId))
                .toList();
        rounds.forEach(name -> store.savePending(name, null));
    }

    private static String commandOf(String nameOfTaken) {
        return nameOfTaken.substring(nameOfTaken.indexOf('/', TAKEN.length()) + 1);
    }

    private void write(String name, Object note) {
        store.savePending(name, JsonState.write(note).getBytes(StandardCharsets.UTF_8));
    }

    private static <T> T read(byte[] note, Class<T> type) {
        return JsonState.read(new String(note, StandardCharsets.UTF_8), type);
    }
}
