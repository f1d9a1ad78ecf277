package io.trawl.testkit;

import static java.util.Objects.requireNonNull;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * Makes a broker expel the members of a group at once, as it does when their session expires: the broker receives
 * heartbeats in their names that say that they leave (KIP-848). The members are not notified and continue. An admin
 * client can do this only for members of the classic protocol.
 */
public final class Expulsion {
    private static final int LEAVES = -1;

    private Expulsion() {}

    /** Expels all current members. */
    public static void ofAll(String group, Admin admin) {
        of(group, member -> true, admin);
    }

    /** Expels these members; a process is known by its client id, its MID in lower case. */
    public static void of(String group, Predicate<MemberDescription> which, Admin admin) {
        try {
            var described = requireNonNull(admin.describeConsumerGroups(List.of(group)).describedGroups().get(group))
                    .get();
            for (MemberDescription member : described.members().stream().filter(which).toList()) {
                leave(group, member.consumerId(), described.coordinator());
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("cannot expel the members of " + group, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void leave(String group, String member, Node coordinator) throws IOException {
        AbstractRequest request = new ConsumerGroupHeartbeatRequest.Builder(
                new ConsumerGroupHeartbeatRequestData().setGroupId(group).setMemberId(member).setMemberEpoch(LEAVES))
                .build(ApiKeys.CONSUMER_GROUP_HEARTBEAT.latestVersion());
        var response = (ConsumerGroupHeartbeatResponse) answer(request, coordinator);
        Errors error = Errors.forCode(response.data().errorCode());
        if (error != Errors.NONE) {
            throw new IllegalStateException(member + " is not expelled: " + error);
        }
    }

    private static AbstractResponse answer(AbstractRequest request, Node broker) throws IOException {
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), "expulsion", 1);
        ByteBuffer question = request.serializeWithHeader(header);
        byte[] bytes = new byte[question.remaining()];
        question.get(bytes);
        try (Socket socket = new Socket(broker.host(), broker.port())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            return AbstractResponse.parseResponse(ByteBuffer.wrap(in.readNBytes(in.readInt())), header);
        }
    }
}
