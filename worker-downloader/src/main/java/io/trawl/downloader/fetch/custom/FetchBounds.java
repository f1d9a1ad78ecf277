package io.trawl.downloader.fetch.custom;

import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.RobotsSource;
import io.trawl.settings.Settings;
import io.trawl.time.Time;

/**
 * What binds the fetchers of plug-ins.
 *
 * @param http sends their requests, through the address guard and within the limits of one exchange
 * @param robots judges what they ask for besides the page
 * @param politeness the pause between two requests of one fetch
 * @param memory holds what they receive
 */
public record FetchBounds(HttpFetcher http, RobotsSource robots, Politeness politeness, BodyMemory memory,
        Settings.DownloaderSettings settings, Time time) {}
