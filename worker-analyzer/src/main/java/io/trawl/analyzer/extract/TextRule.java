package io.trawl.analyzer.extract;

/**
 * The heuristics of the main text that can be left out, one at a time, to measure what each gains. The text of a crawl
 * uses all.
 */
public enum TextRule {
    /** A page that shows little without scripts shows what it hides: forums have their posts in {@code noscript}. */
    REVEAL,
    /** A browser displays boxes with {@code aria-hidden}; only screen readers leave them out. */
    ARIA_HIDDEN,
    /** A list of tabs, or a toolbar, with a lot of text has the panels in it: they are content. */
    PANELS,
    /** What a tab or a question opens is content, though it is hidden until then. */
    CLOSED_PANELS,
    /**
     * A {@code main} or {@code article} with a small part of the page's prose is a teaser, or a part of the content.
     */
    SHARE_OF_PROSE,
    /** An article with most of the prose of {@code main} is the content; what is beside it in there is not. */
    ARTICLE_IN_MAIN,
    /** Long texts tell a content from many teasers of some words each, which may have more text in all. */
    SENTENCES,
    /** Where the box with most of the prose has only a small part of the text, the page is a list: it has no prose. */
    LIST_ROOT,
    /** A section is a part of the content, also where it has most of a manual's page. */
    SECTIONS,
    /** The main heading stands in a box before the content in manuals that call this box a header. */
    HEADING_BEFORE,
    /** A click on a heading that is a button opens what it is the heading of: a question, the answer. */
    HEADING_BUTTONS,
    /** The links of a page that is mostly links are its content. */
    LISTS_KEEP_LINKS,
    /** Whether a page is mostly links does not depend on its newsletter and cookies: they are no part of either. */
    CLUTTERED_LISTS,
    /** Names like {@code sr-only} say that a box is not displayed. */
    UNSEEN_NAMES,
    /** Boxes that are named after what sites put around a content: share bars, related articles, newsletters. */
    CLUTTER_NAMES,
    /** What is told of an author or a member, beside the text or under each post, is not the text. */
    PERSON_NAMES,
    /** Comments and reviews are not what the page is about. */
    DISCUSSIONS,
    /** On a page with hardly anything else, comments are the content: it is a thread. */
    THREADS,
    /** A page whose JSON-LD says that it is a thread is one, however long its first post is. */
    STATED_THREADS,
    /** A page that says it is an article is no thread, however short it is and however many comments it has. */
    ARTICLES_ARE_NO_THREADS,
    /** Captions repeat the text or name a photographer, and interrupt the text. */
    CAPTIONS,
    /** The words in forms and labels are for filling them in; a form without fields to fill in is a mere box. */
    FORMS,
    /** An aside is beside the text, unless it is a note of it. */
    ASIDES,
    /** The main heading of an article is its title, which items have in a field of its own. */
    TITLES,
    /** The header of an article has its title, summary, author and date, which items have in fields of their own. */
    ARTICLE_HEADERS,
    /** Beside long prose, and beside an article with more other text, boxes that contain only links are navigation. */
    LINK_BOXES,
    /** Galleries, tags and calls to action of an article are not its text; on other pages they are the content. */
    AROUND_ARTICLES,
    /** A page that has most of its prose in teasers is a list of them, though it says that it is an article. */
    TEASER_LISTS,
    /** A link or box that is named a button says what to click. */
    BUTTONS,
    /** An article's date is metadata; other pages list things with their dates. */
    DATES,
    /** A box for small screens, which browsers on large ones do not display, repeats another box. */
    OTHER_SCREENS,
    /** A post of a forum that quotes another repeats it. */
    QUOTES,
    /** A box with the text of an earlier one repeats it: for another screen, in a carousel, as a summary of a post. */
    REPEATS,
    /** A page without a sentence is all that is in no frame. One that shows only a frame of links has no text yet. */
    FRAMES,
    /** Where scripts display the content, the JSON-LD for search engines may state it: an article, a product. */
    STATED
}
