package io.trawl.downloader.session;

import io.trawl.downloader.fetch.FetchResult;

/** How a login has ended. */
sealed interface LoginResult {
    /** The host knows the crawler. */
    record LoggedIn() implements LoginResult {}

    /** The host has refused it, or its form is not what the definition says: another try would not change that. */
    record LoginRefused(String cause) implements LoginResult {}

    /** The host has not answered, or is overloaded: the next request tries again. */
    record LoginUnanswered(FetchResult fetchResult) implements LoginResult {}
}
