package io.trawl.coordinator.api;

import io.javalin.config.RoutesConfig;

/** Accepted domains: {@code /api/crawls/{id}/domains}. */
final class DomainRoutes {
    private static final String DOMAINS = "/api/crawls/{id}/domains";
    private static final String DOMAIN = DOMAINS + "/{name}";
    private final LeaderFirst leader;

    DomainRoutes(LeaderFirst leader) {
        this.leader = leader;
    }

    void register(RoutesConfig routes) {
        routes.get(DOMAINS, leader.look(ctx -> Calls.json(ctx, 200, desk().domains(Calls.id(ctx)))));
        routes.put(DOMAIN, leader.change(ctx -> Calls.json(ctx, 200, desk().add(Calls.id(ctx), ctx.pathParam("name")))));
        routes.delete(DOMAIN, leader.change(ctx -> Calls.json(ctx, 200, desk().remove(Calls.id(ctx), ctx.pathParam("name")))));
    }

    private DomainDesk desk() {
        return leader.desks().domains();
    }
}
