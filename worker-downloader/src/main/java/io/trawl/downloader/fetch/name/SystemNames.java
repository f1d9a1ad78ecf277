package io.trawl.downloader.fetch.name;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * The resolver of the system, which knows {@code /etc/hosts}, search domains, and whatever else a machine is set up
 * with. It blocks in a native call, so look-ups run on a few platform threads: two of them would block every virtual
 * thread of a machine with two cores.
 */
final class SystemNames implements NameService {
    /** It does not tell how long an answer counts. */
    private static final Duration KEPT = Duration.ofMinutes(5);
    /** It does not tell either whether the name is unknown, or no server has answered. */
    private static final Duration FAILURE_KEPT = Duration.ofSeconds(10);
    private static final int THREADS = 32;

    /** The call that blocks: the system's, or that of a test. */
    interface BlockingLookup {
        InetAddress[] allOf(String name) throws UnknownHostException;
    }

    private final BlockingLookup lookup;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS,
            Thread.ofPlatform().daemon().name("names-", 0).factory());

    SystemNames(BlockingLookup lookup) {
        this.lookup = lookup;
    }

    @Override
    public CompletableFuture<NameAnswer> find(String name) {
        CompletableFuture<NameAnswer> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> complete(name, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new UnknownNameException("the downloader is closing", Duration.ZERO));
        }
        return answer;
    }

    private void complete(String name, CompletableFuture<NameAnswer> answer) {
        try {
            answer.complete(new NameAnswer(List.of(lookup.allOf(name)), KEPT));
        } catch (UnknownHostException e) {
            answer.completeExceptionally(new UnknownNameException("by the resolver of the system", FAILURE_KEPT));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
