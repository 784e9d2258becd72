#!/bin/sh
# Makes the missing passwords and tokens that compose.yaml reads from files.
#
#   docker/secrets.sh          passwords and tokens
#   docker/secrets.sh --tls    also a CA and a certificate for tls.yaml; renews a certificate that expires within 30 days
set -eu
cd "$(dirname "$0")/secrets"
case ${1:-} in
  '') tls=no ;;
  --tls) tls=yes ;;
  *) echo "secrets.sh: unknown option $1; there is only --tls" >&2; exit 2 ;;
esac
# The folder is closed, but its files are not: in the containers, users with other numbers read them.
chmod 0700 .

# name, mode: writes the whole file or none.
keep() {
  # Without a line break, which Connect would read as a part of the password.
  tr -d '\n' >"$1.new"
  chmod "$2" "$1.new"
  mv "$1.new" "$1"
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

for name in postgres-password sql-password grafana-password peer-secret; do
  if [ ! -s "$name" ]; then
    head -c 24 /dev/urandom | base64 | tr -d '/+=' | keep "$name" 0444
  fi
done

# Like 'ebb token create --name ROLE --role ROLE --file tokens > ROLE-token', but works without a packaged Ebb.
for role in admin viewer; do
  if [ ! -s "$role-token" ]; then
    token=ebb_$(head -c 32 /dev/urandom | base64 | tr '/+' '_-' | tr -d '=\n')
    # The hash first: a token without its line would be refused for ever. The line is appended, because running containers do not
    # see a file that replaces another.
    printf '%s %s sha256:%s\n' "$role" "$role" "$(printf %s "$token" | sha256)" >>tokens
    printf %s "$token" | keep "$role-token" 0444
  fi
done
chmod 0644 tokens

[ "$tls" = yes ] || exit 0
command -v openssl >/dev/null || { echo 'secrets.sh: openssl is not installed' >&2; exit 1; }
# The name of the network that connects the instances, see tls.yaml.
domain=${COMPOSE_PROJECT_NAME:-$(sed -n 's/^COMPOSE_PROJECT_NAME=//p' ../.env)}.internal
# Outside the folder that the containers see: the holder of this key can pose as any instance.
ca_key=$domain-ca.key
umask 022
mkdir -p "$domain"
# Docker would make a folder in place of a missing file that it should mount.
if [ -d "$domain/ca.crt" ]; then rmdir "$domain/ca.crt"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/openssl.cnf" <<END
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[instance]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:*.$domain, DNS:ebb, DNS:localhost, IP:127.0.0.1
END

private_key() {
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null
}

if [ ! -s "$ca_key" ] || [ ! -s "$domain/ca.crt" ]; then
  private_key "$work/ca.key"
  openssl req -new -x509 -config "$work/openssl.cnf" -extensions ca -key "$work/ca.key" -days 3650 \
    -subj "/CN=CA of $domain" -out "$work/ca.crt"
  rm -f "$domain/tls.crt"
  chmod 0400 "$work/ca.key"
  mv -f "$work/ca.key" "$ca_key"
  mv -f "$work/ca.crt" "$domain/ca.crt"
fi
if [ ! -s "$domain/tls.key" ] || ! openssl x509 -in "$domain/tls.crt" -noout -checkend $((30 * 86400)) >/dev/null 2>&1; then
  private_key "$work/tls.key"
  openssl req -new -config "$work/openssl.cnf" -key "$work/tls.key" -subj /CN=ebb -out "$work/tls.csr"
  openssl x509 -req -in "$work/tls.csr" -CA "$domain/ca.crt" -CAkey "$ca_key" -set_serial "0x$(openssl rand -hex 16)" \
    -days 365 -extfile "$work/openssl.cnf" -extensions instance -out "$work/tls.crt" 2>/dev/null
  # In the containers, users with other numbers read these files; the folder above is closed.
  chmod 0444 "$work/tls.key" "$work/tls.crt"
  mv -f "$work/tls.key" "$domain/tls.key"
  mv -f "$work/tls.crt" "$domain/tls.crt"
fi
