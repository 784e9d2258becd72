package dev.ebb.topology.crowd;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands that one place has let in and that are not finished, counted against the limits. Not thread-safe. */
public final class CommandCrowd {

    private final String place;
    private final Map<String, Member> members = new HashMap<>();
    private final Group bulk;
    private final Group single;

    /** @param place the place that counts, for people, such as "this partition" */
    public CommandCrowd(CrowdLimits limits, String place) {
        this.place = place;
        this.bulk = new Group(limits.bulk(), "over many streams");
        this.single = new Group(limits.single(), "on a single stream");
    }

    private record Member(Group group, String caller, long bytes) {}

    /** Returns true if the command works over many streams: its cost has no bound but that of the store. */
    public static boolean isBulk(Command command) {
        return !(command instanceof Command.OfStream);
    }

    /**
     * Returns the reason why the command must not be let in now; null if it may.
     *
     * @param bytes the size of the command as JSON
     */
    public @Nullable String problem(CommandRequest request, String caller, long bytes) {
        return members.containsKey(request.commandId()) ? null : group(request).problem(caller, bytes);
    }

    /** Counts the command until it {@linkplain #leave leaves}; a command that is counted already counts once. */
    public void enter(CommandRequest request, String caller, long bytes) {
        leave(request.commandId());
        Member member = new Member(group(request), caller, bytes);
        members.put(request.commandId(), member);
        member.group.add(member, 1);
    }

    /** Stops counting the command; does nothing if it is not counted. */
    public void leave(String commandId) {
        Member member = members.remove(commandId);
        if (member != null) {
            member.group.add(member, -1);
        }
    }

    /** Returns the number of unfinished commands over many streams. */
    public int bulk() {
        return bulk.count;
    }

    /** Returns the number of unfinished commands on a single stream. */
    public int single() {
        return single.count;
    }

    private Group group(CommandRequest request) {
        return isBulk(request.command()) ? bulk : single;
    }

    private final class Group {

        private final int most;
        private final String what;
        private final Map<String, Integer> byCaller = new HashMap<>();
        private int count;
        private long bytes;

        Group(int most, String what) {
            this.most = most;
            this.what = what;
        }

        void add(Member member, int change) {
            count += change;
            bytes += change * member.bytes;
            byCaller.merge(member.caller, change, (one, other) -> one + other == 0 ? null : one + other);
        }

        @Nullable
        String problem(String caller, long more) {
            int ofCaller = byCaller.getOrDefault(caller, 0);
            if (count >= most) {
                return place + " already has " + count + " unfinished commands " + what + again();
            }
            if (ofCaller >= most / 2) {
                String who =
                        caller.isEmpty() ? "callers without a token already have " : "'" + caller + "' already has ";
                return who + ofCaller + " unfinished commands " + what + " in " + place + again();
            }
            return count > 0 && bytes + more > CrowdLimits.MAX_BYTES
                    ? "the unfinished commands " + what + " in " + place + " already take " + bytes + " bytes" + again()
                    : null;
        }

        private String again() {
            return "; send it again, under the same id, when one of them has ended";
        }
    }
}
