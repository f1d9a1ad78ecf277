package io.trawl.standalone.client;

import io.trawl.standalone.Logs;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.print.Printer;
import io.trawl.standalone.print.Screen;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What all commands that ask a coordinator have in common: which one, as whom, and how the answer is printed. In the help they come behind the
 * command's own, which have no order.
 */
public final class CoordinatorOptions {
    private static final String TOKEN = "[A-Za-z0-9._~+/=-]+";

    @Option(names = "--coordinator", order = 1, paramLabel = "URL", defaultValue = "${env:TRAWL_COORDINATOR}", description = "Where a coordinator answers. Default: TRAWL_COORDINATOR; else http://127.0.0.1:8080; "
            + "else, and if TRAWL_REDIS_URL or TRAWL_NAMESPACE is set, one that is registered in Redis.")
    private @Nullable String coordinator;

    @Option(names = "--token", order = 2, paramLabel = "TOKEN", defaultValue = "${env:TRAWL_API_TOKEN}", description = "The token of the deployment. Better in TRAWL_API_TOKEN: every user of the machine sees options.")
    private @Nullable String token;

    @Option(names = "--json", order = 3, description = "Print the coordinator's JSON as it is.")
    private boolean json;

    @Option(names = {"-h", "--help"}, order = 4, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /**
     * A way to the coordinator; closing it is up to the caller.
     *
     * @throws io.trawl.model.InvalidValue if the address is none
     */
    public Api api() {
        Logs.none();
        Optional<String> secret = Optional.ofNullable(token).map(String::strip).filter(t -> !t.isEmpty());
        if (secret.isPresent() && !secret.get().matches(TOKEN)) {
            throw new UserMistake(
                    "the token (TRAWL_API_TOKEN or --token) is not one: letters, digits and . _ ~ + / = - (RFC 6750)");
        }
        return new Api(Coordinators.candidates(Optional.ofNullable(coordinator).filter(c -> !c.isBlank()), System.getenv()),
                secret);
    }

    /** Prints to the command's output. */
    public Printer printer() {
        return new Printer(command.commandLine().getOut(), Screen.ofLauncher(), json);
    }
}
