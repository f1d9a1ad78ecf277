package io.trawl.codec;

import io.trawl.model.Body;
import java.util.List;
import java.util.function.Consumer;

/** Records of every topic: whatever their bytes are, a decoder returns a record or says that it is malformed. */
public final class RecordsFuzz {
    private static final List<Consumer<byte[]>> DECODERS = List.of(Codec::request, Codec::item, Codec::error,
            Codec::ledger, Codec::control, Codec::seed, json -> Codec.response(json, Body.EMPTY));

    private RecordsFuzz() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        for (Consumer<byte[]> decoder : DECODERS) {
            try {
                decoder.accept(input);
            } catch (MalformedRecordException e) {
                // as promised
            }
        }
        SalvagedHeader.of(input).map(SalvagedHeader::answer).map(Codec::encode).ifPresent(Codec::ledger);
    }
}
