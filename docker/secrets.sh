#!/bin/sh
# Makes the passwords that compose.yaml reads from files, where they are missing.
set -eu
cd "$(dirname "$0")/secrets"
# The folder is closed, the files in it are not: in the containers they are read by users of other numbers.
chmod 0700 .
for name in postgres-password sql-password grafana-password; do
  if [ ! -s "$name" ]; then
    # Without a line break, which would be a part of the password where Connect reads it.
    head -c 24 /dev/urandom | base64 | tr -d '\n/+=' >"$name.new"
    chmod 0444 "$name.new"
    mv "$name.new" "$name"
  fi
done
