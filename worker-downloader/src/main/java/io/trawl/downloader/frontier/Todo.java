package io.trawl.downloader.frontier;

import java.util.ArrayList;
import java.util.List;

/** What is to be done, in order, until it is taken over. Belongs to the frontier's thread. */
final class Todo {
    private List<Action> actions = new ArrayList<>();
    private long tickets;

    void add(Action action) {
        actions.add(action);
    }

    /** A number that was never given before. */
    long ticket() {
        return ++tickets;
    }

    List<Action> take() {
        List<Action> taken = actions;
        actions = new ArrayList<>();
        return taken;
    }
}
