package io.trawl.analyzer.batch;

import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.Parsers;

/** Who parses, and on what. */
public record Parsing(Parsers parsers, ParseThreads threads) {}
