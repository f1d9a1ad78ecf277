package io.trawl.admission;

/** What became of a URL as somebody wrote it: its {@link NormalUrl normal form}, or why it has none. */
public sealed interface Normalized permits NormalUrl, Refused {}
