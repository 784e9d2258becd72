import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.*;
import java.util.regex.Pattern;

/**
 * Verifies a receipt of Ebb offline: {@code java VerifyReceipt.java [--unsigned] receipt.json [part.json ...] key.pub}.
 * It trusts nothing but the keys, and prints what the signed bytes say; docs/receipts/README.md has each step. Exit
 * code 0: all is proved; 1: it is not; 2: usage; 3: all is proved, but records of the command were left out.
 */
public final class VerifyReceipt {
    private final List<Key> keys = new ArrayList<>();
    private final Map<String, byte[]> roots = new HashMap<>();
    private final Map<String, Map<Long, byte[]>> proved = new TreeMap<>();
    private final Set<Long> parts = new HashSet<>();
    private final Map<List<?>, Object> last = new HashMap<>();
    private final Map<Object, long[]> commands = new HashMap<>();
    private boolean isUnsigned;
    private Map<?, ?> of;
    private long partsOfAll, deleted, returned, undoUntil;
    private String file = "";

    public static void main(String[] args) throws Exception {
        VerifyReceipt verifier = new VerifyReceipt();
        List<String> files = new ArrayList<>(List.of(args));
        verifier.isUnsigned = files.remove("--unsigned");
        if (files.size() < (verifier.isUnsigned ? 1 : 2)) {
            System.err.println("usage: java VerifyReceipt.java [--unsigned] receipt.json [part.json ...] key.pub ...");
            System.exit(2);
        }
        try {
            System.exit(verifier.verify(files));
        } catch (IOException | RuntimeException e) {
            String why = e instanceof IllegalStateException
                    ? e.getMessage()
                    : "the file " + verifier.file + " cannot be read, or has a form that this program does not know";
            System.out.println("NOT VERIFIED: " + shown(why.substring(0, Math.min(why.length(), 300))));
            System.exit(1);
        }
    }
    private int verify(List<String> files) throws Exception {
        List<Object> receipts = new ArrayList<>();
        for (String each : files) {
            file = each;
            String text = Files.readString(Path.of(file)).strip();
            if (file.endsWith(".json") || text.matches("(?s)[{\\[].*")) receipts.add(new Json(text).whole()); else keys.add(Key.read(text));
        }
        require(!receipts.isEmpty() && (isUnsigned || !keys.isEmpty()), "there is no receipt, or no public key");
        for (Object receipt : receipts) part(receipt);
        require(!proved.isEmpty(), "the receipt has no record");
        proved.forEach((origin, tree) -> tree.forEach((index, value) -> record(origin, index, value)));
        String how = isUnsigned ? " WITHOUT A SIGNATURE, so it is only as good as the word of its author" : "";
        int records = proved.values().stream().mapToInt(Map::size).sum();
        System.out.println("VERIFIED" + how + ": " + records + " audit records by " + roots.size() + " checkpoints: "
                + deleted + " events deleted, " + returned + " returned");
        long back = last.values().stream().filter("RESTORE"::equals).count();
        if (back > 0) System.out.println("BACK: " + back + " of these events came back after their deletion");
        String until = Instant.ofEpochMilli(undoUntil) + "; only a later receipt shows whether they were";
        if (undoUntil > 0) System.out.println("UNDO: deletes could be undone until " + until);
        String lacks = lacks();
        System.out.println(shown(lacks));
        return lacks.startsWith("NOT COMPLETE") ? 3 : 0;
    }
    private String lacks() {
        long part = 1;
        for (; parts.contains(part); part++) {}
        if (part <= partsOfAll) return "NOT COMPLETE: part " + part + " of " + partsOfAll + " is missing";
        Object command = of.size() > 1 ? null : of.get("command");
        if (command == null) return "NOT PROVED: that nothing is left out; only a receipt of a whole command shows it";
        long[] sums = commands.getOrDefault(command, new long[] {0, -1});
        String which = " events of the command " + command;
        if (sums[1] < 0) return "NOT COMPLETE: the record DONE is missing, which has the number of all" + which;
        if (sums[0] != sums[1]) return "NOT COMPLETE: the records name " + sums[0] + " of " + sums[1] + which;
        return "COMPLETE: these are all " + sums[1] + which;
    }
    private void part(Object receipt) throws Exception {
        require("ebb-receipt/1".equals(get(receipt, "format", String.class)), "a file is no receipt of ebb-receipt/1");
        Map<?, ?> before = of;
        of = get(receipt, "of", Map.class);
        require(before == null || before.equals(of), "the files are parts of different receipts");
        partsOfAll = Math.max(partsOfAll, get(receipt, "parts", Long.class));
        parts.add(get(receipt, "part", Long.class));
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (Object each : get(receipt, "checkpoints", List.class)) {
            Checkpoint checkpoint = checkpoint(get(each, "note", String.class));
            checkpoints.add(checkpoint);
            String which = checkpoint.origin + " of size " + checkpoint.size;
            roots.putIfAbsent(which, checkpoint.root);
            require(Arrays.equals(roots.get(which), checkpoint.root), "there are two roots for " + which);
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
        require(Base64.getEncoder().encodeToString(bytes).equals(text), "a text is no base64: " + text);
        return bytes;
    }
    /** Escapes what could steer a terminal or turn text around. */
    private static String shown(String text) {
        Pattern hidden = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");
        return hidden.matcher(text).replaceAll(c -> String.format("\\\\u%04x", c.group().codePointAt(0)));
    }
    private static void require(boolean isRight, String why) { if (!isRight) throw new IllegalStateException(why); }
    // ---- keys and notes: C2SP signed-note, tlog-checkpoint
    private record Key(String name, byte[] id, PublicKey key, Map<String, Long> ends) {
        /** name+id+base64 of the byte 1 (Ed25519) and the 32 bytes of the key; then lines "until ORIGIN SIZE". */
        static Key read(String text) throws Exception {
            String[] parts = text.lines().findFirst().orElse("").split("\\+", 3);
            require(parts.length == 3, "a public key is name+id+base64");
            byte[] raw = base64(parts[2]);
            require(raw.length == 33 && raw[0] == 1, "the public key is none of Ed25519");
            byte[] id = Arrays.copyOf(sha256(utf8(parts[0] + "\n"), raw), 4);
            HexFormat hex = HexFormat.of();
            require(hex.formatHex(id).equals(parts[1]), "the id of the public key is not that of its bytes");
            Map<String, Long> ends = new HashMap<>();
            for (String line : text.lines().skip(1).toList()) {
                require(line.matches("until \\S+ [0-9]+"), "a line behind a public key must be: until ORIGIN SIZE");
                ends.merge(line.split(" ")[1], size(line.split(" ")[2]), Math::min);
            }
            byte[] x509 = hex.parseHex("302a300506032b6570032100" + hex.formatHex(raw, 1, 33));
            PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(x509));
            return new Key(parts[0], id, key, ends);
        }
    }
    private static long size(String text) {
        require(text.matches("0|[1-9][0-9]{0,17}"), "the size of a tree is no number: " + text);
        return Long.parseLong(text);
    }
    /** Returns the checkpoint of a note, which one of the keys must have signed. */
    private Checkpoint checkpoint(String note) throws Exception {
        int end = note.lastIndexOf("\n\n");
        require(end >= 0 && note.endsWith("\n"), "a checkpoint is no signed note, or its last line has no end");
        String text = note.substring(0, end + 1);
        String[] lines = text.split("\n", -1);
        require(lines.length > 3, "a checkpoint has fewer than three lines");
        Checkpoint checkpoint = new Checkpoint(lines[0], size(lines[1]), base64(lines[2]));
        String problem = "no given key has signed the checkpoint of " + lines[0];
        boolean isSigned = isUnsigned;
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
                isSigned |= checkpoint.size <= until;
                problem = "the key " + key.name + " ended at the size " + until + " of " + lines[0];
            }
        }
        require(isSigned, problem);
        return checkpoint;
    }
    private record Checkpoint(String origin, long size, byte[] root) {
        /** RFC 9162, section 2.1.3.2. */
        void prove(String which, long index, byte[] value, List<?> proof) throws Exception {
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
    private static String utf8(byte[] bytes) { return new String(bytes, StandardCharsets.UTF_8); }
    private static byte[] utf8(String text) { return text.getBytes(StandardCharsets.UTF_8); }
    private static byte[] sha256(byte[]... pieces) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (byte[] piece : pieces) digest.update(piece);
        return digest.digest();
    }
    // ---- the audit record: JSON, or Avro behind five bytes of the schema registry
    private static final String FIELDS = "auditId:text action:text at:long scope:text sweepId:text? commandId:text?"
            + " stream:text? cause:text? policyVersion:long? eventIds:texts bytes:long oldestAnchor:long?"
            + " newestAnchor:long? policy:text? actor:text reason:text undoUntil:long? undoes:text? total:long?";
    private void record(String origin, long index, byte[] bytes) {
        Map<?, ?> fields = bytes[0] == '{' ? (Map<?, ?>) new Json(utf8(bytes)).whole() : avro(bytes);
        System.out.println(shown(origin + " record " + index));
        fields.forEach((name, field) -> {
            boolean isTime = name.toString().matches("at|oldestAnchor|newestAnchor|undoUntil");
            Object value = isTime && field instanceof Long time ? Instant.ofEpochMilli(time) : field;
            if (field != null && !"".equals(field)) System.out.println(shown("  " + name + ": " + value));
        });
        Object action = fields.get("action");
        boolean isReturn = "RESTORE".equals(action);
        long[] sums = commands.computeIfAbsent(fields.get("commandId"), command -> new long[] {0, -1});
        if ("DONE".equals(action)) sums[1] = (Long) fields.get("total");
        if (!"DELETE".equals(action) && !isReturn || !(fields.get("eventIds") instanceof List<?> ids)) return;
        for (Object id : ids) last.put(Arrays.asList(fields.get("stream"), id), action);
        sums[0] += ids.size();
        if (isReturn) returned += ids.size(); else deleted += ids.size();
        undoUntil = Math.max(undoUntil, fields.get("undoUntil") instanceof Long until ? until : 0);
    }
    /** Reads the fields in their order; a record of an older version ends before the last of them. */
    private static Map<String, Object> avro(byte[] bytes) {
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
        private static final String NONE = "the file is no JSON, or ends too early";
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
        private boolean takes(char c) { return peek() == c && at++ >= 0; }
        private Object value(int deep) {
            require(deep <= 20, "the JSON is nested more than 20 deep");
            char first = peek(), end = first == '{' ? '}' : ']';
            if (first != '{' && first != '[') return first == '"' ? string() : literal();
            Map<String, Object> object = new LinkedHashMap<>();
            List<Object> array = new ArrayList<>();
            for (at++; !takes(end); require(takes(',') || peek() == end, NONE)) {
                String name = first == '{' ? string() : "";
                require(first == '[' || (takes(':') && !object.containsKey(name)), NONE);
                array.add(value(deep + 1));
                object.put(name, array.get(array.size() - 1));
            }
            return first == '{' ? object : array;
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
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                string.append(c == '\\' ? escaped(text.charAt(at++)) : c);
            }
            return string.toString();
        }
        private char escaped(char c) {
            if (c == 'u') return (char) Integer.parseInt(text.substring(at, at += 4), 16);
            return "\n\r\t\b\f\"\\/".charAt("nrtbf\"\\/".indexOf(c));
        }
    }
}
