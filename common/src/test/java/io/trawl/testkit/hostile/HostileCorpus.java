package io.trawl.testkit.hostile;

import io.trawl.model.FailureReason;
import io.trawl.testkit.hostile.CaseOutcome.FailureError;
import io.trawl.testkit.hostile.CaseOutcome.Forbidden;
import io.trawl.testkit.hostile.CaseOutcome.StatusError;
import io.trawl.testkit.hostile.CaseOutcome.Truncated;
import io.trawl.testkit.hostile.CaseOutcome.Unlisted;
import io.trawl.testkit.hostile.CaseOutcome.Whole;
import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.Map;
import java.util.LinkedHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** All cases, and the table of them. */
public final class HostileCorpus {
    /** So many names of cases with one outcome are in the document. */
    private static final int NAMED = 5;
    /** No server listens. */
    static final HostileServer CLOSED_PORT = wire -> {};
    static final List<CaseOutcome> PAGE = List.of(new Whole());
    static final List<CaseOutcome> CUT = List.of(new Truncated());
    /** A page; whether it is cut depends on the limits of the analyzer. */
    static final List<CaseOutcome> PAGE_OR_CUT = List.of(new Whole(), new Truncated());
    static final List<CaseOutcome> FORBIDDEN = List.of(new Forbidden());
    static final List<CaseOutcome> NONE = List.of(new Unlisted());

    private HostileCorpus() {}

    /** Answers one request, which is not for robots.txt. */
    @FunctionalInterface
    interface Answer {
        void send(Wire wire, String path) throws IOException, InterruptedException;
    }

    /** All cases, in the order of the table. Names are unique. */
    public static List<HostileCase> cases() {
        return Stream
                .of(ConnectionCases.all(), ServerCases.all(), EncodingCases.all(), TlsCases.all(), PageCases.all(),
                        TextCases.all(), RobotsCases.all(), RedirectCases.all(), TrapCases.all())
                .flatMap(List::stream).toList();
    }

    static List<CaseOutcome> failure(FailureReason... reasons) {
        return Arrays.stream(reasons).<CaseOutcome>map(FailureError::new).toList();
    }

    static List<CaseOutcome> status(int status) {
        return List.of(new StatusError(status));
    }

    static List<CaseOutcome> either(List<CaseOutcome> one, List<CaseOutcome> other) {
        return Stream.of(one, other).flatMap(List::stream).toList();
    }

    /** A server without robots.txt that answers each request; ends the connection after an answer if told so. */
    static HostileServer answering(Answer answer) {
        return answering(wire -> wire.answer("404 Not Found", new byte[0]), answer);
    }

    /** A server that answers requests for robots.txt in one way, and others in another. */
    static HostileServer answering(HostileServer robots, Answer answer) {
        return wire -> {
            for (String path = wire.request(); !path.isEmpty(); path = wire.request()) {
                if (path.equals("/robots.txt")) {
                    robots.serve(wire);
                } else {
                    answer.send(wire, path);
                }
            }
        };
    }

    /** The same, but each connection has one answer. */
    static HostileServer closing(Answer answer) {
        return wire -> {
            String path = wire.request();
            if (path.equals("/robots.txt")) {
                wire.answer("404 Not Found", new byte[0], "Connection: close");
            } else if (!path.isEmpty()) {
                answer.send(wire, path);
            }
        };
    }

    /** How many cases of each group have which outcome, and the names of the first ones, as Markdown. */
    public static String table() {
        StringBuilder text = new StringBuilder();
        for (CaseGroup group : CaseGroup.values()) {
            Map<String, List<String>> names = cases().stream().filter(c -> c.group() == group)
                    .collect(Collectors.groupingBy(HostileCorpus::outcome, LinkedHashMap::new,
                            Collectors.mapping(c -> '`' + c.name() + '`', Collectors.toList())));
            text.append("\n## ").append(group.heading()).append("\n\n| outcome | cases | |\n|---|---|---|\n");
            names.forEach((outcome, cases) -> text.append("| ").append(outcome).append(" | ").append(cases.size())
                    .append(" | ").append(String.join(", ", cases.subList(0, Math.min(cases.size(), NAMED))))
                    .append(cases.size() > NAMED ? ", ..." : "").append(" |\n"));
        }
        return text.toString();
    }

    private static String outcome(HostileCase hostileCase) {
        return String.join(" or ", hostileCase.outcomes().stream().map(CaseOutcome::text).toList());
    }

    /** Collects the cases of one group. */
    static final class Cases {
        private final CaseGroup group;
        private final List<HostileCase> all = new ArrayList<>();

        Cases(CaseGroup group) {
            this.group = group;
        }

        Cases add(String name, String does, List<CaseOutcome> outcomes, HostileServer server) {
            all.add(new HostileCase(name, group, does, outcomes, server));
            return this;
        }

        /** Changes the case that was added last. */
        Cases but(UnaryOperator<HostileCase> change) {
            all.add(change.apply(all.removeLast()));
            return this;
        }

        List<HostileCase> list() {
            return List.copyOf(all);
        }
    }
}
