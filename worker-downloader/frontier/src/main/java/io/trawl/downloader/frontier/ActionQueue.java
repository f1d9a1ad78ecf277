package io.trawl.downloader.frontier;

import java.util.ArrayList;
import java.util.List;

/** Actions in their order, until {@link #take} removes them. Belongs to the frontier's thread. */
final class ActionQueue {
    private List<FrontierAction> frontierActions = new ArrayList<>();
    private long tickets;

    void add(FrontierAction frontierAction) {
        frontierActions.add(frontierAction);
    }

    /** A unique number. */
    long ticket() {
        return ++tickets;
    }

    List<FrontierAction> take() {
        List<FrontierAction> taken = frontierActions;
        frontierActions = new ArrayList<>();
        return taken;
    }
}
