package dev.ebb.api.console;

import dev.ebb.api.http.ProblemException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The web page of the instance and its files (C-1). The files hold no data and are for any caller; the page gets its
 * content from the routes of REST, with the rights of its user. Thread-safe; each file is read once.
 */
public final class Console {

    public static final String PAGE = "/";
    public static final String FILES = "/console/";
    public static final String FILE = "/console/{version}/{file}";

    /** Allows nothing but files of the instance itself: no script in the page, no eval, no text that becomes markup. */
    static final String POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Pattern GZIP =
            Pattern.compile("(^|[,\\s])gzip\\s*(,|$|;(?!\\s*q\\s*=\\s*0(\\.0*)?\\s*(,|$)))", Pattern.CASE_INSENSITIVE);

    private static final String REVALIDATED = "no-cache";
    private static final String FOR_EVER = "public, max-age=31536000, immutable";

    /** Returns true for the path of the page or of one of its files. */
    public static boolean isAt(String path) {
        return path.equals(PAGE) || path.startsWith(FILES);
    }

    /** Reads the files on a separate thread, so that the first page need not wait for them (C-1). */
    public static void warm() {
        Thread reader = new Thread(Console::load, "ebb-console");
        reader.setDaemon(true);
        reader.start();
    }

    private static void load() {
        var unused = Loaded.FILES;
    }

    /** Returns the handler of each path. */
    public Map<String, Handler> handlers() {
        return Map.of(PAGE, this::page, FILE, this::file);
    }

    private void page(Context ctx) {
        answer(ctx, Loaded.FILES.page(), REVALIDATED);
    }

    private void file(Context ctx) {
        String name = ctx.pathParam("file");
        ConsoleFile file = Loaded.FILES
                .find(name)
                .orElseThrow(() -> ProblemException.notFound("the console has no file '" + name + "'"));
        // During an upgrade, a page of another version may ask: this file is good for one use.
        boolean isOwn = ctx.pathParam("version").equals(Loaded.FILES.version());
        answer(ctx, file, isOwn ? FOR_EVER : REVALIDATED);
    }

    private static void answer(Context ctx, ConsoleFile file, String caching) {
        boolean isCompressed = takesGzip(ctx.header("Accept-Encoding"));
        String tag = isCompressed ? file.gzipTag() : file.tag();
        ctx.header("Content-Security-Policy", POLICY)
                .header("Cache-Control", caching)
                .header("ETag", tag)
                .header("Vary", "Accept-Encoding");
        String known = ctx.header("If-None-Match");
        if (known != null && known.contains(tag)) {
            ctx.status(304);
            return;
        }
        // The file is compressed already.
        ctx.minSizeForCompression(Integer.MAX_VALUE);
        if (isCompressed) {
            ctx.header("Content-Encoding", "gzip");
        }
        ctx.contentType(file.mediaType()).result(isCompressed ? file.gzip() : file.plain());
    }

    /** Returns true if a client accepts gzip; a weight of 0 means that it does not. */
    static boolean takesGzip(@Nullable String accepted) {
        return accepted != null && GZIP.matcher(accepted).find();
    }

    /** Holder that reads the files at their first use. */
    private static final class Loaded {
        static final ConsoleFiles FILES = ConsoleFiles.load();
    }
}
