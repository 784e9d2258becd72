package dev.ebb.cli.options;

import dev.ebb.domain.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class EbbVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"ebb " + BuildVersion.text(), "Java ${java.version} on ${os.name}"};
    }
}
