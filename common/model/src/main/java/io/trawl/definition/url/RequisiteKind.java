package io.trawl.definition.url;

import io.trawl.model.Choice;

/** A kind of file that a page needs to look as it does. */
public enum RequisiteKind implements Choice {
    /** Style sheets, also those that others import. */
    STYLE,
    /** Images in all their sizes, also those of style sheets, and the posters of videos. */
    IMAGE,
    /** Scripts. */
    SCRIPT,
    /** The fonts of style sheets. */
    FONT,
    /** Audio, video and its subtitles. */
    MEDIA,
    /** Icons of the site. */
    ICON,
    /** What {@code <object>} and {@code <embed>} show. */
    OBJECT
}
