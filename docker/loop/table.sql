CREATE TABLE jobs (
    id bigint PRIMARY KEY,
    queue text NOT NULL,
    state text NOT NULL,
    done_at timestamptz
);

-- The sink deletes by key, seconds after Ebb has judged a row. A row whose work has begun again meanwhile stays.
CREATE FUNCTION keep_unfinished_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state NOT IN ('DONE', 'FAILED') THEN
        RETURN NULL;
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER keep_unfinished BEFORE DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION keep_unfinished_jobs();
