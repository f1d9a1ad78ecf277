#!/usr/bin/env bash
# Creates the files for compose.secure.yaml, once: a certificate authority, certificates for Kafka and Redis, passwords,
# and the files that refer to them. All files are in secure/made, which git ignores. Needs openssl, and docker for
# Java's list of certificate authorities.
set -euo pipefail
cd "$(dirname "$0")"
[ ! -e made ] || {
  echo "secure/made exists; remove it to create everything again" >&2
  exit 1
}
umask 022
mkdir made && cd made
kafka_password=$(openssl rand -hex 24)
redis_password=$(openssl rand -hex 24)

openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj "/CN=Trawl deployment" -keyout ca.key -out ca.crt 2>/dev/null
certificate() { # $1: name of the files, $2: host names
  openssl req -newkey rsa:3072 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2>/dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$2" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 825 -extfile "$1.ext" -out "$1.crt" 2>/dev/null
  rm "$1.csr" "$1.ext"
}
certificate kafka DNS:kafka,DNS:kafka-2,DNS:kafka-3,DNS:localhost
certificate redis DNS:redis,DNS:localhost
openssl pkcs8 -topk8 -nocrypt -in kafka.key -out kafka.pkcs8
cat kafka.pkcs8 kafka.crt ca.crt >kafka.pem

cat >client.properties <<END
security.protocol=SASL_SSL
sasl.mechanism=PLAIN
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="trawl" password="$kafka_password";
ssl.truststore.type=PEM
ssl.truststore.location=/run/trawl/ca.crt
END

# The authorities of the web, for downloaders, and our own authority, for Redis.
image=${JAVA_IMAGE:-eclipse-temurin:25-jre}
docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/made" --entrypoint bash "$image" -c \
  'cp "$JAVA_HOME/lib/security/cacerts" /made/truststore && chmod u+w /made/truststore && keytool -importcert -noprompt -alias trawl-deployment -file /made/ca.crt -keystore /made/truststore -storepass changeit' 2>/dev/null

printf 'KAFKA_PASSWORD=%s\nREDIS_PASSWORD=%s\n' "$kafka_password" "$redis_password" >passwords
# The containers run as other users than the owner of these files. The parent folder's permissions protect them from other users of this machine.
chmod 0644 ./*
chmod 0600 ca.key
chmod 0700 ..
echo "created: certificates, truststore, passwords. Next: copy the two lines of secure/made/passwords into .env"
