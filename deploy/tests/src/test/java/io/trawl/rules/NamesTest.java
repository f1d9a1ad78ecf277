package io.trawl.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A name stands for one type: no reader has to look at imports to know which. Looks at the types that are visible
 * outside their class, of the main code of all modules and of the test kit: top-level types, nested public types, and
 * types nested in interfaces.
 */
class NamesTest {
    /** Names that another name forms with a final "s", and why both are needed. */
    private static final Map<String, String> PLURALS = Map.of("Behaviour",
            "Behaviours has the factory methods of Behaviour, as Collections has those of Collection");
    private static final List<String> VAGUE_ENDINGS = List.of("Manager", "Helper", "Util", "Utils", "Impl");
    private static final Modules.ShippedCode SHIPPED = new Modules.ShippedCode();
    private static final List<JavaClass> TYPES = new ClassFileImporter()
            .withImportOption(location -> SHIPPED.includes(location) || location.contains("/io/trawl/testkit/"))
            .importPackages("io.trawl").stream()
            .filter(c -> !c.isAnonymousClass() && !c.isLocalClass() && !c.getSimpleName().equals("package-info"))
            .toList();
    private static final Map<String, Set<String>> BY_NAME = TYPES.stream().filter(NamesTest::visible)
            .collect(Collectors.groupingBy(JavaClass::getSimpleName, TreeMap::new,
                    Collectors.mapping(JavaClass::getName, Collectors.toCollection(TreeSet::new))));

    private static boolean visible(JavaClass type) {
        boolean generated = type.getName().endsWith("Builder$With");
        return !generated && (type.isTopLevelClass() || type.getModifiers().contains(JavaModifier.PUBLIC)
                || type.getEnclosingClass().filter(JavaClass::isInterface).isPresent());
    }

    @Test
    void noTwoTypesShareASimpleName() {
        assertThat(BY_NAME).hasSizeGreaterThan(400).allSatisfy((name, types) -> assertThat(types).as(name).hasSize(1));
    }

    @Test
    void namesThatDifferByAFinalSAreTheListedOnesOnly() {
        assertThat(BY_NAME.keySet()).filteredOn(name -> BY_NAME.containsKey(name + "s"))
                .containsExactlyInAnyOrderElementsOf(PLURALS.keySet());
    }

    @Test
    void noTypeHasAVagueName() {
        assertThat(TYPES).extracting(JavaClass::getName)
                .noneMatch(name -> VAGUE_ENDINGS.stream().anyMatch(name::endsWith));
    }
}
