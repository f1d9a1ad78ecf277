package io.trawl.http;

import io.trawl.settings.Role;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who makes a call: a person or a program, by the name of its token.
 *
 * @param name of the token; {@value #ANYONE} for a caller without one
 * @param role what the token allows
 * @param prefix if it is not empty, changes are allowed only to crawls whose id begins with it
 */
public record Caller(String name, Role role, Optional<String> prefix) {
    /** The header in which one coordinator tells another who has called; it is signed. */
    public static final String HEADER = "Trawl-Caller";
    /** The name of a caller without a token. */
    static final String ANYONE = "anonymous";
    private static final ScopedValue<Caller> CURRENT = ScopedValue.newInstance();

    /** A caller that may change everything that its role allows. */
    static Caller of(String name, Role role) {
        return new Caller(name, role, Optional.empty());
    }

    /** The caller whose call this thread carries out; empty if there is none, for example for a schedule. */
    public static Optional<Caller> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }

    /** Does something that the caller has caused, on this thread. */
    public <T, X extends Throwable> T does(ScopedValue.CallableOp<T, X> task) throws X {
        return ScopedValue.where(CURRENT, this).call(task);
    }

    /**
     * Lets a call in.
     *
     * @param needed what it is about to do
     * @param crawl the id of the crawl that it changes, if it changes one
     * @param refused if the role does not allow it
     * @throws CallRefusedException 403 if the prefix does not allow it
     */
    void check(Role needed, Optional<String> crawl, Supplier<CallRefusedException> refused) {
        if (!role.allows(needed)) {
            throw refused.get();
        }
        prefix.filter(own -> needed == Role.WRITE && crawl.filter(id -> id.startsWith(own)).isEmpty())
                .ifPresent(own -> {
                    throw new CallRefusedException(403,
                            "this token operates only crawls whose id begins with '" + own + "'");
                });
    }
}
