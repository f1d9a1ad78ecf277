package com.example;

import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads a list of discussions: requests for the discussions, which another parser reads, for those that a button loads by a form, and for the next
 * page of the list.
 */
public class GroupParser implements ResponseParser {
    private static final Pattern DISCUSSION = Pattern.compile("<a class=\"discussion\" href=\"([^\"]+)\"");
    private static final Pattern LOAD = Pattern.compile("<button name=\"load\" value=\"([^\"]+)\"");
    private static final Pattern NEXT = Pattern.compile("<a rel=\"next\" href=\"([^\"]+)\"");

    @Override
    public String name() {
        return "group";
    }

    /** Only pages whose request names this parser. */
    @Override
    public boolean handles(Page page) {
        return page.options().parser().equals(Optional.of(name()));
    }

    @Override
    public Parsed parse(Page page) {
        LinkOptions same = page.options(); // the cookie, the pause and the parser of this page
        List<Link> links = new ArrayList<>();
        DISCUSSION.matcher(page.text()).results()
                .forEach(found -> links.add(Link.to(found.group(1)).with(same.withParser("discussion").withPriority(2))));
        LOAD.matcher(page.text()).results().forEach(found -> links.add(Link.to("/load")
                .with(same.withParser("discussion").withMethod("POST").withBody("load=" + found.group(1)))));
        NEXT.matcher(page.text()).results().forEach(found -> links.add(Link.to(found.group(1)).with(same)));
        return Parsed.of(Map.of(), links);
    }
}
