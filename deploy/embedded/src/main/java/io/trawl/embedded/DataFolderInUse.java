package io.trawl.embedded;

import java.nio.file.Path;

/** Another run works on the same data folder. */
public final class DataFolderInUse extends EmbeddedFailure {
    DataFolderInUse(Path folder) {
        super("the data folder " + folder + " is in use by another run: wait for its end or name another folder");
    }
}
