package io.trawl.testkit;

import static java.util.Objects.requireNonNull;

import io.trawl.model.Outcome.OutcomeKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * A random graph of pages, redirects, errors and files over all hosts of a {@link FakeWeb}, and the expected result of
 * its crawl. The same seed gives the same graph. Links are written in all equivalent ways (absolute, from the root,
 * relative, with a fragment, with needless encoding, more than once), so that a crawl that normalises badly fetches a
 * page twice or not at all. Immutable.
 */
public final class LinkGraph {
    private static final int LONGEST_CHAIN = 4;
    private final List<FakeHost> hosts;
    private final List<Node> nodes;
    private final Map<String, Node> byUrl;

    private LinkGraph(List<FakeHost> hosts, List<Node> nodes) {
        this.hosts = hosts;
        this.nodes = nodes;
        this.byUrl = nodes.stream().collect(Collectors.toMap(Node::url, n -> n));
    }

    /** A node: {@code targets} are indexes of nodes, one for a redirect, none for errors and files. */
    private record Node(String url, FakeHost host, String path, OutcomeKind kind, int status, List<Integer> targets) {
        Node as(OutcomeKind other, int otherStatus, List<Integer> otherTargets) {
            return new Node(url, host, path, other, otherStatus, otherTargets);
        }
    }

