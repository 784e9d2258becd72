import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Verifies a receipt of Ebb offline: {@code java VerifyReceipt.java receipt.json public.key [former.key ...]}. It trusts
 * nothing but the keys, and prints what the signed bytes say of each deletion. docs/receipts/README.md has each step.
 * Exit code 0: all of it is proved; 1: it is not; 2: usage.
 */
public final class VerifyReceipt {
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("usage: java VerifyReceipt.java receipt.json public.key [former.key ...]");
            System.exit(2);
        }
        try {
            List<Key> keys = new ArrayList<>();
            for (String file : Arrays.asList(args).subList(1, args.length)) {
                keys.add(Key.read(Files.readString(Path.of(file)).strip()));
            }
            System.out.println("VERIFIED: " + verify(Files.readString(Path.of(args[0])), keys));
        } catch (Exception e) {
            String why = shown(e instanceof IllegalStateException ? e.getMessage() : "bad file: " + e);
            System.out.println("NOT VERIFIED: " + why.substring(0, Math.min(why.length(), 300)));
            System.exit(1);
        }
    }

    @SuppressWarnings("unchecked")
    private static String verify(String text, List<Key> keys) throws Exception {
        Map<String, Object> receipt = (Map<String, Object>) new Json(text).value(0);
        require("ebb-receipt/1".equals(receipt.get("format")), "the file is no receipt of the form ebb-receipt/1");
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (Object checkpoint : (List<Object>) receipt.get("checkpoints")) {
            checkpoints.add(Checkpoint.verified((String) ((Map<String, Object>) checkpoint).get("note"), keys));
        }
        List<Object> records = (List<Object>) receipt.get("records");
        require(!records.isEmpty(), "the receipt has no record");
        int events = 0;
        for (Object each : records) {
            Map<String, Object> record = (Map<String, Object>) each;
            Checkpoint checkpoint = checkpoints.get(Math.toIntExact((Long) record.get("checkpoint")));
            byte[] value = Base64.getDecoder().decode((String) record.get("value"));
            List<byte[]> proof = new ArrayList<>();
            for (Object hash : (List<Object>) record.get("proof")) {
                proof.add(Base64.getDecoder().decode((String) hash));
            }
            long index = (Long) record.get("index");
            require(
                    checkpoint.proves(index, value, proof),
                    "the proof of the record " + index + " of " + checkpoint.origin + " does not lead to its root");
            events += print(checkpoint.origin, index, value);
        }
        return records.size() + " audit records, " + events + " event ids, " + checkpoints.size() + " checkpoints";
    }

    private static String shown(String text) {
        // Names may hold anything, escape sequences of a terminal as well.
        return text.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
    }

    private static void require(boolean isRight, String otherwise) {
        if (!isRight) {
            throw new IllegalStateException(otherwise);
        }
    }

    // ---- keys and notes: C2SP signed-note, tlog-checkpoint
    private record Key(String name, byte[] id, PublicKey key) {
        /** name+id+base64, where the bytes are 1 (Ed25519) and the 32 bytes of the key. */
        static Key read(String text) throws Exception {
            String[] parts = text.split("\\+", 3);
            require(parts.length == 3, "a public key is name+id+base64");
            byte[] raw = Base64.getDecoder().decode(parts[2]);
            require(raw.length == 33 && raw[0] == 1, "the public key is none of Ed25519");
            byte[] hash = sha256(concat((parts[0] + "\n").getBytes(StandardCharsets.UTF_8), raw));
            byte[] id = Arrays.copyOf(hash, 4);
            require(HexFormat.of().formatHex(id).equals(parts[1]), "the id of the public key is not that of its bytes");
            byte[] x509 = concat(HexFormat.of().parseHex("302a300506032b6570032100"), Arrays.copyOfRange(raw, 1, 33));
            return new Key(parts[0], id, KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(x509)));
        }

        boolean hasSigned(String text, byte[] raw) throws Exception {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(text.getBytes(StandardCharsets.UTF_8));
            return verifier.verify(raw, 4, raw.length - 4);
        }
    }

    private record Checkpoint(String origin, long size, byte[] root) {
        /** The checkpoint of a note, which one of the keys must have signed. */
        static Checkpoint verified(String note, List<Key> keys) throws Exception {
            int end = note.lastIndexOf("\n\n");
            require(end >= 0, "a checkpoint is no signed note");
            String text = note.substring(0, end + 1);
            boolean isSigned = false;
            for (String line : note.substring(end + 2).lines().toList()) {
                String[] parts = line.split(" ", -1);
                require(parts.length == 3 && parts[0].equals("\u2014"), "a signature cannot be read");
                byte[] raw = Base64.getDecoder().decode(parts[2]);
                for (Key key : keys) {
                    if (key.name.equals(parts[1]) && Arrays.equals(key.id, Arrays.copyOf(raw, 4))) {
                        require(key.hasSigned(text, raw), "a signature of the key " + key.name + " is wrong");
                        isSigned = true;
                    }
                }
            }
            String[] lines = text.split("\n", -1);
            require(isSigned, "no given key has signed the checkpoint of " + lines[0]);
            return new Checkpoint(lines[0], Long.parseLong(lines[1]), Base64.getDecoder().decode(lines[2]));
        }

        /** RFC 9162, section 2.1.3.2. */
        boolean proves(long index, byte[] value, List<byte[]> proof) throws Exception {
            require(index >= 0 && index < size, "a record is not in its tree");
            long fn = index, sn = size - 1;
            byte[] hash = sha256(concat(new byte[] {0}, value));
            for (byte[] beside : proof) {
                require(sn > 0, "a proof is too long");
                if ((fn & 1) == 1 || fn == sn) {
                    hash = sha256(concat(new byte[] {1}, beside, hash));
                    while ((fn & 1) == 0 && fn != 0) {
                        fn >>= 1;
                        sn >>= 1;
                    }
                } else {
                    hash = sha256(concat(new byte[] {1}, hash, beside));
                }
                fn >>= 1;
                sn >>= 1;
            }
            return sn == 0 && Arrays.equals(hash, root);
        }
    }

    private static byte[] sha256(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.asList(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    // ---- the audit record: JSON, or Avro behind five bytes of the schema registry
    private static final String FIELDS = "auditId:text action:text at:long scope:text sweepId:text? commandId:text?"
            + " stream:text? cause:text? policyVersion:long? eventIds:texts bytes:long oldestAnchor:long?"
            + " newestAnchor:long? policy:text? actor:text reason:text";

    /** Prints the record; returns the number of ids in it. */
    private static int print(String origin, long index, byte[] record) {
        System.out.println(shown(origin + " record " + index));
        String text = new String(record, StandardCharsets.UTF_8);
        Map<?, ?> fields = text.startsWith("{") ? (Map<?, ?>) new Json(text).value(0) : avro(record);
        fields.forEach((name, field) -> {
            boolean isTime = field instanceof Long && List.of("at", "oldestAnchor", "newestAnchor").contains(name);
            Object value = isTime ? Instant.ofEpochMilli((Long) field) : field;
            if (field != null && !"".equals(field)) {
                System.out.println(shown("  " + name + ": " + value));
            }
        });
        return fields.get("eventIds") instanceof List<?> ids ? ids.size() : 0;
    }

    private static Map<String, Object> avro(byte[] value) {
        Avro in = new Avro(ByteBuffer.wrap(value, 5, value.length - 5));
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String field : FIELDS.split(" ")) {
            fields.put(field.split(":")[0], in.value(field.split(":")[1]));
        }
        return fields;
    }

    /** Binary Avro: numbers are zigzag, seven bits a byte, lowest first; texts have their length in front. */
    private record Avro(ByteBuffer in) {
        long number() {
            long bits = 0;
            byte next = -1;
            for (int shift = 0; next < 0; shift += 7) {
                next = in.get();
                bits |= (long) (next & 0x7f) << shift;
            }
            return (bits >>> 1) ^ -(bits & 1);
        }

        String text() {
            byte[] bytes = new byte[Math.toIntExact(number())];
            in.get(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        /** A union with null, written with a question mark, has its branch in front: 1 if there is a value. */
        Object value(String type) {
            if (type.endsWith("?")) {
                return number() == 0 ? null : value(type.replace("?", ""));
            }
            return type.equals("text") ? text() : type.equals("texts") ? texts() : (Object) number();
        }

        /** An array comes in blocks; one with a negative count has its size in bytes behind it. */
        List<String> texts() {
            List<String> texts = new ArrayList<>();
            for (long count = number(); count != 0; count = number()) {
                if (count < 0) {
                    number();
                }
                for (long i = 0; i < Math.abs(count); i++) {
                    texts.add(text());
                }
            }
            return texts;
        }
    }

    // ---- as much of JSON as a receipt has
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char peek() {
            for (; Character.isWhitespace(text.charAt(at)); at++) {}
            return text.charAt(at);
        }

        private boolean takes(char c) {
            boolean isNext = peek() == c;
            at += isNext ? 1 : 0;
            return isNext;
        }

        private Object value(int deep) {
            require(deep <= 20, "the JSON is nested more than 20 deep");
            if (takes('{')) {
                Map<String, Object> object = new LinkedHashMap<>();
                while (!takes('}')) {
                    String name = string();
                    require(takes(':') && !object.containsKey(name), "the receipt is no JSON");
                    object.put(name, value(deep + 1));
                    require(takes(',') || peek() == '}', "the receipt is no JSON");
                }
                return object;
            }
            if (takes('[')) {
                List<Object> array = new ArrayList<>();
                while (!takes(']')) {
                    array.add(value(deep + 1));
                    require(takes(',') || peek() == ']', "the receipt is no JSON");
                }
                return array;
            }
            return peek() == '"' ? string() : literal();
        }

        private Object literal() {
            int from = at;
            for (at++; ",]} \r\n".indexOf(text.charAt(at)) < 0; at++) {}
            String literal = text.substring(from, at);
            return literal.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(literal) : literal.equals("null") ? null : literal;
        }

        private String string() {
            require(takes('"'), "the receipt is no JSON");
            StringBuilder string = new StringBuilder();
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                string.append(c == '\\' ? escaped() : c);
            }
            return string.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            if (c == 'u') {
                return (char) Integer.parseInt(text.substring(at, at += 4), 16);
            }
            int plain = "nrtbf".indexOf(c);
            return plain < 0 ? c : "\n\r\t\b\f".charAt(plain);
        }
    }
}
