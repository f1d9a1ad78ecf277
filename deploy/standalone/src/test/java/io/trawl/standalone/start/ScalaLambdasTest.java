package io.trawl.standalone.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ScalaLambdasTest {
    private static final ClassLoader LIBRARIES = ScalaLambdasTest.class.getClassLoader();
    private final ClassFile classFile = ClassFile
            .of(ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(LIBRARIES)));
    private final ScalaLambdas lambdas = new ScalaLambdas();

    /** The type of a lambda that is linked as those of Scala are. */
    public interface Greeting extends UnaryOperator<String>, Serializable {}

    /** A class with such a lambda. */
    public static final class SerializableLambda implements UnaryOperator<String> {
        @Override
        public String apply(String text) {
            Greeting greeting = name -> text + " " + name;
            return greeting.apply("world");
        }
    }

    /** A lambda with a second interface. */
    private interface Marked {
        UnaryOperator<String> OPERATOR = (UnaryOperator<String> & RandomAccess) text -> text;
    }

    @Test
    void noLambdaOfTheBrokerKeepsTheMethodThatTheCacheDoesNotHold() throws IOException {
        byte[] before = bytes("kafka/server/KafkaApis");
        byte[] rewritten = lambdas.rewritten(before).orElseThrow();
        assertThat(linkers(before)).contains("altMetafactory");
        assertThat(linkers(rewritten)).hasSameSizeAs(linkers(before)).doesNotContain("altMetafactory");
        assertThat(classFile.verify(rewritten)).isEmpty();
    }

    @Test
    void aRewrittenLambdaDoesWhatItDid() throws Exception {
        String name = SerializableLambda.class.getName();
        byte[] rewritten = lambdas.rewritten(bytes(name.replace('.', '/'))).orElseThrow();
        Class<?> loaded = new ClassLoader(LIBRARIES) {
            Class<?> define() {
                return defineClass(name, rewritten, 0, rewritten.length);
            }
        }.define();
        @SuppressWarnings("unchecked")
        UnaryOperator<String> operator = (UnaryOperator<String>) loaded.getConstructor().newInstance();
        assertThat(operator.apply("hello")).isEqualTo("hello world");
    }

    @Test
    void aLambdaWithAnotherInterfaceAndAClassWithoutLambdasStayAsTheyAre() throws IOException {
        assertThat(lambdas.rewritten(bytes(Marked.class.getName().replace('.', '/')))).isEmpty();
        assertThat(lambdas.rewritten(bytes("java/lang/String"))).isEmpty();
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(LIBRARIES.getResourceAsStream(name + ".class"))) {
            return in.readAllBytes();
        }
    }

    /** The methods that link the lambdas of a class. */
    private List<String> linkers(byte[] bytes) {
        return classFile.parse(bytes).methods().stream().flatMap(method -> method.code().stream())
                .flatMap(code -> code.elementStream())
                .filter(InvokeDynamicInstruction.class::isInstance).map(InvokeDynamicInstruction.class::cast)
                .map(call -> call.bootstrapMethod().methodName()).toList();
    }
}
