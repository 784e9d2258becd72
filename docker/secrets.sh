#!/bin/sh
# Makes the passwords and tokens that compose.yaml reads from files, where they are missing.
set -eu
cd "$(dirname "$0")/secrets"
# The folder is closed, the files in it are not: in the containers they are read by users of other numbers.
chmod 0700 .

# name, mode: the file is there wholly or not at all.
keep() {
  # Without a line break, which would be a part of the password where Connect reads it.
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

# As 'ebb token create --name ROLE --role ROLE --file tokens > ROLE-token' makes them, before there is a package to run.
for role in admin viewer; do
  if [ ! -s "$role-token" ]; then
    token=ebb_$(head -c 32 /dev/urandom | base64 | tr '/+' '_-' | tr -d '=\n')
    # The hash first: a token without its line would be refused for ever. Appended, because a file that is put in the place
    # of another one is not seen by containers that run.
    printf '%s %s sha256:%s\n' "$role" "$role" "$(printf %s "$token" | sha256)" >>tokens
    printf %s "$token" | keep "$role-token" 0444
  fi
done
chmod 0644 tokens
