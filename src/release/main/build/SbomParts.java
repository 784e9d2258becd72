import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Adds to an SBOM (CycloneDX) what jars have inside of them: the libraries that were shaded into a jar, of which a scanner
 * would otherwise see nothing. A jar tells them by its META-INF/maven, or by the list in its NOTICE. Arguments: the SBOM, the
 * new SBOM, and folders of jars, with those inside of them.
 */
public final class SbomParts {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** A bundled library, as projects of Apache list them: "- group:artifact:version". */
    private static final Pattern BUNDLED = Pattern.compile("(?m)^\\s*-\\s+([\\w.-]+):([\\w.-]+):([\\w.-]+)\\s*$");

    private static final Pattern VERSIONED = Pattern.compile("(.+?)-([0-9].*)");

    private SbomParts() {}

    public static void main(String[] args) throws IOException {
        ObjectNode sbom = (ObjectNode) JSON.readTree(Path.of(args[0]).toFile());
        TreeMap<String, ObjectNode> known = new TreeMap<>();
        for (JsonNode component : sbom.withArray("components")) {
            known.put(key(component.path("name").asText(), component.path("version").asText()), (ObjectNode) component);
        }
        for (int i = 2; i < args.length; i++) {
            try (Stream<Path> files = Files.walk(Path.of(args[i]))) {
                for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
                    add(jar, sbom, known);
                }
            }
        }
        Files.writeString(Path.of(args[1]), JSON.writeValueAsString(sbom) + "\n");
    }

    private static void add(Path jar, ObjectNode sbom, TreeMap<String, ObjectNode> known) throws IOException {
        TreeSet<String> inside = inside(jar);
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        String own = inside.stream().filter(part -> isOf(name, part)).findFirst().orElse(null);
        String key = own == null ? name : key(own);
        ObjectNode component = known.get(key);
        if (component == null && !name.startsWith("ebb")) {
            // A jar that no pom names, such as one of an unpacked archive.
            component = own == null ? unnamed(name) : library(own);
            sbom.withArray("components").add(component);
            known.put(key, component);
        }
        if (component == null) {
            return;
        }
        inside.removeIf(part -> isOf(name, part));
        ArrayNode parts = JSON.createArrayNode();
        inside.forEach(part -> parts.add(library(part)));
        if (!parts.isEmpty()) {
            component.set("components", parts);
        }
    }

    /** Returns group:artifact:version of each library that the jar says it has inside. */
    private static TreeSet<String> inside(Path jar) throws IOException {
        TreeSet<String> inside = new TreeSet<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : java.util.Collections.list(zip.entries())) {
                if (entry.getName().startsWith("META-INF/maven/") && entry.getName().endsWith("/pom.properties")) {
                    Properties pom = new Properties();
                    pom.load(zip.getInputStream(entry));
                    inside.add(pom.getProperty("groupId") + ":" + pom.getProperty("artifactId") + ":"
                            + pom.getProperty("version"));
                }
                if (entry.getName().equals("META-INF/NOTICE")) {
                    Matcher bundled = BUNDLED.matcher(new String(zip.getInputStream(entry).readAllBytes(), "UTF-8"));
                    while (bundled.find()) {
                        inside.add(bundled.group(1) + ":" + bundled.group(2) + ":" + bundled.group(3));
                    }
                }
            }
        }
        return inside;
    }

    /** A library of which only the name of its jar is known. */
    private static ObjectNode unnamed(String jar) {
        Matcher matcher = VERSIONED.matcher(jar);
        ObjectNode library = JSON.createObjectNode().put("type", "library");
        return matcher.matches()
                ? library.put("name", matcher.group(1)).put("version", matcher.group(2))
                : library.put("name", jar);
    }

    private static ObjectNode library(String coordinates) {
        String[] parts = coordinates.split(":");
        return JSON.createObjectNode()
                .put("type", "library")
                .put("group", parts[0])
                .put("name", parts[1])
                .put("version", parts[2])
                .put("purl", "pkg:maven/" + parts[0] + "/" + parts[1] + "@" + parts[2] + "?type=jar");
    }

    /** Some archives, such as those of Quarkus, put the group of a library before the name of its jar. */
    private static boolean isOf(String name, String part) {
        return name.equals(key(part)) || name.equals(part.substring(0, part.indexOf(':')) + "." + key(part));
    }

    private static String key(String coordinates) {
        String[] parts = coordinates.split(":");
        return key(parts[1], parts[2]);
    }

    private static String key(String name, String version) {
        return name + "-" + version;
    }
}
