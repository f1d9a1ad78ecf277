package com.example;

import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads a discussion: an item for each reply. */
public class DiscussionParser implements ResponseParser {
    private static final Pattern REPLY = Pattern.compile("<li class=\"reply\"><b>([^<]+)</b>([^<]+)");

    @Override
    public String name() {
        return "discussion";
    }

    @Override
    public boolean handles(Page page) {
        return page.options().parser().equals(Optional.of(name()));
    }

    @Override
    public Parsed parse(Page page) {
        List<Map<String, Object>> replies = REPLY.matcher(page.text()).results()
                .map(found -> Map.<String, Object>of("author", found.group(1), "reply", found.group(2).strip())).toList();
        return Parsed.fields(Map.of("replies", replies.size())).withItems(replies)
                .withErrors(replies.isEmpty() ? List.of("a discussion without a reply") : List.of());
    }
}
