package io.trawl.admission;

/** The answer of admission: {@link Admitted} or {@link Refused}. */
public sealed interface Verdict permits Admitted, Refused {}
