package io.trawl.standalone.steer;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trawl reset}: takes the stop sign of the fleet away. */
@Command(name = "reset", sortOptions = false, description = "Take the fleet's stop sign away: what was started goes on.", footerHeading = "%nExample:%n", footer = {
        "  trawl reset"})
public final class ResetCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (Api api = at.api()) {
            Answer answer = api.delete("/api/stop-sign");
            at.printer().answer(answer.body(), screen -> List.of("the fleet's stop sign is taken away"));
        }
        return 0;
    }
}
