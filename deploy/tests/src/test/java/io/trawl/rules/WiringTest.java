package io.trawl.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Few constructors take many collaborators: what belongs together is passed together, by name. A constructor counts if
 * most of its parameters are collaborators, and not values. Values are primitive, of an enum, of a record or a sealed
 * interface of values, of a class with an {@code equals} of its own, or of a type of the JDK that neither calls nor
 * runs anything. A record most of whose components are values is data, which is built with a record builder.
 */
class WiringTest {
    private static final int MANY = 6;
    private static final int MOST = 10;
    private static final int MOST_WITH_MANY = 20;
    /** Packages and types of the JDK that run or call something. */
    private static final List<String> ACTIVE = List.of("java.util.function.", "java.util.concurrent.",
            "java.lang.Runnable", "java.lang.Thread", "java.net.http.", "java.io.", "java.nio.channels.");
    private static final List<JavaConstructor> WIDE = new ClassFileImporter()
            .withImportOption(new Modules.ShippedCode()).importPackages("io.trawl").stream()
            .filter(c -> !c.isAnonymousClass() && !c.isLocalClass()).flatMap(c -> c.getConstructors().stream())
            .filter(WiringTest::wide).toList();

    @Test
    void noConstructorTakesMoreThanTenCollaborators() {
        assertThat(WIDE).filteredOn(c -> c.getParameters().size() > MOST).extracting(c -> c.getOwner().getName())
                .isEmpty();
    }

    @Test
    void atMostTwentyConstructorsTakeMoreThanSix() {
        assertThat(WIDE).extracting(c -> c.getParameters().size() + " " + c.getOwner().getName()).hasSizeBetween(1,
                MOST_WITH_MANY);
    }

    private static boolean wide(JavaConstructor constructor) {
        List<JavaParameter> parameters = constructor.getParameters();
        long collaborators = parameters.stream().filter(p -> !isValue(p.getType(), new HashSet<>())).count();
        return parameters.size() > MANY && 2 * collaborators > parameters.size();
    }

    /** @param asked the types that are asked about already: a value may consist of others of its type */
    private static boolean isValue(JavaType type, Set<String> asked) {
        return type.getAllInvolvedRawTypes().stream().map(JavaClass::getBaseComponentType)
                .allMatch(raw -> !asked.add(raw.getName()) || isValue(raw, asked));
    }

    private static boolean isValue(JavaClass raw, Set<String> asked) {
        if (raw.getName().startsWith("java.")) {
            return ACTIVE.stream().noneMatch(raw.getName()::startsWith);
        }
        if (raw.isRecord()) {
            return raw.getFields().stream().filter(f -> !f.getModifiers().contains(JavaModifier.STATIC))
                    .allMatch(f -> isValue(f.getType(), asked));
        }
        return raw.isPrimitive() || raw.isEnum() || raw.tryGetMethod("equals", Object.class).isPresent()
                || raw.isInterface() && raw.reflect().isSealed()
                        && raw.getSubclasses().stream().allMatch(each -> isValue(each, asked));
    }
}
