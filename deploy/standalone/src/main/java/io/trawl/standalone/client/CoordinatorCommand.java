package io.trawl.standalone.client;

import io.trawl.standalone.print.Printer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that asks a coordinator: it has {@link CoordinatorOptions}, a way to the coordinator as long as it runs, and a printer for the answer. */
public abstract class CoordinatorCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    /** Asks; its exit code is {@link ExitCode#DONE} unless an exception says otherwise. */
    @Override
    public Integer call() throws InterruptedException {
        try (Api api = at.api()) {
            ask(api, at.printer());
        }
        return ExitCode.DONE;
    }

    /**
     * Asks and prints what is answered.
     *
     * @param api closed by the caller
     * @throws Refused if the coordinator refuses
     * @throws io.trawl.standalone.CoordinatorClient.Unavailable if nobody can answer now
     */
    protected abstract void ask(Api api, Printer printer) throws InterruptedException;
}
