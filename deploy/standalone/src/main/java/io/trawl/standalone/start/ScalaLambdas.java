package io.trawl.standalone.start;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.util.List;
import java.util.Optional;

/**
 * Rewrites classes that Scala compiled, so that the JVM can keep their lambdas in its cache of classes. It keeps those that
 * {@link LambdaMetafactory#metafactory} links (JEP 483). Scala has them linked by {@link LambdaMetafactory#altMetafactory} because they may
 * be serialized, and may be called by reflection with the types of their source. A broker does neither; otherwise they are the same. Thread-safe.
 */
final class ScalaLambdas {
    private static final String REWRITTEN = "altMetafactory";
    private static final DirectMethodHandleDesc METAFACTORY = ConstantDescs.ofCallsiteBootstrap(
            ClassDesc.of(LambdaMetafactory.class.getName()), "metafactory", ConstantDescs.CD_CallSite,
            ConstantDescs.CD_MethodType, ConstantDescs.CD_MethodHandle, ConstantDescs.CD_MethodType);
    /** Of the arguments of {@code altMetafactory}, the first three are those of {@code metafactory}. */
    private static final int SAME_ARGUMENTS = 3;
    private static final int FLAGS = 3;
    private static final int FIRST_BRIDGE = 5;
    /** Finds the classes to which those that are rewritten refer where this one is loaded from. */
    private final ClassFile classFile = ClassFile.of(ClassHierarchyResolverOption
            .of(ClassHierarchyResolver.ofResourceParsing(ScalaLambdas.class.getClassLoader())));

    /** The class with its lambdas linked by {@code metafactory}; empty if it has none that can be. */
    Optional<byte[]> rewritten(byte[] bytes) {
        ClassModel original = classFile.parse(bytes);
        if (original.methods().stream().noneMatch(ScalaLambdas::hasLambda)) {
            return Optional.empty();
        }
        return Optional.of(classFile.transformClass(original,
                ClassTransform.transformingMethodBodies(ScalaLambdas::hasLambda, ScalaLambdas::rewrite)));
    }

    private static boolean hasLambda(MethodModel method) {
        return method.code().stream().flatMap(code -> code.elementStream()).anyMatch(element -> lambda(element).isPresent());
    }

    private static void rewrite(CodeBuilder code, CodeElement element) {
        lambda(element).ifPresentOrElse(
                lambda -> code.invokedynamic(DynamicCallSiteDesc.of(METAFACTORY, lambda.name().stringValue(), lambda.typeSymbol(),
                        lambda.bootstrapArgs().subList(0, SAME_ARGUMENTS).toArray(ConstantDesc[]::new))),
                () -> code.with(element));
    }

    private static Optional<InvokeDynamicInstruction> lambda(CodeElement element) {
        return element instanceof InvokeDynamicInstruction call && call.bootstrapMethod().methodName().equals(REWRITTEN)
                && plain(call.bootstrapArgs()) ? Optional.of(call) : Optional.empty();
    }

    /** Whether it has no other interfaces, and no other method besides the one with the types of its source (scala/bug#10334). */
    private static boolean plain(List<ConstantDesc> arguments) {
        int flags = (int) arguments.get(FLAGS);
        if ((flags & LambdaMetafactory.FLAG_MARKERS) != 0) {
            return false;
        }
        MethodTypeDesc typed = (MethodTypeDesc) arguments.get(SAME_ARGUMENTS - 1);
        return (flags & LambdaMetafactory.FLAG_BRIDGES) == 0
                || arguments.subList(FIRST_BRIDGE, arguments.size()).stream().allMatch(typed::equals);
    }
}
