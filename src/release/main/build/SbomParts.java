import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Adds to an SBOM (CycloneDX) what jars have inside of them: the libraries that were shaded into a jar, of which a scanner
 * would otherwise see nothing. A jar tells them by its META-INF/maven, or by the list in its NOTICE. Arguments: the SBOM, the
 * new SBOM, and folders of jars.
 */
public final class SbomParts {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** A bundled library, as projects of Apache list them: "- group:artifact:version". */
    private static final Pattern BUNDLED = Pattern.compile("(?m)^\\s*-\\s+([\\w.-]+):([\\w.-]+):([\\w.-]+)\\s*$");

    private SbomParts() {}

    public static void main(String[] args) throws IOException {
        ObjectNode sbom = (ObjectNode) JSON.readTree(Path.of(args[0]).toFile());
        TreeMap<String, ObjectNode> known = new TreeMap<>();
        for (JsonNode component : sbom.withArray("components")) {
            known.put(key(component.path("name").asText(), component.path("version").asText()), (ObjectNode) component);
        }
        for (int i = 2; i < args.length; i++) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[i]), "*.jar")) {
                for (Path jar : toArray(jars)) {
                    add(jar, sbom, known);
                }
            }
        }
        Files.writeString(Path.of(args[1]), JSON.writeValueAsString(sbom) + "\n");
    }

    private static Path[] toArray(DirectoryStream<Path> jars) {
        TreeSet<Path> sorted = new TreeSet<>();
        jars.forEach(sorted::add);
        return sorted.toArray(Path[]::new);
    }

    private static void add(Path jar, ObjectNode sbom, TreeMap<String, ObjectNode> known) throws IOException {
        TreeSet<String> inside = inside(jar);
        String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        ObjectNode component = known.get(name);
        if (component == null && !name.startsWith("ebb")) {
            // A jar that no pom names, such as one of an unpacked archive.
            String own = inside.stream().filter(part -> name.equals(key(part))).findFirst().orElse(null);
            component = own == null ? library(name) : library(own);
            sbom.withArray("components").add(component);
            known.put(name, component);
        }
        if (component == null) {
            return;
        }
        inside.removeIf(part -> name.equals(key(part)));
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

    private static ObjectNode library(String name) {
        String[] parts = name.split(":");
        ObjectNode library = JSON.createObjectNode().put("type", "library");
        if (parts.length < 3) {
            return library.put("name", name);
        }
        return library.put("group", parts[0])
                .put("name", parts[1])
                .put("version", parts[2])
                .put("purl", "pkg:maven/" + parts[0] + "/" + parts[1] + "@" + parts[2] + "?type=jar");
    }

    private static String key(String coordinates) {
        String[] parts = coordinates.split(":");
        return key(parts[1], parts[2]);
    }

    private static String key(String name, String version) {
        return name + "-" + version;
    }
}
