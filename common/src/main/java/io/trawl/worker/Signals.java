package io.trawl.worker;

import java.io.PrintStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C, SIGTERM and SIGHUP: the first one requests a graceful shutdown, the second one ends the process at once. A
 * shutdown hook cannot do that: while hooks run, the JVM ignores a second Ctrl-C. The JDK's signal class is not public,
 * hence the reflection; if it is missing, the JVM's default applies.
 */
public final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
    /** The exit status that shells report after Ctrl-C. */
    public static final int INTERRUPTED = 130;

    private Signals() {}

    /** Registers signal handlers that request the shutdown. */
    public static void ask(ShutdownRequest stop, PrintStream err) {
        Runnable handle = () -> {
            if (stop.asked()) {
                err.println("ended at once");
                Runtime.getRuntime().halt(INTERRUPTED);
            }
            stop.ask();
        };
        List.of("INT", "TERM", "HUP").forEach(signal -> handle(signal, handle));
    }

    private static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler calls = (proxy, method, args) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == args[0];
                default -> "handler of SIG" + name;
            };
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[]{handler}, calls);
            signal.getMethod("handle", signal, handler).invoke(null,
                    signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            // SIGHUP does not exist everywhere, or the process was started to ignore it.
            LOG.debug("cannot handle SIG{}, the JVM's default applies", name, e);
        }
    }
}
