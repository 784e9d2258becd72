import java.nio.ByteBuffer;
import java.nio.file.*;
import java.security.*;
import java.time.Instant;
import java.util.*;

/**
 * Verifies a receipt of Ebb offline: {@code java VerifyReceipt.java [--unsigned] receipt.json [part.json ...] key.pub}.
 * It trusts nothing but the keys; docs/receipts/README.md has each step, and the meaning of exit codes and last line.
 */
public final class VerifyReceipt {
    private final List<Key> keys = new ArrayList<>();
    private final Map<String, byte[]> roots = new HashMap<>();
    private final Map<String, Map<Long, byte[]>> proved = new TreeMap<>();
    private final Set<Long> parts = new HashSet<>();
    private final Map<List<?>, Object> last = new HashMap<>();
    private final Map<List<?>, Long> named = new LinkedHashMap<>(); // events by id and number of the command
    private final Map<List<?>, Map<?, ?>> ends = new HashMap<>(); // the same id may have been used for two commands
    private boolean isUnsigned;
    private Map<?, ?> of;
    private long partsOfAll, deleted, returned, undoUntil;
    private String place = "";
    public static void main(String[] args) {
        VerifyReceipt verifier = new VerifyReceipt();
        List<String> files = new ArrayList<>(List.of(args));
        verifier.isUnsigned = files.remove("--unsigned");
        if (files.size() < (verifier.isUnsigned ? 1 : 2)) {
            System.err.println("usage: java VerifyReceipt.java [--unsigned] receipt.json [part.json ...] key.pub ...");
            System.exit(2);
        }
        try {
            System.exit(verifier.verify(files));
        } catch (Exception e) {
            String why = e instanceof IllegalStateException ? e.getMessage() : "it cannot be read or understood";
            why = why.substring(0, Math.min(why.length(), 300)) + " (" + verifier.place + ")";
            System.out.println("NOT VERIFIED: " + shown(why));
            System.exit(1);
        }
    }
    private int verify(List<String> files) throws Exception {
        Map<String, Object> receipts = new LinkedHashMap<>();
        for (String file : files) {
            place = file;
            String text = Files.readString(Path.of(file)).strip();
            boolean isReceipt = file.endsWith(".json") || text.matches("(?s)[{\\[].*");
            if (isReceipt) receipts.put(file, new Json(text).whole()); else keys.add(Key.read(text));
        }
        place = "all files";
        require(!receipts.isEmpty() && (isUnsigned || !keys.isEmpty()), "there is no receipt, or no public key");
        for (String file : receipts.keySet()) part(receipts.get(place = file));
        require(!proved.isEmpty(), "the receipt has no record");
        proved.forEach((origin, tree) -> tree.forEach((index, value) -> record(origin, index, value)));
        String how = isUnsigned ? " WITHOUT A SIGNATURE, so it is only as good as the word of its author: " : ": ";
        int records = proved.values().stream().mapToInt(Map::size).sum();
        String by = number(records, "audit record") + " by " + number(roots.size(), "checkpoint") + ": ";
        System.out.println("VERIFIED" + how + by + number(deleted, "event") + " deleted, " + returned + " returned");
        long back = last.values().stream().filter("RESTORE"::equals).count();
        if (back > 0) System.out.println("BACK: " + back + " of these events came back after the deletion");
        if (undoUntil > 0) System.out.println("UNDO: deletes could be undone until " + Instant.ofEpochMilli(undoUntil));
        String verdict = verdict();
        System.out.println(shown(verdict));
        return verdict.startsWith("NOT COMPLETE") ? 3 : 0;
    }
    private static String number(long number, String of) { return number + " " + of + (number == 1 ? "" : "s"); }
    private String verdict() {
        for (long part = 1; part <= partsOfAll; part++)
            if (!parts.contains(part)) return "NOT COMPLETE: part " + part + " of " + partsOfAll + " is missing";
        Object id = of.size() > 1 ? null : of.get("command");
        if (id == null) return "NOT PROVED: that nothing is left out; only a receipt of a whole command shows it";
        List<String> own = new ArrayList<>(), open = new ArrayList<>();
        for (List<?> command : named.keySet()) {
            if (!ends.containsKey(command) && !id.equals(command.get(0))) continue; // an undo of other deletes as well
            String which = "the command " + command.get(0) + (command.get(1) == null ? "" : " at " + command.get(1));
            if (!ends.containsKey(command)) return "NOT COMPLETE: the record DONE is missing of " + which;
            Long all = (Long) ends.get(command).get("total"), n = named.get(command);
            String events = (all == null ? "" : number(all, "event") + " of ") + which;
            if (all != null && !all.equals(n)) return "NOT COMPLETE: the records name " + n + " of " + events;
            if (all == null || id.equals(command.get(0))) (all == null ? open : own).add(events);
        }
        boolean isEnded = ends.keySet().stream().anyMatch(command -> id.equals(command.get(0)));
        if (!isEnded) return "NOT COMPLETE: the record DONE is missing of the command " + id;
        if (!open.isEmpty()) return "NOT PROVED: how many events belong to " + open.get(0);
        String all = " is left out of " + String.join(" and ", own);
        return undoUntil == 0 ? "COMPLETE: nothing" + all : "COMPLETE FOR DELETES: no delete" + all + ", but returns may be";
    }
    private void part(Object receipt) throws Exception {
        require("ebb-receipt/1".equals(get(receipt, "format", String.class)), "its format is not ebb-receipt/1");
        Map<?, ?> before = of;
        of = get(receipt, "of", Map.class);
        require(before == null || before.equals(of), "the files are parts of different receipts");
        long n = get(receipt, "part", Long.class), all = get(receipt, "parts", Long.class);
        require(n > 0 && n <= all && (before == null || all == partsOfAll), "part " + n + " of " + all + " is wrong");
        require(parts.add(n), "part " + n + " is there twice");
        partsOfAll = all;
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (Object each : get(receipt, "checkpoints", List.class)) {
            Checkpoint checkpoint = checkpoint(get(each, "note", String.class));
            checkpoints.add(checkpoint);
            String tree = checkpoint.origin + " of size " + checkpoint.size;
            byte[] root = roots.computeIfAbsent(tree, first -> checkpoint.root);
            require(Arrays.equals(root, checkpoint.root), "there are two roots for " + tree);
        }
        for (Object each : get(receipt, "records", List.class)) {
            long number = get(each, "checkpoint", Long.class);
            require(number >= 0 && number < checkpoints.size(), "a record names a checkpoint that is not there");
            Checkpoint checkpoint = checkpoints.get((int) number);
            long index = get(each, "index", Long.class);
            String which = "the record " + index + " of " + checkpoint.origin;
            byte[] value = base64(get(each, "value", String.class));
            checkpoint.prove(which, index, value, get(each, "proof", List.class));
            Map<Long, byte[]> tree = proved.computeIfAbsent(checkpoint.origin, origin -> new TreeMap<>());
            require(tree.put(index, value) == null, which + " is there twice");
        }
    }
    private static <T> T get(Object object, String name, Class<T> type) {
        Object value = object instanceof Map<?, ?> map ? map.get(name) : null;
        require(type.isInstance(value), "the receipt has no '" + name + "', or it is of the wrong kind");
        return type.cast(value);
    }
    private static byte[] base64(String text) {
        byte[] bytes = text.matches("[A-Za-z0-9+/]*={0,2}") ? Base64.getMimeDecoder().decode(text) : new byte[0];
        require(Base64.getEncoder().encodeToString(bytes).equals(text), "this is not base64: " + text);
        return bytes;
    }
    private static String shown(String text) { // escapes what could steer a terminal or turn text around
        var hidden = java.util.regex.Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");
        return hidden.matcher(text).replaceAll(c -> String.format("\\\\u%04x", c.group().codePointAt(0)));
    }
    private static void require(boolean isRight, String why) { if (!isRight) throw new IllegalStateException(why); }
    // ---- keys and notes: C2SP signed-note, tlog-checkpoint
    private record Key(String name, byte[] id, PublicKey key, Map<String, Long> ends) {
        static Key read(String text) throws Exception {
            String[] parts = text.lines().findFirst().orElse("").split("\\+", 3);
            require(parts.length == 3, "a public key is name+id+base64");
            byte[] raw = base64(parts[2]);
            require(raw.length == 33 && raw[0] == 1, "the public key is not an Ed25519 key");
            byte[] id = Arrays.copyOf(sha256(utf8(parts[0] + "\n"), raw), 4);
            require(HexFormat.of().formatHex(id).equals(parts[1]), "the id of the public key is not that of its bytes");
            Map<String, Long> ends = new HashMap<>();
            for (String line : text.lines().skip(1).toList()) {
                require(line.matches("until \\S+ [0-9]+"), "a further line of a key must be: until ORIGIN SIZE");
                ends.merge(line.split(" ")[1], size(line.split(" ")[2]), Math::min);
            }
            byte[] x509 = HexFormat.of().parseHex("302a300506032b6570032100" + HexFormat.of().formatHex(raw, 1, 33));
            var key = KeyFactory.getInstance("Ed25519").generatePublic(new java.security.spec.X509EncodedKeySpec(x509));
            return new Key(parts[0], id, key, ends);
        }
    }
    private static long size(String text) {
        require(text.matches("0|[1-9][0-9]{0,17}"), "the size of a tree is not a number: " + text);
        return Long.parseLong(text);
    }
    private Checkpoint checkpoint(String note) throws Exception { // which one of the keys must have signed
        int end = note.lastIndexOf("\n\n");
        require(end >= 0 && note.endsWith("\n"), "a checkpoint is not a signed note, or lacks its last line break");
        String text = note.substring(0, end + 1);
        String[] lines = text.split("\n", -1);
        require(lines.length > 3, "a checkpoint has fewer than three lines");
        Checkpoint checkpoint = new Checkpoint(lines[0], size(lines[1]), base64(lines[2]));
        String problem = isUnsigned ? null : "no given key has signed the checkpoint of " + lines[0];
        for (String line : note.substring(end + 2).lines().toList()) {
            String[] parts = line.split(" ", -1);
            require(parts.length == 3 && parts[0].equals("\u2014"), "a signature cannot be read");
            byte[] raw = base64(parts[2]);
            for (Key key : keys) {
                if (!key.name.equals(parts[1]) || !Arrays.equals(key.id, Arrays.copyOf(raw, 4))) continue;
                Signature verifier = Signature.getInstance("Ed25519");
                verifier.initVerify(key.key);
                verifier.update(utf8(text));
                require(raw.length == 68 && verifier.verify(raw, 4, 64), "a signature of " + key.name + " is wrong");
                long until = key.ends.getOrDefault(lines[0], key.ends.isEmpty() ? Long.MAX_VALUE : 0);
                String ended = "the key " + key.name + " ended at the size " + until + " of " + lines[0];
                problem = problem == null || checkpoint.size <= until ? null : ended;
            }
        }
        require(problem == null, problem);
        return checkpoint;
    }
    private record Checkpoint(String origin, long size, byte[] root) {
        void prove(String which, long index, byte[] value, List<?> proof) throws Exception { // RFC 9162, 2.1.3.2
            require(index >= 0 && index < size, which + " is not in its tree");
            long fn = index, sn = size - 1;
            byte[] hash = sha256(new byte[] {0}, value);
            for (Object each : proof) {
                byte[] beside = base64(String.valueOf(each));
                require(sn > 0, "the proof of " + which + " is too long");
                boolean isRight = (fn & 1) == 1 || fn == sn;
                hash = isRight ? sha256(new byte[] {1}, beside, hash) : sha256(new byte[] {1}, hash, beside);
                for (; isRight && (fn & 1) == 0 && fn != 0; fn >>= 1) sn >>= 1;
                fn >>= 1; sn >>= 1;
            }
            require(sn == 0 && Arrays.equals(hash, root), "the proof of " + which + " does not lead to its root");
        }
    }
    private static String utf8(byte[] bytes) { return new String(bytes, java.nio.charset.StandardCharsets.UTF_8); }
    private static byte[] utf8(String text) { return text.getBytes(java.nio.charset.StandardCharsets.UTF_8); }
    private static byte[] sha256(byte[]... pieces) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (byte[] piece : pieces) digest.update(piece);
        return digest.digest();
    }
    // ---- the audit record: JSON, or Avro behind five bytes of the schema registry
    private static final String FIELDS = "auditId:text action:text at:long scope:text sweepId:text? commandId:text?"
            + " stream:text? cause:text? policyVersion:long? eventIds:texts bytes:long oldestAnchor:long?"
            + " newestAnchor:long? policy:text? actor:text reason:text undoUntil:long? undoes:text? total:long?"
            + " commandRecord:text?";
    private void record(String origin, long index, byte[] bytes) {
        place = "the record " + index + " of " + origin;
        Map<?, ?> fields = bytes[0] == '{' ? (Map<?, ?>) new Json(utf8(bytes)).whole() : avro(bytes);
        System.out.println(shown(origin + " record " + index));
        fields.forEach((name, field) -> {
            boolean isTime = field instanceof Long && name.toString().matches("at|.*Anchor|undoUntil");
            Object value = isTime ? Instant.ofEpochMilli((Long) field) : field;
            if (field != null && !"".equals(field)) System.out.println(shown("  " + name + ": " + value));
        });
        Object action = fields.get("action");
        boolean isReturn = "RESTORE".equals(action);
        List<?> command = Arrays.asList(fields.get("commandId"), fields.get("commandRecord"));
        named.putIfAbsent(command, 0L);
        if ("DONE".equals(action)) require(ends.put(command, fields) == null, "the command has two records DONE");
        if (!"DELETE".equals(action) && !isReturn || !(fields.get("eventIds") instanceof List<?> ids)) return;
        for (Object id : ids) last.put(Arrays.asList(fields.get("stream"), id), action);
        named.merge(command, (long) ids.size(), Long::sum);
        if (isReturn) returned += ids.size(); else deleted += ids.size();
        undoUntil = Math.max(undoUntil, fields.get("undoUntil") instanceof Long until ? until : 0);
    }
    private static Map<String, Object> avro(byte[] bytes) { // a record of an older version ends before the last field
        ByteBuffer in = ByteBuffer.wrap(bytes, 5, bytes.length - 5);
        Map<String, Object> fields = new LinkedHashMap<>();
        String[] names = FIELDS.split("[: ]");
        for (int i = 0; i < names.length && in.hasRemaining(); i += 2) fields.put(names[i], avro(in, names[i + 1]));
        return fields;
    }
    private static Object avro(ByteBuffer in, String type) {
        if (type.endsWith("?")) return number(in) == 0 ? null : avro(in, type.replace("?", ""));
        if (type.equals("long")) return number(in);
        if (type.equals("text")) {
            byte[] text = new byte[(int) Math.min(number(in), in.remaining() + 1L)];
            in.get(text);
            return utf8(text);
        }
        List<Object> texts = new ArrayList<>();
        for (long count = number(in); count != 0; count = number(in)) {
            if (count < 0) number(in);
            for (long i = Math.abs(count); i > 0; i--) texts.add(avro(in, "text"));
        }
        return texts;
    }
    private static long number(ByteBuffer in) {
        long bits = 0, next = 128;
        for (int shift = 0; next > 127; shift += 7) bits |= ((next = in.get() & 255) & 127) << shift;
        return (bits >>> 1) ^ -(bits & 1);
    }
    // ---- as much of JSON as a receipt has
    private static final class Json {
        private static final String NONE = "this is not JSON, or it ends too early";
        private final String text;
        private int at;
        Json(String text) { this.text = text + "\0"; } // no JSON has it, so nothing reads behind the end
        Object whole() {
            Object value = value(0);
            require(peek() == 0 && at == text.length() - 1, "something follows the end of the JSON");
            return value;
        }
        private char peek() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return text.charAt(at);
        }
        private char next() { return text.charAt(at++); }
        private boolean takes(char c) { return peek() == c && at++ >= 0; }
        private Object value(int deep) {
            require(deep <= 20, "the JSON is nested more than 20 deep");
            char first = peek(), end = first == '{' ? '}' : ']';
            if (first != '{' && first != '[') return first == '"' ? string() : literal();
            Map<String, Object> found = new LinkedHashMap<>();
            for (at++; !takes(end); require(takes(',') || peek() == end, NONE)) {
                String name = first == '{' ? string() : "" + found.size();
                require(first == '[' || (takes(':') && !found.containsKey(name)), NONE);
                found.put(name, value(deep + 1));
            }
            return first == '{' ? found : new ArrayList<>(found.values());
        }
        private Object literal() {
            int from = at;
            while (",]} \t\r\n\0".indexOf(text.charAt(at)) < 0) at++;
            String literal = text.substring(from, at);
            return literal.matches("-?[0-9]{1,18}") ? Long.valueOf(literal) : literal.equals("null") ? null : literal;
        }
        private String string() {
            require(takes('"'), NONE);
            StringBuilder string = new StringBuilder();
            for (char c = next(); c != '"'; c = next()) string.append(c == '\\' ? escaped(next()) : c);
            return string.toString();
        }
        private char escaped(char c) {
            if (c == 'u') return (char) Integer.parseInt(text.substring(at, at += 4), 16);
            return "\n\r\t\b\f\"\\/".charAt("nrtbf\"\\/".indexOf(c));
        }
    }
}
