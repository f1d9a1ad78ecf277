package io.trawl.analyzer.batch;

import io.trawl.admission.AcceptedDomains;
import io.trawl.control.ControlView;
import io.trawl.ledger.Ledger;
import io.trawl.trace.Tracer;

/** What an analysis asks and tells others. */
public record Ports(ControlView control, Ledger ledger, AcceptedDomains domains, Tracer tracer) {}
