package io.trawl.coordinator.call;

import io.trawl.control.Channels;
import io.trawl.coordinator.call.ModuleReply.CallReply;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.topic.RequestOwnerLookup;
import io.trawl.http.CallRefusedException;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Asks modules of the fleet: one by its name, the owner of a host, any of a kind, or all of a kind. Only registered
 * addresses are called. Thread-safe; calls block for the limits of their questions.
 */
public record ModuleCalls(DirectCaller caller, Registrar registrar, RequestOwnerLookup owners) {
    /** Asks a module. */
    public <A> CallReply<A> ask(MID module, ModuleQuestion<A> question) throws InterruptedException {
        return caller.ask(module, question);
    }

    /**
     * Asks a module.
     *
     * @param name a MID, or its part before the address
     * @throws UnknownModuleException if no live module has this name
     * @throws SilentModuleException if it does not answer in time, or refuses
     */
    public <A> A named(String name, ModuleQuestion<A> question) throws InterruptedException {
        MID mid = registrar.all().stream().map(Registration::mid).filter(known -> known.isNamed(name)).findFirst()
                .orElseThrow(() -> new UnknownModuleException(name));
        return switch (caller.ask(mid, question)) {
            case ModuleReply.AnswerOf<A>(_, A value) -> value;
            case ModuleReply.RefusalOf<A>(_, int status, String detail, _, _) ->
                throw new SilentModuleException(mid, status + " " + detail);
            case ModuleReply.SilenceOf<A>(_, String why) -> throw new SilentModuleException(mid, why);
        };
    }

    /** The live downloaders, the least loaded first, and before them the one that owns a host, if there is one. */
    public record DownloaderOrder(Optional<MID> owner, List<MID> order) {}

    /**
     * The downloaders in the order in which they fetch a URL of a host. @param channels the request topics; empty if
     * they are not known
     */
    public DownloaderOrder downloaders(HostKey host, Optional<Channels> channels) throws InterruptedException {
        List<MID> order = new ArrayList<>(byLoad(ModuleKind.DOWNLOADER));
        Optional<MID> owner = channels.isEmpty() ? Optional.empty() : owners.owner(host, channels.get(), order);
        owner.ifPresent(mid -> {
            order.remove(mid);
            order.addFirst(mid);
        });
        return new DownloaderOrder(owner, order);
    }

    /** Asks the downloader that owns a host. */
    public <A> ModuleReply<A> owner(HostKey host, Channels channels, ModuleQuestion<A> question)
            throws InterruptedException {
        DownloaderOrder found = downloaders(host, Optional.of(channels));
        return found.owner().isEmpty()
                ? new ModuleReply.NoModule<>(found.order().size())
                : caller.ask(found.owner().get(), question);
    }

    /**
     * Asks the least loaded module of a kind that answers.
     *
     * @throws NoWorkerException if none answers
     * @throws CallRefusedException if one refuses the question as every other would
     * @throws InvalidDefinitionException the same, with the faults that it names
     */
    public <A> ModuleReply.AnswerOf<A> any(ModuleKind kind, ModuleQuestion<A> question) throws InterruptedException {
        List<String> tried = new ArrayList<>();
        for (MID module : byLoad(kind)) {
            switch (caller.ask(module, question)) {
                case ModuleReply.AnswerOf<A> answer -> {
                    return answer;
                }
                case ModuleReply.RefusalOf<A> refusal when refusal.everywhere() -> throw refusal.faults().isEmpty()
                        ? new CallRefusedException(refusal.status(), refusal.detail())
                        : new InvalidDefinitionException(refusal.faults(), 0);
                case CallReply<A> other -> other.failure().ifPresent(tried::add);
            }
        }
        throw new NoWorkerException(kind, tried);
    }

    private List<MID> byLoad(ModuleKind kind) {
        return registrar.byLoad(kind).stream().map(Registration::mid).toList();
    }

    /** Asks all modules of a kind at once. */
    public <A> List<CallReply<A>> all(ModuleKind kind, ModuleQuestion<A> question) throws InterruptedException {
        return all(registrar.all(kind).stream().map(Registration::mid).toList(), question);
    }

    /** Asks these modules at once; the replies are in their order. */
    public <A> List<CallReply<A>> all(List<MID> modules, ModuleQuestion<A> question) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CallReply<A>> replies = new ArrayList<>();
            for (Future<CallReply<A>> reply : threads.invokeAll(
                    modules.stream().map(mid -> (Callable<CallReply<A>>) () -> caller.ask(mid, question)).toList())) {
                replies.add(reply.get());
            }
            return replies;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** No live module has this name. The message may be shown to users. */
    public static final class UnknownModuleException extends RuntimeException {
        /** @param name a MID, or its part before the address */
        public UnknownModuleException(String name) {
            super("no module '" + name + "' is registered: trawl modules lists those that are");
        }
    }

    /** A module does not answer at its address. The message may be shown to users. */
    public static final class SilentModuleException extends RuntimeException {
        SilentModuleException(MID mid, String why) {
            super(mid + " does not answer: " + why);
        }
    }

    /** No worker of a kind answers. The message may be shown to users. */
    public static final class NoWorkerException extends RuntimeException {
        /** @param tried the result of each call, as text */
        public NoWorkerException(ModuleKind kind, List<String> tried) {
            super(tried.isEmpty()
                    ? "no " + kind.word() + " is registered"
                    : "no " + kind.word() + " answers: " + String.join("; ", tried));
        }
    }
}
