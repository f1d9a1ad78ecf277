package io.trawl.testkit.web;

import java.util.List;

/**
 * The plan of a backlog. Host numbers run consecutively over all shares. Immutable.
 *
 * @param shares at least one
 * @param mixed whether the shares are spread evenly over the whole log; otherwise they follow each other
 */
public record BacklogPlan(List<BacklogShare> shares, boolean mixed) {
    /** Makes a defensive copy. */
    public BacklogPlan {
        shares = List.copyOf(shares);
    }

    /** Receives each request. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * @param host the number of the host
         * @param page the number of the page within the host
         */
        void visit(int host, int page, int priority);
    }

    /** The path of a page. */
    public static String path(int page) {
        return "/bench/page-" + page + ".html";
    }

    /** The number of requests. */
    public long requests() {
        return shares.stream().mapToLong(BacklogShare::requests).sum();
    }

    /** The number of hosts. */
    public int hosts() {
        return shares.stream().mapToInt(BacklogShare::hosts).sum();
    }

    /** Visits all requests in the order of the log. Within a share the hosts alternate. */
    public void forEach(Visitor visitor) {
        long[] done = new long[shares.size()];
        for (long i = 0, total = requests(); i < total; i++) {
            int s = mixed ? furthestBehind(done) : firstOpen(done);
            BacklogShare backlogShare = shares.get(s);
            int first = shares.subList(0, s).stream().mapToInt(BacklogShare::hosts).sum();
            long n = done[s]++;
            visitor.visit(first + (int) (n % backlogShare.hosts()), (int) (n / backlogShare.hosts()),
                    backlogShare.priority());
        }
    }

    /** The share with the smallest completed fraction, so that all shares end together. */
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
