package io.trawl.standalone.operate;

import io.trawl.coordinator.NamespaceReset;
import io.trawl.coordinator.NamespaceReset.Deletion;
import io.trawl.coordinator.NamespaceReset.NamespaceInUseException;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.Confirmation;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.time.Time;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trawl namespace}: what a deployment has in Kafka and Redis. */
@Command(name = "namespace", description = "Delete all that a deployment has in Kafka and Redis: namespace clear.", subcommands = NamespaceCommand.ClearCommand.class)
public final class NamespaceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.MISTAKE;
    }

    /** {@code trawl namespace clear}. */
    @Command(name = "clear", sortOptions = false, description = "Delete the topics, groups and Redis keys of a deployment whose processes are stopped: all crawls with their state. Written pages are kept.", footerHeading = "%nExample:%n", footer = {
            "  TRAWL_NAMESPACE=test. trawl namespace clear --yes", "",
            "Uses TRAWL_NAMESPACE, TRAWL_KAFKA_BOOTSTRAP_SERVERS, TRAWL_REDIS_URL. Refuses while a process is registered, or has not said that it ends."})
    static final class ClearCommand implements Callable<Integer> {
        @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.")
        private boolean yes;

        @Option(names = "--gone", split = ",", paramLabel = "NAME", description = "Processes that were killed or whose machine is gone, such as D3: they cannot say that they end.")
        private Set<String> gone = Set.of();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws InterruptedException {
            LogSetup.none();
            Settings settings = SettingsReader.fromEnvironment();
            try (NamespaceReset reset = NamespaceReset.open(settings, Time.system())) {
                String all = "the " + reset.topics(gone).size() + " topics of the namespace " + settings.namespace()
                        + " and its keys in Redis";
                if (!yes && !Confirmation.given(all)) {
                    spec.commandLine().getErr().println("not deleted");
                    return ExitCode.FAILURE;
                }
                Deletion deletion = reset.clear(gone);
                spec.commandLine().getOut().println("deleted " + deletion.topics() + " topics and " + deletion.keys()
                        + " keys of the namespace " + settings.namespace());
                return ExitCode.DONE;
            } catch (NamespaceInUseException e) {
                spec.commandLine().getErr().println("trawl: " + e.getMessage());
                return ExitCode.CONFLICT;
            }
        }
    }
}
