package io.trawl.standalone.crawl;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Applies the directives and prints those that the JVM has. */
final class DirectivesProcess {
    private DirectivesProcess() {}

    public static void main(String[] args) throws JMException {
        CompilerDirectives.apply();
        System.out.println(ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "compilerDirectivesPrint", new Object[0],
                new String[0]));
    }
}
