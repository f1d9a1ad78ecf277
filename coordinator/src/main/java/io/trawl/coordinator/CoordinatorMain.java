package io.trawl.coordinator;

import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.worker.WorkerMain;
import java.util.Map;

/** Runs the coordinator as a separate process. */
public final class CoordinatorMain {
    private static final String PORT = "trawl.http.port";
    private static final String DEFAULT_PORT = "8080";

    private CoordinatorMain() {}

    /**
     * Runs until the process receives a signal to stop. Users connect to this process, so its port is
     * {@value #DEFAULT_PORT} by default.
     */
    public static void main(String[] args) {
        WorkerMain.run(Coordinator.factory(), CoordinatorMain::settings);
    }

    private static Settings settings() {
        boolean set = System.getenv().containsKey(SettingsReader.variable(PORT));
        return set ? SettingsReader.fromEnvironment() : SettingsReader.over(Map.of(PORT, DEFAULT_PORT));
    }
}
