package dev.ebb.cli.insight;

import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.receipt.SigningKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "key",
        description = {
            "Makes a key for receipts: FILE for receipts.key.file, which only its owner may read, and FILE.pub to"
                    + " verify receipts with.",
            "To renew a key, make a new one, set it and restart. The public half of the old key stays valid for"
                    + " everything that it signed."
        },
        footerHeading = "%nExample:%n",
        footer = "  ebb receipt key receipts.key --name ebb.example.com/prod")
final class ReceiptKeyCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "File for the key. An existing file is never replaced.")
    private Path file;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "ebb",
            description = "Name of the key in receipts, without blanks and '+'. Default: ${DEFAULT-VALUE}.")
    private String name;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        SigningKey.Pair pair = generate();
        Path pub = file.resolveSibling(file.getFileName() + ".pub");
        if (Files.exists(pub)) {
            throw new CommandFailure(ExitCode.FAILED, isThere(pub));
        }
        write(
                file,
                pair.signing().secret(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        write(pub, pair.verifying().toString());
        show(pair, pub);
        return ExitCode.OK.code();
    }

    private void show(SigningKey.Pair pair, Path pub) {
        output.print(
                Json.object()
                        .put("key", pair.verifying().name().toString())
                        .put("public", pair.verifying().toString()),
                terminal -> terminal.out().println(pair.verifying()));
        if (output.isTable()) {
            output.note(
                    "This is the public key, also in " + pub + ": give it to those who verify receipts, and keep it.");
        }
    }

    private SigningKey.Pair generate() {
        try {
            return SigningKey.generate(name);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(e);
        }
    }

    private static void write(Path target, String text, FileAttribute<?>... attributes) {
        Set<StandardOpenOption> how = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(target, how, attributes)) {
            channel.write(StandardCharsets.UTF_8.encode(text + "\n"));
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure(ExitCode.FAILED, isThere(target), e);
        } catch (IOException e) {
            throw CommandFailure.unwritten(target, e);
        }
    }

    private static String isThere(Path file) {
        return file + " already exists; a key is never replaced";
    }
}
