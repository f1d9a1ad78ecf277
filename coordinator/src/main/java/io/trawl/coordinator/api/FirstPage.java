package io.trawl.coordinator.api;

/** What a browser sees at {@code /}: where everything is. */
final class FirstPage {
    static final String HTML = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Trawl coordinator</title>
            <style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
            <h1>Trawl coordinator</h1>
            <ul>
              <li><a href="api/crawls">Crawls</a></li>
              <li><a href="api/queue">Channels</a></li>
              <li><a href="api/modules">Modules</a></li>
              <li><a href="api/summary">Summary of the deployment</a></li>
              <li><a href="summary">Summary of this coordinator</a></li>
              <li><a href="metrics">Metrics</a></li>
              <li>Health: <a href="health/live">live</a>, <a href="health/ready">ready</a></li>
            </ul>
            """;

    private FirstPage() {}
}
