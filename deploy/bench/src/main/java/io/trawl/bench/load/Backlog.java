package io.trawl.bench.load;

import java.util.List;

/**
 * What is to be loaded. The hosts of all shares are numbered through in the order of the shares. Immutable.
 *
 * @param shares at least one
 * @param mixed whether the shares are spread evenly over the whole log; otherwise they follow each other
 */
public record Backlog(List<Share> shares, boolean mixed) {
    /** Copies the list. */
    public Backlog {
        shares = List.copyOf(shares);
    }

    /** Takes each request. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * @param host its number
         * @param page the number of the page within the host
         */
        void visit(int host, int page, int priority);
    }

    /** The number of requests. */
    public long requests() {
        return shares.stream().mapToLong(Share::requests).sum();
    }

    /** The number of hosts. */
    public int hosts() {
        return shares.stream().mapToInt(Share::hosts).sum();
    }

    /** All requests in the order of the log. Within a share the hosts take turns. */
    public void forEach(Visitor visitor) {
        long[] done = new long[shares.size()];
        for (long i = 0, total = requests(); i < total; i++) {
            int s = mixed ? furthestBehind(done) : firstOpen(done);
            Share share = shares.get(s);
            int first = shares.subList(0, s).stream().mapToInt(Share::hosts).sum();
            long n = done[s]++;
            visitor.visit(first + (int) (n % share.hosts()), (int) (n / share.hosts()), share.priority());
        }
    }

    /** The share of which the smallest part is done, so that all of them end together. */
    private int furthestBehind(long[] done) {
        int best = 0;
        for (int s = 1; s < done.length; s++) {
            if ((double) done[s] / shares.get(s).requests() < (double) done[best] / shares.get(best).requests()) {
                best = s;
            }
        }
        return best;
    }

    private int firstOpen(long[] done) {
        int s = 0;
        while (done[s] == shares.get(s).requests()) {
            s++;
        }
        return s;
    }
}
