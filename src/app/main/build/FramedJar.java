import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Gives classes of Java 5 the stack frames of later ones, and takes from them the search for Groovy; nothing else of them
 * changes. Java's archive of classes takes none without frames, so that each command would find, check and link them anew. Arguments: jars, each of which is replaced. One that
 * has such frames stays as it is.
 */
public final class FramedJar {

    private static final int BYTES_BEFORE_VERSION = 6;
    /** A class that picocli looks for at each start. It is in no jar, so that Java opens all hundred to find that out. */
    private static final String ABSENT = "groovy.lang.Closure";
    /** Stands for it: no value is of this class. */
    private static final String NEVER_SEEN = "java.lang.Void";

    private FramedJar() {}

    public static void main(String[] jars) throws IOException {
        for (String jar : jars) {
            frame(Path.of(jar));
        }
    }

    private static void frame(Path jar) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        boolean isChanged = false;
        try (ZipFile in = new ZipFile(jar.toFile());
                URLClassLoader types = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (ZipEntry entry : Collections.list(in.entries())) {
                byte[] content = read(in, entry);
                if (isOld(entry.getName(), content)) {
                    content = framed(content, types);
                    isChanged = true;
                }
                ZipEntry copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                out.write(content);
                out.closeEntry();
            }
        }
        if (isChanged) {
            replace(jar, bytes.toByteArray());
        }
    }

    /** A program may be running from the old one. */
    private static void replace(Path jar, byte[] content) throws IOException {
        Path draft = Files.createTempFile(jar.toAbsolutePath().getParent(), "framed", ".tmp");
        try (OutputStream out = Files.newOutputStream(draft)) {
            out.write(content);
        }
        Files.setPosixFilePermissions(draft, Files.getPosixFilePermissions(jar));
        Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] read(ZipFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private static boolean isOld(String name, byte[] content) {
        if (!name.endsWith(".class")) {
            return false;
        }
        int version = (content[BYTES_BEFORE_VERSION] & 0xFF) << 8 | content[BYTES_BEFORE_VERSION + 1] & 0xFF;
        return version < Opcodes.V1_6;
    }

    private static byte[] framed(byte[] content, ClassLoader types) {
        ClassReader reader = new ClassReader(content);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected ClassLoader getClassLoader() {
                return types;
            }
        };
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public void visit(
                            int version,
                            int access,
                            String name,
                            String signature,
                            String parent,
                            String[] interfaces) {
                        super.visit(Opcodes.V1_8, access, name, signature, parent, interfaces);
                    }

                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                        return new MethodVisitor(Opcodes.ASM9, method) {
                            @Override
                            public void visitLdcInsn(Object value) {
                                super.visitLdcInsn(ABSENT.equals(value) ? NEVER_SEEN : value);
                            }
                        };
                    }
                },
                ClassReader.SKIP_FRAMES);
        return writer.toByteArray();
    }
}
