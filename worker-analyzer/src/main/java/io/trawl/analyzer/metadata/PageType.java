package io.trawl.analyzer.metadata;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What kind of page it is, by the vocabularies of schema.org and Open Graph. In the order in which one type explains a
 * page better than another: a recipe is often marked as an article, too, and has a video.
 */
enum PageType {
    FORUM("discussionforumposting", "qapage"), DOCUMENTATION("techarticle", "apireference"), RECIPE("recipe"), EVENT(
            "event"), JOB("jobposting"), ARTICLE("article", "newsarticle", "analysisnewsarticle", "opinionnewsarticle",
                    "reportagenewsarticle", "reviewnewsarticle", "backgroundnewsarticle", "blogposting",
                    "socialmediaposting", "liveblogposting", "scholarlyarticle", "medicalscholarlyarticle",
                    "advertisercontentarticle", "satiricalarticle", "report", "howto"), PRODUCT("product",
                            "productgroup", "individualproduct", "productmodel", "product.item",
                            "og:product"), PROFILE("profilepage", "profile"), COLLECTION("collectionpage",
                                    "productcollection", "offercatalog",
                                    "product.group"), LISTING("itemlist", "searchresultspage", "blog"), VIDEO(
                                            "videoobject", "video.other", "video.movie", "video.episode", "video");

    private static final Map<String, PageType> BY_NAME = byName();
    private final String[] names;

    PageType(String... names) {
        this.names = names;
    }

    private static Map<String, PageType> byName() {
        Map<String, PageType> all = new HashMap<>();
        for (PageType type : values()) {
            Arrays.stream(type.names).forEach(name -> all.put(name, type));
            all.put(type.word(), type);
        }
        return Map.copyOf(all);
    }

    /** As items name it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type that a vocabulary calls so, with or without the address of the vocabulary. */
    static Optional<PageType> of(String name) {
        return Optional
                .ofNullable(BY_NAME.get(name.substring(name.lastIndexOf('/') + 1).strip().toLowerCase(Locale.ROOT)));
    }

    /** What a page is that has several of them. */
    PageType several() {
        return switch (this) {
            case ARTICLE, EVENT, JOB, RECIPE, VIDEO, FORUM, DOCUMENTATION -> LISTING;
            case PRODUCT -> COLLECTION;
            default -> this;
        };
    }
}
