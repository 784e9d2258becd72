#!/bin/bash
# At the first start of PostgreSQL: makes the database of the mirror and its owner, a user without further rights.
set -euo pipefail
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  -v "password=$(cat /run/secrets/sql-password)" <<'SQL'
CREATE ROLE ebb LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE ebb OWNER ebb;
REVOKE ALL ON DATABASE ebb FROM PUBLIC;
SQL
