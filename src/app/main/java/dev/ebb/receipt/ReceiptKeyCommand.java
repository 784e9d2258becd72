package dev.ebb.receipt;

import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.receipt.SigningKey;
import dev.ebb.files.Readers;
import dev.ebb.files.WholeFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import picocli.CommandLine.Command;
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
        footer = "  ebb receipt key receipts.key --name ebb.example.com/prod")
final class ReceiptKeyCommand extends OutputCommand {

    @Parameters(paramLabel = "FILE", description = "File for the key. An existing file is never replaced.")
    private Path file;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "ebb",
            description = "Name of the key in receipts, without blanks and '+'. Default: ${DEFAULT-VALUE}.")
    private String name;

    @Override
    public Integer call() {
        SigningKey.Pair pair = generate();
        Path pub = file.resolveSibling(file.getFileName() + ".pub");
        if (Files.exists(pub, LinkOption.NOFOLLOW_LINKS)) {
            throw new CommandFailure(ExitCode.FAILED, isThere(pub));
        }
        create(file, Readers.OWNER, pair.signing().secret());
        try {
            create(pub, Readers.ALL, pair.verifying().toString());
        } catch (CommandFailure e) {
            delete(file);
            throw e;
        }
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

    private static void create(Path target, Readers readers, String text) {
        try {
            WholeFile.create(target, readers, out -> out.write(text + "\n"));
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure(ExitCode.FAILED, isThere(target), e);
        } catch (IOException e) {
            throw CommandFailure.unwritten(target, e);
        }
    }

    /** Deletes a key that came into being without its public half. */
    private static void delete(Path key) {
        try {
            Files.deleteIfExists(key);
        } catch (IOException e) {
            throw CommandFailure.unwritten(key, e);
        }
    }

    private static String isThere(Path file) {
        return file + " already exists; a key is never replaced";
    }
}
