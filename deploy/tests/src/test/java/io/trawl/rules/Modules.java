package io.trawl.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/**
 * Tells from which module a class was loaded, by its folder or jar. So the rules need no list of the packages of a
 * module.
 */
final class Modules {
    private Modules() {}

    /** Leaves out test classes, in folders and in the test jar of common, and the classes that JMH generates. */
    static final class ShippedCode implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/") && !location.contains("-tests.jar")
                    && !location.contains("/jmh_generated/");
        }
    }

    /**
     * The folder that a class was loaded from, or the name of the jar: manifests lead to copies of a jar in other
     * folders.
     */
    static String origin(JavaClass javaClass) {
        String uri = javaClass.getSource().orElseThrow().getUri().toString();
        String file = javaClass.getName().replace('.', '/') + ".class";
        if (!uri.endsWith(file)) {
            throw new IllegalStateException(javaClass.getName() + " was loaded from " + uri);
        }
        String place = uri.substring(0, uri.length() - file.length());
        return place.endsWith(".jar!/")
                ? place.substring(place.lastIndexOf('/', place.length() - ".jar!/".length()) + 1)
                : place;
    }
}
