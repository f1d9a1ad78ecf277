#!/usr/bin/env bash
# Makes what compose.secure.yaml needs, once: a certificate authority, certificates for Kafka and Redis, passwords, and the files that name them.
# Everything lands in secure/made, which git does not keep. Needs openssl, and docker for the authorities that Java knows.
set -euo pipefail
cd "$(dirname "$0")"
[ ! -e made ] || {
  echo "secure/made is there; remove it to make everything anew" >&2
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

# The web's authorities, which downloaders need as before, and ours, for Redis.
image=${JAVA_IMAGE:-eclipse-temurin:25-jre}
docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/made" --entrypoint bash "$image" -c \
  'cp "$JAVA_HOME/lib/security/cacerts" /made/truststore && chmod u+w /made/truststore && keytool -importcert -noprompt -alias trawl-deployment -file /made/ca.crt -keystore /made/truststore -storepass changeit' 2>/dev/null

printf 'KAFKA_PASSWORD=%s\nREDIS_PASSWORD=%s\n' "$kafka_password" "$redis_password" >passwords
# The containers run as other users than the one who made these. The folder above them is what keeps others of this machine away.
chmod 0644 ./*
chmod 0600 ca.key
chmod 0700 ..
echo "made: certificates, truststore, passwords. Next: copy the two lines of secure/made/passwords into .env"
