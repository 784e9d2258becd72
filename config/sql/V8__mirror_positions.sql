-- Progress of the sinks, moved in the transactions that write the rows.

CREATE TABLE mirror_position (
    connector text COLLATE "C" NOT NULL,
    topic     text COLLATE "C" NOT NULL,
    partition integer          NOT NULL,
    position  bigint           NOT NULL,
    PRIMARY KEY (connector, topic, partition)
);

COMMENT ON TABLE mirror_position IS
    'Progress of the sinks of Ebb: the offsets up to which this database has the records of the mirror topics. Written by the sinks alone. With a backup, the mirror goes on from where the backup was made.';
COMMENT ON COLUMN mirror_position.connector IS 'Name of the connector';
COMMENT ON COLUMN mirror_position.topic IS 'Topic that it reads';
COMMENT ON COLUMN mirror_position.partition IS 'Partition of the topic';
COMMENT ON COLUMN mirror_position.position IS 'Offset of the next record to write; -1: none has been written yet';
