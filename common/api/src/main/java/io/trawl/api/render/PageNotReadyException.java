package io.trawl.api.render;

import java.util.concurrent.TimeoutException;

/**
 * A page that is rendered has no text when its time is over, or cannot be read then. It fails as {@code TIMEOUT}, and
 * its error says how it was rendered.
 */
public class PageNotReadyException extends TimeoutException {
    private static final long serialVersionUID = 1;
    private final transient Rendering rendering;

    /**
     * A page without text.
     *
     * @param message for users
     * @param rendering how far it came
     */
    public PageNotReadyException(String message, Rendering rendering) {
        super(message);
        this.rendering = rendering;
    }

    /** {@return how far it came} */
    public Rendering rendering() {
        return rendering;
    }
}