    /**
     * Creates a graph and serves it. The first node is a page.
     *
     * @param nodes the number of URLs
     * @param links the average number of links per page; 2 or more reach most of the graph from one page
     */
    public static LinkGraph serve(FakeWeb web, int nodes, int links, long seed) {
        Random random = new Random(seed);
        List<Node> made = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            FakeHost host = web.host(random.nextInt(web.hosts().size()));
            made.add(node(i, host, nodes, links, random));
        }
        breakLongChains(made);
        LinkGraph graph = new LinkGraph(web.hosts(), List.copyOf(made));
        for (int i = 0; i < nodes; i++) {
            made.get(i).host().route(made.get(i).path(), graph.behaviour(i, random));
        }
        return graph;
    }

    private static Node node(int i, FakeHost host, int nodes, int links, Random random) {
        String path = path(i, random.nextInt(5));
        Node page = new Node(host.url(path), host, path, OutcomeKind.PAGE, 200,
                random.ints(i == 0 ? 2L * links : random.nextInt(2 * links + 1), 0, nodes).boxed().toList());
        int kind = i == 0 ? 0 : random.nextInt(100);
        if (kind >= 92) {
            return page.as(OutcomeKind.HTTP_ERROR, kind >= 96 ? 404 : 410, List.of());
        }
        if (kind >= 82) {
            return page.as(OutcomeKind.REDIRECT, kind >= 87 ? 301 : 302, List.of(random.nextInt(nodes)));
        }
        return kind >= 75 ? page.as(OutcomeKind.PAGE, 200, List.of()) : page;
    }

    private static String path(int i, int form) {
        return switch (form) {
            case 0 -> "/n" + i + ".html";
            case 1 -> "/folder/" + i % 7 + "/n" + i + ".html";
            case 2 -> "/n" + i + "/";
            case 3 -> "/find?id=" + i + "&x=1";
            default -> "/%C3%A9t%C3%A9/n" + i;
        };
    }

    /**
     * These graphs do not test the limit of redirects in a row: a chain that is too long, or a loop, ends in a file.
     */
    private static void breakLongChains(List<Node> nodes) {
        for (int i = 0; i < nodes.size(); i++) {
            int at = i;
            int hops = 0;
            while (nodes.get(at).kind() == OutcomeKind.REDIRECT && hops <= LONGEST_CHAIN) {
                at = nodes.get(at).targets().getFirst();
                hops++;
            }
            if (hops > LONGEST_CHAIN) {
                nodes.set(i, nodes.get(i).as(OutcomeKind.PAGE, 200, List.of()));
            }
        }
    }

    private Behaviour behaviour(int index, Random random) {
        Node node = nodes.get(index);
        return switch (node.kind()) {
            // A header is ASCII, unlike HTML.
            case REDIRECT -> Behaviours.redirect(node.status(),
                    written(node, nodes.get(node.targets().getFirst()), random).replace("é", "%c3%a9"));
            case HTTP_ERROR -> Behaviours.status(node.status());
            default -> node.targets().isEmpty()
                    ? Behaviours.bytes("text/plain", ("file " + index).getBytes(StandardCharsets.UTF_8))
                    : Behaviours.page(html(index, node, random));
        };
    }

    private String html(int index, Node node, Random random) {
        StringBuilder html = new StringBuilder("<!DOCTYPE html><html lang=en><head><title>Page " + index
                + "</title></head><body><main><p>This is page " + index + ".</p>\n");
        for (int target : node.targets()) {
            html.append("<p><a href=\"").append(written(node, nodes.get(target), random).replace("&", "&amp;"))
                    .append("\">to ").append(target).append("</a></p>\n");
        }
        return html.append("</main></body></html>").toString();
    }

    /** One way to write a link from one node to another. */
    private static String written(Node from, Node to, Random random) {
        boolean local = from.host().equals(to.host());
        String path = to.path();
        return switch (random.nextInt(local ? 7 : 4)) {
            case 0 -> to.url();
            case 1 -> to.url() + "#part-" + random.nextInt(3);
            case 2 -> "HTTP://" + to.host().name() + "/./x/.." + path;
            case 3 -> "//" + to.host().name() + path.replace("n", "%6e").replace("%C3%A9", "é");
            case 4 -> path;
            case 5 -> "../".repeat(from.path().split("/", -1).length) + path.substring(1);
            default -> path.toLowerCase(Locale.ROOT) + "#";
        };
    }

    /** The URL of a node, counted from 0; node 0 is a page. */
    public String url(int index) {
        return nodes.get(index).url();
    }

    /** The primary domains of all hosts: a crawl of the whole graph must accept them. */
    public Set<String> domains() {
        return hosts.stream().map(FakeHost::address).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The expected results of a crawl from these seeds that accepts all hosts: by URL, nearest first. */
    public Map<String, Expected> reachable(Collection<String> seeds, int depth) {
        return reachable(seeds, depth, domains());
    }

    /**
     * The expected results of a crawl: a breadth-first search in which a redirect's target has the depth of the
     * redirect.
     *
     * @param seeds URLs of nodes, in normal form
     * @param domains the accepted primary domains
     * @return by URL, nearest first
     */
    public Map<String, Expected> reachable(Collection<String> seeds, int depth, Set<String> domains) {
        return reachable(seeds, depth, domains, (url, at) -> true);
    }

    /** The same for a crawl with a scope. @param admits whether a URL is in scope at a depth */
    public Map<String, Expected> reachable(Collection<String> seeds, int depth, Set<String> domains,
            BiPredicate<String, Integer> admits) {
        Map<Node, Integer> distance = new HashMap<>();
        Map<String, Expected> found = new LinkedHashMap<>();
        Deque<Node> queue = new ArrayDeque<>();
        seeds.forEach(s -> reach(requireNonNull(byUrl.get(s)), 0, distance, queue, false));
        while (!queue.isEmpty()) {
            Node node = queue.removeFirst();
            if (found.containsKey(node.url())) {
                continue;
            }
            int here = requireNonNull(distance.get(node));
            found.put(node.url(),
                    new Expected(node.url(), node.kind(), Integer.toString(node.status()), here, links(node)));
            boolean redirect = node.kind() == OutcomeKind.REDIRECT;
            int next = redirect ? here : here + 1;
            if (next <= depth) {
                node.targets().stream().map(nodes::get)
                        .filter(t -> domains.contains(t.host().address()) && admits.test(t.url(), next))
                        .forEach(t -> reach(t, next, distance, queue, redirect));
            }
        }
        return found;
    }

    private static void reach(Node node, int depth, Map<Node, Integer> distance, Deque<Node> queue, boolean nearer) {
        if (depth < distance.getOrDefault(node, Integer.MAX_VALUE)) {
            distance.put(node, depth);
            if (nearer) {
                queue.addFirst(node);
            } else {
                queue.addLast(node);
            }
        }
    }

    private List<String> links(Node node) {
        return node.kind() == OutcomeKind.PAGE
                ? node.targets().stream().distinct().map(t -> nodes.get(t).url()).toList()
                : List.of();
    }
}
