CREATE DATABASE IF NOT EXISTS public;
USE public;
CREATE TABLE jobs (
    id bigint PRIMARY KEY,
    queue varchar(200) NOT NULL,
    state varchar(200) NOT NULL,
    done_at timestamp NULL
);
