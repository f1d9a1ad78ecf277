package io.trawl.standalone.client;

import io.trawl.coordinator.text.Screen;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that calls a coordinator: it has {@link CoordinatorOptions}, an {@link Api} while it runs, and a printer
 * for the answer.
 */
public abstract class CoordinatorCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    /** Runs the command; the exit code is {@link ExitCode#DONE} unless an exception is thrown. */
    @Override
    public Integer call() throws InterruptedException {
        try (Api api = at.api()) {
            ask(api, at.printer());
        }
        return ExitCode.DONE;
    }

    /** Prints to the command's output, for what needs no coordinator. */
    protected final Printer printer() {
        return at.printer();
    }

    /**
     * Calls the coordinator and prints the answer.
     *
     * @param api closed by the caller
     * @throws ApiRefusal if the coordinator refuses
     * @throws CoordinatorUnavailableException if no coordinator can answer now
     */
    protected abstract void ask(Api api, Printer printer) throws InterruptedException;

    /** A request to a coordinator. */
    @FunctionalInterface
    public interface RequestSender {
        /** Sends it. */
        ApiResponse send(Api api) throws InterruptedException;
    }

    /** The text of an answer. */
    @FunctionalInterface
    public interface AnswerText {
        /** Its lines. */
        List<String> lines(ApiResponse answer, Screen screen);
    }

    /**
     * The common options of all commands that call a coordinator: address, token and output format. In the help they
     * follow the command's own options, which have no order.
     */
    public static final class CoordinatorOptions {
        private static final String TOKEN = "[A-Za-z0-9._~+/=-]+";

        @Option(names = "--coordinator", order = 1, paramLabel = "URL", defaultValue = "${env:TRAWL_COORDINATOR}", description = "The address of a coordinator. Default: TRAWL_COORDINATOR; else that of trawl up in this folder; else http://127.0.0.1:8080; "
                + "else that of trawl crawl in this folder; else, and if TRAWL_REDIS_URL or TRAWL_NAMESPACE is set, one that is registered in Redis.")
        private @Nullable String coordinator;

        @Option(names = "--token", order = 2, paramLabel = "TOKEN", defaultValue = "${env:TRAWL_API_TOKEN}", description = "The token of the deployment. Prefer TRAWL_API_TOKEN: options are visible to all users of the machine.")
        private @Nullable String token;

        @Option(names = "--json", order = 3, description = "Print the coordinator's JSON unchanged.")
        private boolean json;

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        /**
         * Opens the client; the caller closes it.
         *
         * @throws io.trawl.model.InvalidValueException if the address is not valid
         */
        public Api api() {
            LogSetup.none();
            Optional<String> secret = Optional.ofNullable(token).map(String::strip).filter(t -> !t.isEmpty());
            if (secret.isPresent() && !secret.get().matches(TOKEN)) {
                throw new UserMistakeException(
                        "the token (TRAWL_API_TOKEN or --token) is not valid: letters, digits and . _ ~ + / = - (RFC 6750)");
            }
            return new Api(CoordinatorDiscovery.candidates(Optional.ofNullable(coordinator).filter(c -> !c.isBlank()),
                    secret, System.getenv()));
        }

        /** Sends a request, prints the answer, and returns {@link ExitCode#DONE} unless an exception is thrown. */
        public int print(RequestSender request, AnswerText text) throws InterruptedException {
            try (Api api = api()) {
                ApiResponse answer = request.send(api);
                printer().answer(answer.body(), screen -> text.lines(answer, screen));
            }
            return ExitCode.DONE;
        }

        /** Prints to the command's output. */
        public Printer printer() {
            return new Printer(command.commandLine().getOut(), Terminal.ofLauncher().output(), json);
        }
    }
}
