-- Rows that the database has refused, so that none of them stops the rows of others. Written in the transactions of the sinks.

CREATE TABLE mirror_refused (
    connector  text COLLATE "C" NOT NULL,
    row_hash   text COLLATE "C" NOT NULL,
    table_name text             NOT NULL,
    row_key    text             NOT NULL,
    deleted    boolean          NOT NULL,
    code       text,
    reason     text             NOT NULL,
    topic      text             NOT NULL,
    partition  integer          NOT NULL,
    position   bigint           NOT NULL,
    refused_at timestamptz      NOT NULL DEFAULT now(),
    PRIMARY KEY (connector, row_hash)
);

COMMENT ON TABLE mirror_refused IS
    'Changes of rows that this database refused for themselves, the last one of each row; normally empty. Written by the sinks of Ebb alone: an entry goes when a later change of the same row is written, for example after ebb verify --repair.';
COMMENT ON COLUMN mirror_refused.connector IS 'Name of the connector';
COMMENT ON COLUMN mirror_refused.row_hash IS 'SHA-256 of the key of the row in hexadecimal, or of the place of a record that holds no key';
COMMENT ON COLUMN mirror_refused.table_name IS 'Table that was to take the row';
COMMENT ON COLUMN mirror_refused.row_key IS 'The key of the row as JSON; a note where the record holds no key';
COMMENT ON COLUMN mirror_refused.deleted IS 'True: the row was to be deleted. False: it was to be written, and is missing or as it was before';
COMMENT ON COLUMN mirror_refused.code IS 'Error code of PostgreSQL; null: the record is no row of the table';
COMMENT ON COLUMN mirror_refused.reason IS 'Why, without any value of the row';
COMMENT ON COLUMN mirror_refused.topic IS 'Topic of the record';
COMMENT ON COLUMN mirror_refused.partition IS 'Partition of the record';
COMMENT ON COLUMN mirror_refused.position IS 'Offset of the record';
COMMENT ON COLUMN mirror_refused.refused_at IS 'When the database refused the change last';
