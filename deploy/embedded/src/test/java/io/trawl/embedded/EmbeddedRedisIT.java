package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

class EmbeddedRedisIT {
    @TempDir
    private Path temp;

    @Test
    void keepsEveryAcknowledgedWriteWhenItIsKilled() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp.resolve("folder with \"spaces\""), 0)) {
            String url = redis.url();
            try (Jedis client = new Jedis(URI.create(url))) {
                client.set("a", "1");
                // Several writes of a script are one transaction in the file.
                client.eval("redis.call('SET', 'b', '2') redis.call('SET', 'c', '3')");
            }
            redis.kill();
            redis.start();
            assertThat(redis.url()).isEqualTo(url);
            try (Jedis client = new Jedis(URI.create(url))) {
                assertThat(client.mget("a", "b", "c")).containsExactly("1", "2", "3");
            }
        }
    }

    @Test
    void runsWithTheConfigurationThatTheLedgerNeeds() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0); Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.configGet("hash-max-ziplist-value")).last().isEqualTo("64");
            assertThat(client.configGet("appendfsync")).last().isEqualTo("always");
            assertThat(client.configGet("appendonly")).last().isEqualTo("yes");
            assertThat(client.configGet("maxmemory-policy")).last().isEqualTo("noeviction");
            assertThat(client.configGet("hash-max-ziplist-entries")).last().isEqualTo("512");
            assertThat(client.configGet("save")).last().isEqualTo("");
        }
    }

    @Test
    void usesTheExecutableFromTheJarIfThePathHasNone() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0, "");
                Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.ping()).isEqualTo("PONG");
            assertThat(client.info("server")).contains("executable:" + temp.resolve("bin"), "redis_version:7.");
            assertThat(redis.warning())
                    .hasValueSatisfying(line -> assertThat(line).contains("of Trawl's jar", "no more security fixes"));
        }
    }

    @Test
    void prefersAServerOfThePathThatItsSystemMaintains() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0, "/nowhere:" + program("new", "7.0.15"))) {
            assertThat(redis.warning()).isEmpty();
        }
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0, program("old", "6.2.20"))) {
            assertThat(redis.warning()).hasValueSatisfying(line -> assertThat(line).contains("7.0.15 of Trawl's jar"));
        }
    }

    /** A folder with a redis-server that reports a version and is the one from the jar. */
    private String program(String folder, String version) throws IOException {
        Path jar = RedisBinary.find("", temp.resolve("bin")).file();
        Path path = Files.createDirectory(temp.resolve(folder));
        Path program = path.resolve("redis-server");
        Files.writeString(program, "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Redis server v=" + version
                + " sha=0' && exit\nexec '" + jar + "' \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return path.toString();
    }

    @Test
    void admitsNobodyWithoutAPassword() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0)) {
            URI url = URI.create(redis.url());
            try (Jedis stranger = new Jedis(url.getHost(), url.getPort())) {
                assertThatThrownBy(stranger::ping).isInstanceOf(JedisDataException.class)
                        .hasMessageContaining("NOAUTH");
            }
            assertThatThrownBy(() -> new Jedis(URI.create(redis.url().replaceFirst(":[^:]*@", ":guess@"))).close())
                    .isInstanceOf(JedisException.class).hasMessageContaining("WRONGPASS");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONFIG SET dir /tmp", "CONFIG REWRITE", "MODULE LOAD x.so", "DEBUG SLEEP 0", "SHUTDOWN",
            "ACL LIST", "REPLICAOF 127.0.0.1 1", "MIGRATE 127.0.0.1 1 a 0 1", "FLUSHALL", "KEYS *", "SAVE", "MONITOR",
            "CLIENT KILL x:1", "RESTORE a 0 x", "SCRIPT DEBUG YES"})
    void refusesItsClientsWhatConfiguresExtendsOrStopsIt(String line) {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0); Jedis client = new Jedis(URI.create(redis.url()))) {
            String[] words = line.split(" ");
            ProtocolCommand command = () -> words[0].getBytes(StandardCharsets.US_ASCII);
            assertThatThrownBy(() -> client.sendCommand(command, Arrays.copyOfRange(words, 1, words.length)))
                    .isInstanceOf(JedisException.class)
                    .hasMessageMatching("NOPERM.*|ERR (DEBUG|MODULE) command not allowed.*");
            assertThat(client.ping()).isEqualTo("PONG");
        }
    }

    @Test
    void keepsItsPasswordsFromTheOtherUsersOfTheMachine() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("redis"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try (EmbeddedRedis redis = EmbeddedRedis.start(folder, 0);
                Jedis client = new Jedis(URI.create(redis.operatorUrl()))) {
            String password = URI.create(redis.url()).getUserInfo().replaceFirst(".*:", "");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
            for (String file : List.of("redis.conf", "passwords.properties")) {
                assertThat(folder.resolve(file)).content().contains(password);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                        .isEqualTo("rw-------");
            }
            assertThat(ProcessHandle.of(process(client)).orElseThrow().info().commandLine().orElseThrow())
                    .doesNotContain(password);
        }
    }

    @Test
    void readsAFolderOfAnEarlierVersion() throws IOException {
        Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(temp.resolve("redis.conf"), "# Written at every start.\nbind 127.0.0.1\n");
        Files.writeString(temp.resolve("appendonly.aof"),
                "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n" + "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n");
        Files.writeString(temp.resolve("ports.properties"),
                "redis=" + new StablePorts(temp.resolve("other")).take("x", 0));
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0); Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.get("a")).isEqualTo("1");
        }
    }

    @Test
    void stopsAnOrphanOnItsFolder() {
        EmbeddedRedis left = EmbeddedRedis.start(temp, 0);
        long orphan;
        try (Jedis client = new Jedis(URI.create(left.url()))) {
            client.set("a", "1");
            orphan = process(client);
        }
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0); Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.get("a")).isEqualTo("1");
            assertThat(ProcessHandle.of(orphan).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    @Test
    void doesNotTouchOtherServers() {
        try (EmbeddedRedis other = EmbeddedRedis.start(temp.resolve("other"), 0);
                Jedis client = new Jedis(URI.create(other.url()))) {
            int port = client.getClient().getPort();
            client.set("a", "1");
            Path mine = temp.resolve("mine");
            RedisUser operator = RedisUser.in(new PropertiesFile(temp.resolve("other").resolve("passwords.properties")),
                    "operator");
            assertThat(RedisProcess.at(port, operator, temp.resolve("other"))).hasValue(process(client));
            new RedisPidFile(mine).endOrphan(port, operator);
            new RedisPidFile(mine).endOrphan(port, RedisUser.random("operator"));
            assertThat(client.get("a")).isEqualTo("1");
        }
    }

    private static long process(Jedis client) {
        return client.info("server").lines().filter(line -> line.startsWith("process_id:")).findFirst()
                .map(line -> Long.parseLong(line.substring("process_id:".length()).strip())).orElseThrow();
    }
}
