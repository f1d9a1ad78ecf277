package io.trawl.admission;

import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.model.HostKey;

/** The answer of admission: {@link Admitted} or {@link Refusal}. */
public sealed interface AdmissionVerdict permits Admitted, Refusal {

    /**
     * May become a request, if the ledger does not know it yet.
     *
     * @param url in normal form
     * @param host the politeness key
     * @param domain the primary domain
     */
    record Admitted(String url, HostKey host, String domain) implements AdmissionVerdict {}
}
