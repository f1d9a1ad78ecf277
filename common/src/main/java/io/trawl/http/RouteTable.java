package io.trawl.http;

import io.trawl.settings.Role;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

/**
 * What an endpoint answers besides what its module brings. Immutable.
 *
 * @param routes in any order; no two have the same method for one path
 * @param problems which exception is which problem in this process
 * @param check refuses a call that does not say what its route expects, before its body is read
 * @param answered is told each call that was let in, and the status of its answer
 */
public record RouteTable(List<Route> routes, ProblemMapping problems, Consumer<Call> check,
        ObjIntConsumer<Call> answered) {
    /** Copies the routes. */
    public RouteTable {
        routes = List.copyOf(routes);
    }

    /** The table of a worker: all that it answers, its module brings. */
    static RouteTable ofWorker() {
        return new RouteTable(List.of(), new ProblemMapping(), _ -> {}, (_, _) -> {});
    }

    /** A route for a call, with the parameters of its path. */
    record RouteMatch(Route route, Map<String, String> parameters) {}

    /**
     * The route for a call; for another method of its path one that names the methods that there are; empty if there is
     * none.
     *
     * @param more the routes of the module
     * @param path as sent, still encoded
     * @throws CallRefusedException 400 if the path cannot be decoded
     */
    Optional<RouteMatch> find(List<Route> more, String method, String path) {
        String[] parts = Stream.of(path.split("/", -1)).map(RouteTable::decoded).toArray(String[]::new);
        List<RouteMatch> matches = Stream.concat(routes.stream(), more.stream())
                .flatMap(route -> route.match(parts).map(found -> new RouteMatch(route, found)).stream()).toList();
        List<RouteMatch> own = matches.stream().filter(match -> !match.route().rest()).toList();
        if (own.isEmpty()) {
            return matches.stream().max(Comparator.comparingInt(match -> match.route().path().length()));
        }
        String wanted = method.equals("HEAD") ? "GET" : method;
        return own.stream().filter(match -> match.route().method().equals(wanted)).findFirst()
                .or(() -> Optional.of(new RouteMatch(others(own.stream().map(RouteMatch::route).toList()), Map.of())));
    }

    private static Route others(List<Route> routes) {
        TreeSet<String> methods = new TreeSet<>(routes.stream().map(Route::method).toList());
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        String allowed = String.join(", ", methods) + ", OPTIONS";
        String path = routes.getFirst().path();
        Route.Handler handler = call -> {
            if (call.head().method().equals("OPTIONS")) {
                return CallResponse.empty(204).with("Allow", allowed);
            }
            throw CallRefusedException.otherMethod(allowed);
        };
        return routes.getFirst().needed() == Role.NONE ? Route.open(path, handler) : Route.get(path, handler);
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new CallRefusedException(400, "the path cannot be read: " + e.getMessage());
        }
    }
}
